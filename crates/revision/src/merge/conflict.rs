//! Conflicts as values: what both sides changed differently, and what each of them made of it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::entry::{PageNode, PageType};
use crate::id::{FileId, PageId, ReusableContentId};
use crate::tree::Tree;

/// One thing that both sides changed differently.
///
/// It serializes as an object with `kind`, one of `page`, `file` and `reusableContent`, and those
/// of `base`, `ours` and `theirs` that have a value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// The page that it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<ConflictPage>,
    /// The file that it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<FileId>,
    /// The reusable content that it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reusable_content: Option<ReusableContentId>,
    /// What of it was changed differently. It tells what the three values are.
    pub kind: ConflictKind,
    /// What it was before both changes; absent if it wasn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<Value>,
    /// What it is in `ours`; absent if it is unset or deleted there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ours: Option<Value>,
    /// What it is in `theirs`; absent if it is unset or deleted there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theirs: Option<Value>,
}

/// Names the page of a conflict: as it is in ours, or where it isn't there in theirs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConflictPage {
    /// Its id.
    pub id: PageId,
    /// Its title.
    pub title: String,
    /// Its path; links and computed pages have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// What was changed differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictKind {
    /// A page's document, in overlapping places; the values are document ids.
    Document,
    /// A page's title.
    Title,
    /// A page's part of the path.
    Slug,
    /// A page's description.
    Description,
    /// A page's emoji.
    Emoji,
    /// A page's icon.
    Icon,
    /// A page's cover image.
    Cover,
    /// A page's layout.
    Layout,
    /// What a link leads to.
    Target,
    /// What computes a computed page; the values are objects with `source` and `seed`.
    Computed,
    /// Whether a page is left out of the navigation.
    Hidden,
    /// Whether a page is left out of searches.
    NoIndex,
    /// Whether search engines are asked to leave a page out.
    NoRobotsIndex,
    /// A page's parent: other ones, or such that pages would stand below themselves; the values
    /// are objects with `parent`, which is null at the top level.
    Moved,
    /// A page that `theirs` edited, moved or inserted while `ours` deleted it or the page above it;
    /// the values are objects with `title` and, where the page has them, `path` and `document`.
    DeletedHere,
    /// The reverse: `theirs` deleted, `ours` edited, moved or inserted.
    DeletedThere,
    /// A file's name or content, or one side deleted it and the other changed it; the values are
    /// its records.
    File,
    /// A reusable content's title or document, or one side deleted it and the other changed it; the
    /// values are its records.
    ReusableContent,
}

impl Conflict {
    /// The same conflict, named from the other side: `ours` and `theirs` are the trees as they are named then.
    #[must_use]
    pub fn swapped(self, ours: &Tree, theirs: &Tree) -> Self {
        let page = self.page.map(|page| ConflictPage::new(page.id, ours, theirs));
        let kind = match self.kind {
            ConflictKind::DeletedHere => ConflictKind::DeletedThere,
            ConflictKind::DeletedThere => ConflictKind::DeletedHere,
            kind => kind,
        };
        Self { page, kind, ours: self.theirs, theirs: self.ours, ..self }
    }

    /// A conflict about a page, with the values in base, ours and theirs.
    pub(super) fn on_page(page: ConflictPage, kind: ConflictKind, values: [Option<Value>; 3]) -> Self {
        Self { page: Some(page), ..Self::of_kind(kind, values) }
    }

    /// A conflict about a file, with its records in base, ours and theirs.
    pub(super) fn on_file(id: FileId, values: [Option<Value>; 3]) -> Self {
        Self { file: Some(id), ..Self::of_kind(ConflictKind::File, values) }
    }

    /// A conflict about a reusable content, with its records in base, ours and theirs.
    pub(super) fn on_reusable_content(id: ReusableContentId, values: [Option<Value>; 3]) -> Self {
        Self { reusable_content: Some(id), ..Self::of_kind(ConflictKind::ReusableContent, values) }
    }

    fn of_kind(kind: ConflictKind, [base, ours, theirs]: [Option<Value>; 3]) -> Self {
        Self { page: None, file: None, reusable_content: None, kind, base, ours, theirs }
    }
}

impl ConflictPage {
    pub(super) fn new(id: PageId, ours: &Tree, theirs: &Tree) -> Self {
        let tree = if ours.page(id).is_some() { ours } else { theirs };
        Self {
            id,
            title: tree.page(id).map(|page| page.title.clone()).unwrap_or_default(),
            path: tree.path_of(id),
        }
    }
}

/// A page in the few words that a conflict about its deletion needs.
pub(super) fn summary(tree: &Tree, id: PageId) -> Option<Value> {
    let page = tree.page(id)?;
    let path = tree.path_of(id).map(|path| ("path".to_owned(), Value::from(path)));
    let document = page.document.map(|document| ("document".to_owned(), json!(document)));
    let title = ("title".to_owned(), Value::from(page.title.as_str()));
    Some(Value::Object([Some(title), path, document].into_iter().flatten().collect()))
}

/// Where a page stands.
pub(super) fn place(page: &PageNode) -> Value {
    json!({"parent": page.parent})
}

/// The kind of a conflict about the fields that only such a page has. Documents and groups have
/// none that could conflict.
pub(super) fn kind_of_fields(page_type: PageType) -> ConflictKind {
    match page_type {
        PageType::Computed => ConflictKind::Computed,
        PageType::Link | PageType::Document | PageType::Group => ConflictKind::Target,
    }
}
