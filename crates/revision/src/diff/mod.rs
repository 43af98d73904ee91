//! Difference between two trees, as records and as semantic changes.

mod attributes;
mod order;

use std::sync::Arc;

pub use attributes::{Delta, FileAttributes, PageAttributes, ReusableContentAttributes};
pub(crate) use order::tree_order;

use crate::entry::{Entry, EntryChange, FileNode, PageNode, PageType, ReusableContentNode};
use crate::id::PageId;
use crate::tree::Tree;

/// Semantic change between two trees.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A page is new.
    PageCreated {
        /// The page after the change.
        page: ChangedPage,
    },
    /// A page's own fields or document changed.
    PageEdited {
        /// The page after the change.
        page: ChangedPage,
        /// Changed attributes, at least one.
        attributes: Box<PageAttributes>,
    },
    /// A page has another parent, or another position among the same siblings.
    PageMoved {
        /// The page after the change.
        page: ChangedPage,
        /// Parents before and after, each as in its tree, absent for the top level. Equal if only the order changed.
        parent: Delta<ChangedPage>,
    },
    /// A page is gone.
    PageDeleted {
        /// The page before the change.
        page: ChangedPage,
    },
    /// A file is new.
    FileCreated {
        /// The file.
        file: Arc<FileNode>,
    },
    /// A file's name or content changed.
    FileEdited {
        /// The file after the change.
        file: Arc<FileNode>,
        /// Changed attributes, at least one.
        attributes: FileAttributes,
    },
    /// A file is gone.
    FileDeleted {
        /// The file before the change.
        file: Arc<FileNode>,
    },
    /// A reusable content is new.
    ReusableContentCreated {
        /// The reusable content.
        content: Arc<ReusableContentNode>,
    },
    /// A reusable content's title or document changed.
    ReusableContentEdited {
        /// The reusable content after the change.
        content: Arc<ReusableContentNode>,
        /// Changed attributes, at least one.
        attributes: ReusableContentAttributes,
    },
    /// A reusable content is gone.
    ReusableContentDeleted {
        /// The reusable content before the change.
        content: Arc<ReusableContentNode>,
    },
}

/// Reference to a page in a list of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPage {
    /// Id of the page.
    pub id: PageId,
    /// Kind of the page.
    pub page_type: PageType,
    /// Title of the page.
    pub title: String,
    /// Path of the page; links and computed pages have none.
    pub path: Option<String>,
}

impl ChangedPage {
    fn new(tree: &Tree, page: &PageNode) -> Self {
        Self {
            id: page.id,
            page_type: page.page_type(),
            title: page.title.clone(),
            path: tree.path_of(page.id),
        }
    }
}

/// Returns the records in which two trees differ, each with its states before and after, in no particular order.
/// [`Tree::apply`] with these changes turns `before` into `after`.
///
/// Cost is proportional to the difference: subtrees with equal hashes are skipped.
#[must_use]
pub fn raw_diff(before: &Tree, after: &Tree) -> Vec<EntryChange> {
    before.changes_to(after)
}

/// Returns the pages of [`raw_diff`], for callers that maintain data per page, such as a search index.
///
/// A page whose *path* changed because an ancestor changed is not included; such pages are the
/// [`Tree::descendants`] of the pages whose parent or slug changed.
pub fn changed_pages(
    before: &Tree,
    after: &Tree,
) -> impl Iterator<Item = (Option<Arc<PageNode>>, Option<Arc<PageNode>>)> + use<> {
    let page = |entry: Option<Entry>| entry.and_then(|entry| entry.as_page().cloned());
    raw_diff(before, after)
        .into_iter()
        .map(move |(before, after)| (page(before), page(after)))
        .filter(|(before, after)| before.is_some() || after.is_some())
}

/// Returns the semantic changes between two trees: pages in the order of the table of contents (a deleted one at
/// its former position), then files, then reusable contents, newest id first. A page that was moved and edited has
/// two entries, the move first.
///
/// Records in which only times or Git locations changed are not listed. The cost is the same as for [`raw_diff`].
#[must_use]
pub fn diff(before: &Tree, after: &Tree) -> Vec<Change> {
    let mut pages = Vec::new();
    let mut files = Vec::new();
    let mut contents = Vec::new();
    for change in raw_diff(before, after) {
        match change {
            (Some(Entry::File(old)), new) => {
                files.push((Some(old), new.and_then(Entry::into_file)));
            }
            (None, Some(Entry::File(new))) => files.push((None, Some(new))),
            (Some(Entry::ReusableContent(old)), new) => {
                contents.push((Some(old), new.and_then(Entry::into_reusable_content)));
            }
            (None, Some(Entry::ReusableContent(new))) => contents.push((None, Some(new))),
            (old, new) => {
                let page = |entry: Option<Entry>| entry.and_then(|entry| entry.as_page().cloned());
                pages.push((page(old), page(new)));
            }
        }
    }
    pages.sort_by_cached_key(|(old, new)| tree_order(before, after, old.as_deref(), new.as_deref()));
    files.sort_by_key(|(old, new)| std::cmp::Reverse(old.as_ref().or(new.as_ref()).map(|file| file.id)));
    contents
        .sort_by_key(|(old, new)| std::cmp::Reverse(old.as_ref().or(new.as_ref()).map(|content| content.id)));
    let pages = pages.into_iter().flat_map(|(old, new)| page_changes(before, after, old, new));
    let files = files.into_iter().filter_map(file_change);
    pages.chain(files).chain(contents.into_iter().filter_map(reusable_content_change)).collect()
}

fn page_changes(
    before: &Tree,
    after: &Tree,
    old: Option<Arc<PageNode>>,
    new: Option<Arc<PageNode>>,
) -> Vec<Change> {
    match (old, new) {
        (None, None) => Vec::new(),
        (None, Some(new)) => vec![Change::PageCreated { page: ChangedPage::new(after, &new) }],
        (Some(old), None) => vec![Change::PageDeleted { page: ChangedPage::new(before, &old) }],
        (Some(old), Some(new)) => {
            let mut changes = Vec::new();
            let page = ChangedPage::new(after, &new);
            if old.parent != new.parent || old.position != new.position {
                let parent = Delta { before: parent_of(before, &old), after: parent_of(after, &new) };
                changes.push(Change::PageMoved { page: page.clone(), parent });
            }
            let attributes = PageAttributes::between(&old, &new);
            if !attributes.is_empty() {
                changes.push(Change::PageEdited { page, attributes: Box::new(attributes) });
            }
            changes
        }
    }
}

fn parent_of(tree: &Tree, page: &PageNode) -> Option<ChangedPage> {
    page.parent.and_then(|parent| tree.page(parent)).map(|parent| ChangedPage::new(tree, parent))
}

fn file_change((old, new): (Option<Arc<FileNode>>, Option<Arc<FileNode>>)) -> Option<Change> {
    match (old, new) {
        (None, new) => new.map(|file| Change::FileCreated { file }),
        (Some(file), None) => Some(Change::FileDeleted { file }),
        (Some(old), Some(file)) => {
            let attributes = FileAttributes::between(&old, &file);
            (!attributes.is_empty()).then_some(Change::FileEdited { file, attributes })
        }
    }
}

fn reusable_content_change(
    (old, new): (Option<Arc<ReusableContentNode>>, Option<Arc<ReusableContentNode>>),
) -> Option<Change> {
    match (old, new) {
        (None, new) => new.map(|content| Change::ReusableContentCreated { content }),
        (Some(content), None) => Some(Change::ReusableContentDeleted { content }),
        (Some(old), Some(content)) => {
            let attributes = ReusableContentAttributes::between(&old, &content);
            (!attributes.is_empty()).then_some(Change::ReusableContentEdited { content, attributes })
        }
    }
}
