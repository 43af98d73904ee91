//! Conflicts as values: the subject, the kind, and the three versions.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use serde_with::skip_serializing_none;

use super::resolution::ConflictId;
use crate::document::BlockConflict;
use crate::entry::{PageNode, PageType};
use crate::id::{FileId, PageId, ReusableContentId};
use crate::tree::Tree;

/// Conflicting changes of one attribute or record.
///
/// `ours` is the tree merged *from*, `theirs` the tree merged *into*.
///
/// Serializes as an object with `id`, `kind`, one of `page`, `file` and `reusableContent`, and `base`, `ours` and
/// `theirs` as far as they have a value.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// Identifier.
    pub id: ConflictId,
    /// Page in conflict, for a conflict about a page.
    pub page: Option<ConflictPage>,
    /// File in conflict, for a conflict about a file.
    pub file: Option<FileId>,
    /// Reusable content in conflict, for a conflict about one.
    pub reusable_content: Option<ReusableContentId>,
    /// Kind of the conflict, which determines the form of the three values.
    pub kind: ConflictKind,
    /// Value in the merge base; absent if it is unset or the record does not exist.
    pub base: Option<Value>,
    /// Value in `ours`; absent if unset or deleted.
    pub ours: Option<Value>,
    /// Value in `theirs`; absent if unset or deleted.
    pub theirs: Option<Value>,
    /// Blocks of the document that conflict; empty for other kinds, and if one side has no document.
    #[serde(skip)]
    pub blocks: Vec<BlockConflict>,
}

/// Page of a conflict, as in `ours`, or as in `theirs` if `ours` doesn't have it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConflictPage {
    /// Id.
    pub id: PageId,
    /// Title.
    pub title: String,
    /// Path; links and computed pages have none.
    pub path: Option<String>,
}

/// Kind of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictKind {
    /// A page's document, with overlapping edits; the values are document ids.
    Document,
    /// A page's title.
    Title,
    /// A page's title in navigation.
    LinkTitle,
    /// A page's slug.
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
    /// Target of a link page.
    Target,
    /// Source of a computed page; the values are objects with `source` and `seed`.
    Computed,
    /// A page's `hidden` flag.
    Hidden,
    /// A page's `noIndex` flag.
    NoIndex,
    /// A page's `noRobotsIndex` flag.
    NoRobotsIndex,
    /// A page's parent: two different ones, or moves that together form a cycle; the values are objects with
    /// `parent`, which is null at the top level.
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

impl ConflictKind {
    /// Returns whether two versions of a page differ in the attribute that a conflict of this kind is about.
    fn differs(self, before: &PageNode, after: &PageNode) -> bool {
        match self {
            Self::Document => before.document != after.document,
            Self::Title => before.title != after.title,
            Self::LinkTitle => before.link_title != after.link_title,
            Self::Slug => before.slug != after.slug,
            Self::Description => before.description != after.description,
            Self::Emoji => before.emoji != after.emoji,
            Self::Icon => before.icon != after.icon,
            Self::Cover => before.cover != after.cover,
            Self::Layout => before.layout != after.layout,
            Self::Target | Self::Computed => before.kind != after.kind,
            Self::Hidden => before.hidden != after.hidden,
            Self::NoIndex => before.no_index != after.no_index,
            Self::NoRobotsIndex => before.no_robots_index != after.no_robots_index,
            Self::Moved => before.parent != after.parent,
            Self::DeletedHere | Self::DeletedThere | Self::File | Self::ReusableContent => before != after,
        }
    }
}

impl Conflict {
    /// Returns a conflict about a page, with the values in the base, `into` and `from`.
    pub(super) fn on_page(page: ConflictPage, kind: ConflictKind, values: [Option<Value>; 3]) -> Self {
        let conflict = Self::on(&page.id, kind, values);
        Self { page: Some(page), ..conflict }
    }

    /// Returns a conflict about a file, with its records in the base, `into` and `from`.
    pub(super) fn on_file(id: FileId, values: [Option<Value>; 3]) -> Self {
        Self { file: Some(id), ..Self::on(&id, ConflictKind::File, values) }
    }

    /// Returns a conflict about a reusable content, with its records in the base, `into` and `from`.
    pub(super) fn on_reusable_content(id: ReusableContentId, values: [Option<Value>; 3]) -> Self {
        Self { reusable_content: Some(id), ..Self::on(&id, ConflictKind::ReusableContent, values) }
    }

    /// Adds the conflicting blocks, and sets the id to the one that covers all conflicts of the document.
    pub(super) fn with_blocks(self, scope: &str, blocks: Vec<BlockConflict>) -> Self {
        Self { id: ConflictId::of_document(scope), blocks, ..self }
    }

    /// Returns whether two trees differ in the attribute or record of the conflict.
    #[must_use]
    pub fn is_changed_between(&self, before: &Tree, after: &Tree) -> bool {
        if let Some(page) = &self.page {
            return match (before.page(page.id), after.page(page.id)) {
                (Some(before), Some(after)) => self.kind.differs(before, after),
                (before, after) => before.is_some() != after.is_some(),
            };
        }
        if let Some(id) = self.file {
            return before.file(id) != after.file(id);
        }
        self.reusable_content.is_some_and(|id| before.reusable_content(id) != after.reusable_content(id))
    }

    fn on(subject: &impl Serialize, kind: ConflictKind, [base, into, from]: [Option<Value>; 3]) -> Self {
        let id = ConflictId::of(&json!([subject, kind, base, into, from]));
        let (ours, theirs) = (from, into);
        let (page, file, reusable_content, blocks) = (None, None, None, Vec::new());
        Self { id, page, file, reusable_content, kind, base, ours, theirs, blocks }
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

/// Returns the summary of a page for a conflict about its deletion.
pub(super) fn summary(tree: &Tree, id: PageId) -> Option<Value> {
    let page = tree.page(id)?;
    let path = tree.path_of(id).map(|path| ("path".to_owned(), Value::from(path)));
    let document = page.document.map(|document| ("document".to_owned(), json!(document)));
    let title = ("title".to_owned(), Value::from(page.title.as_str()));
    Some(Value::Object([Some(title), path, document].into_iter().flatten().collect()))
}

/// Returns the parent of a page as the value of a conflict.
pub(super) fn parent_of(page: &PageNode) -> Value {
    json!({"parent": page.parent})
}

/// Returns the kind of a conflict about the fields specific to a page kind. Documents and groups have no such fields.
pub(super) fn kind_of_fields(page_type: PageType) -> ConflictKind {
    match page_type {
        PageType::Computed => ConflictKind::Computed,
        PageType::Link | PageType::Document | PageType::Group => ConflictKind::Target,
    }
}
