//! The records that a tree is made of: pages, files and reusable contents.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;

use crate::hash::{BlobHash, DocumentId};
use crate::id::{FileId, PageId, ReusableContentId};
use crate::position::Position;

/// Kind of a page, with the fields specific to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum PageKind {
    /// A page with a document; may have child pages.
    Document,
    /// A heading over pages, at the top level only.
    Group,
    /// A link in the table of contents. Has no slug, no path and no child pages.
    Link {
        /// Target of the link: a content reference.
        target: Value,
    },
    /// Placeholder that is expanded to computed pages when the tree is read. Has no slug, no path and no
    /// child pages.
    Computed {
        /// Source of the pages: a computed content source.
        source: Value,
        /// Seed of the ids of the computed pages: equal seeds give equal ids.
        seed: String,
    },
}

/// Kind of a page without its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageType {
    /// [`PageKind::Document`].
    Document,
    /// [`PageKind::Group`].
    Group,
    /// [`PageKind::Link`].
    Link,
    /// [`PageKind::Computed`].
    Computed,
}

impl PageKind {
    /// Returns the kind without its fields.
    #[must_use]
    pub const fn page_type(&self) -> PageType {
        match self {
            Self::Document => PageType::Document,
            Self::Group => PageType::Group,
            Self::Link { .. } => PageType::Link,
            Self::Computed { .. } => PageType::Computed,
        }
    }
}

impl PageType {
    /// Returns whether pages of this kind may have child pages. The same kinds have a slug.
    #[must_use]
    pub const fn has_children(self) -> bool {
        matches!(self, Self::Document | Self::Group)
    }
}

/// Location of a page, file or reusable content in the Git repository that it was synchronized with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GitBlob {
    /// Git's object id of the file's content, in hexadecimal digits.
    pub oid: String,
    /// The file's path from the repository's root.
    pub path: String,
}

/// Record of a page. Its child pages are the records whose `parent` names it, so moving a page with all its
/// descendants changes this record only.
///
/// In the encoding, fields that are absent, `false` or empty are left out. Fields are declared in the alphabetical
/// order of canonical JSON, so that most records are serialized without sorting.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageNode {
    /// Settings of the cover image.
    pub cover: Option<Box<Value>>,
    /// Time of creation, in milliseconds since the Unix epoch.
    pub created_at: Option<i64>,
    /// A sentence or two below the title.
    pub description: Option<String>,
    /// Document; absent for an empty page.
    pub document: Option<DocumentId>,
    /// An emoji shown before the title.
    pub emoji: Option<String>,
    /// Location in Git.
    pub git: Option<Box<GitBlob>>,
    /// Excluded from the navigation.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// The name of an icon shown before the title.
    pub icon: Option<String>,
    /// Id of the page, the same in all revisions.
    pub id: PageId,
    /// Kind.
    pub kind: PageKind,
    /// Settings of the layout, or the name of a preset.
    pub layout: Option<Box<Value>>,
    /// Title in navigation, if it differs from `title`.
    pub link_title: Option<String>,
    /// Excluded from search.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_index: bool,
    /// Excluded from indexing by search engines.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_robots_index: bool,
    /// Parent page; absent at the top level.
    pub parent: Option<PageId>,
    /// Position among its siblings; unique among them.
    pub position: Position,
    /// Last segment of the path; unique among siblings, empty for links and computed pages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub slug: String,
    /// Title.
    pub title: String,
    /// Time of the last edit, in milliseconds since the Unix epoch.
    pub updated_at: Option<i64>,
}

impl PageNode {
    /// Creates a page with these fields and defaults for the rest: no icon, no document, visible everywhere.
    #[must_use]
    pub fn new(
        id: PageId,
        parent: Option<PageId>,
        position: Position,
        kind: PageKind,
        title: impl Into<String>,
        slug: impl Into<String>,
    ) -> Self {
        Self {
            id,
            parent,
            position,
            kind,
            title: title.into(),
            slug: slug.into(),
            emoji: None,
            icon: None,
            description: None,
            hidden: false,
            no_index: false,
            no_robots_index: false,
            cover: None,
            layout: None,
            link_title: None,
            document: None,
            created_at: None,
            updated_at: None,
            git: None,
        }
    }

    /// Returns the kind without its fields.
    #[must_use]
    pub const fn page_type(&self) -> PageType {
        self.kind.page_type()
    }
}

/// Size of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimensions {
    /// In pixels.
    pub height: u32,
    /// In pixels.
    pub width: u32,
}

/// Record of a file. Its bytes are stored separately, under their hash.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileNode {
    /// SHA-256 of the bytes.
    pub blob: BlobHash,
    /// Media type.
    pub content_type: String,
    /// Time of upload, in milliseconds since the Unix epoch.
    pub created_at: Option<i64>,
    /// Width and height, if the file is an image.
    pub dimensions: Option<Dimensions>,
    /// Location in Git.
    pub git: Option<GitBlob>,
    /// Id of the file, the same in all revisions.
    pub id: FileId,
    /// Name with extension.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
}

/// Record of a reusable content: a document that pages include by reference.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReusableContentNode {
    /// Time of creation, in milliseconds since the Unix epoch.
    pub created_at: Option<i64>,
    /// Document; absent if it is empty.
    pub document: Option<DocumentId>,
    /// Location in Git.
    pub git: Option<GitBlob>,
    /// Id of the reusable content, the same in all revisions.
    pub id: ReusableContentId,
    /// Title.
    pub title: String,
    /// Time of the last edit, in milliseconds since the Unix epoch.
    pub updated_at: Option<i64>,
}

/// One record of a tree. Cloning it is cheap: the record itself is shared.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A page.
    Page(Arc<PageNode>),
    /// A file.
    File(Arc<FileNode>),
    /// A reusable content.
    ReusableContent(Arc<ReusableContentNode>),
}

/// Key of a record in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryId {
    /// A page.
    Page(PageId),
    /// A file.
    File(FileId),
    /// A reusable content.
    ReusableContent(ReusableContentId),
}

/// Change of one record. `before` is absent if it was created, `after` if it was deleted.
pub type EntryChange = (Option<Entry>, Option<Entry>);

impl Entry {
    /// Returns the key of the record.
    #[must_use]
    pub fn id(&self) -> EntryId {
        match self {
            Self::Page(page) => EntryId::Page(page.id),
            Self::File(file) => EntryId::File(file.id),
            Self::ReusableContent(content) => EntryId::ReusableContent(content.id),
        }
    }

    /// Returns the page; `None` for other records.
    pub(crate) fn as_page(&self) -> Option<&Arc<PageNode>> {
        match self {
            Self::Page(page) => Some(page),
            Self::File(_) | Self::ReusableContent(_) => None,
        }
    }

    /// Returns the file; `None` for other records.
    pub(crate) fn into_file(self) -> Option<Arc<FileNode>> {
        match self {
            Self::File(file) => Some(file),
            Self::Page(_) | Self::ReusableContent(_) => None,
        }
    }

    /// Returns the reusable content; `None` for other records.
    pub(crate) fn into_reusable_content(self) -> Option<Arc<ReusableContentNode>> {
        match self {
            Self::ReusableContent(content) => Some(content),
            Self::Page(_) | Self::File(_) => None,
        }
    }

    /// Returns the document of a page or reusable content.
    #[must_use]
    pub fn document(&self) -> Option<DocumentId> {
        match self {
            Self::Page(page) => page.document,
            Self::ReusableContent(content) => content.document,
            Self::File(_) => None,
        }
    }

    /// Returns whether two entries share one record in memory.
    pub(crate) fn is_same_allocation(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Page(own), Self::Page(other)) => Arc::ptr_eq(own, other),
            (Self::File(own), Self::File(other)) => Arc::ptr_eq(own, other),
            (Self::ReusableContent(own), Self::ReusableContent(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }

    /// Returns the approximate memory of the record in a tree in bytes, including its share of the indexes.
    pub(crate) fn approximate_bytes(&self) -> usize {
        let own = match self {
            Self::Page(page) => {
                let texts =
                    [&page.emoji, &page.icon, &page.description, &page.link_title].into_iter().flatten();
                let settings = [&page.cover, &page.layout].into_iter().flatten().map(AsRef::as_ref);
                size_of::<PageNode>()
                    + page.title.len()
                    + page.slug.len()
                    + texts.map(String::len).sum::<usize>()
                    + settings.map(approximate_value_bytes).sum::<usize>()
                    + match &page.kind {
                        PageKind::Document | PageKind::Group => 0,
                        PageKind::Link { target } => approximate_value_bytes(target),
                        PageKind::Computed { source, seed } => approximate_value_bytes(source) + seed.len(),
                    }
                    + git_bytes(page.git.as_deref())
            }
            Self::File(file) => {
                size_of::<FileNode>()
                    + file.name.len()
                    + file.content_type.len()
                    + git_bytes(file.git.as_ref())
            }
            Self::ReusableContent(content) => {
                size_of::<ReusableContentNode>() + content.title.len() + git_bytes(content.git.as_ref())
            }
        };
        // Pointers, keys and counters in the trie and up to three indexes.
        const OVERHEAD: usize = 192;
        own + OVERHEAD
    }
}

fn git_bytes(git: Option<&GitBlob>) -> usize {
    git.map_or(0, |git| git.oid.len() + git.path.len())
}

fn approximate_value_bytes(value: &Value) -> usize {
    let nested = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(approximate_value_bytes).sum(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| key.len() + approximate_value_bytes(value)).sum()
        }
    };
    size_of::<Value>() + nested
}

fn is_false(flag: &bool) -> bool {
    !flag
}
