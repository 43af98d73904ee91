//! Content of a revision as a value: its records, and indexes for reading them.

mod apply;
mod edit;
mod error;
mod index;
mod pages;
mod store;

use std::fmt;
use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

pub use error::{LoadError, TreeError};

use self::index::{ByPosition, BySlug, Index};
use crate::entry::{Entry, EntryChange, EntryId, FileNode, PageNode, PageType, ReusableContentNode};
use crate::hash::TreeHash;
use crate::id::{FileId, PageId, ReusableContentId};
use crate::trie::{self, Key, Node, Unshared};

/// Maximum depth of the page tree. JSON nests two levels per page, and JSON parsers commonly stop at 128.
pub const MAX_PAGE_DEPTH: usize = 32;

/// Maximum length of generated slugs in characters. Loaded trees may hold longer ones.
const MAX_SLUG_CHARS: usize = 100;

/// All pages, files and reusable contents of one revision.
///
/// A tree is a persistent value: cloning takes constant time, and a clone that is edited shares all unchanged parts
/// with the original. It is `Send` and `Sync`.
///
/// Invariants of every tree:
/// - each page's parent is a page of the tree, and following parents ends at the top;
/// - only documents and groups have child pages, and groups are at the top level;
/// - documents and groups have a slug without `/`, other pages have none, and siblings with a slug
///   have different ones;
/// - siblings have different positions.
#[derive(Clone, Default)]
pub struct Tree {
    trie: Arc<Node>,
    pages: OrdMap<PageId, Arc<PageNode>>,
    children: Index<ByPosition>,
    /// Pages that have a slug.
    slugs: Index<BySlug>,
    computed: OrdSet<PageId>,
    files: OrdMap<FileId, Arc<FileNode>>,
    reusable_contents: OrdMap<ReusableContentId, Arc<ReusableContentNode>>,
    approximate_bytes: usize,
}

impl Tree {
    /// Returns the tree without records.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// Returns the hash of the tree's content: equal for trees with equal records, regardless of the edits that
    /// produced them. The first call after edits hashes the nodes that they changed.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        self.trie.hash()
    }

    /// Returns the number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.trie.count()
    }

    /// Returns whether there are no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of pages.
    #[must_use]
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Returns the number of files.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// Returns the number of reusable contents.
    #[must_use]
    pub fn reusable_content_count(&self) -> usize {
        self.reusable_contents.len()
    }

    /// Returns the record of any kind with this id.
    #[must_use]
    pub fn entry(&self, id: EntryId) -> Option<Entry> {
        match id {
            EntryId::Page(id) => self.pages.get(&id).cloned().map(Entry::Page),
            EntryId::File(id) => self.files.get(&id).cloned().map(Entry::File),
            EntryId::ReusableContent(id) => {
                self.reusable_contents.get(&id).cloned().map(Entry::ReusableContent)
            }
        }
    }

    /// Returns the file with this id.
    #[must_use]
    pub fn file(&self, id: FileId) -> Option<&FileNode> {
        self.files.get(&id).map(Arc::as_ref)
    }

    /// Returns all files, newest id first.
    pub fn files(&self) -> impl Iterator<Item = &FileNode> {
        self.files.values().rev().map(Arc::as_ref)
    }

    /// Returns the files that follow `last` in the order of [`Tree::files`], without visiting the files before; all
    /// files if it is `None`. The tree need not contain `last` any more.
    pub fn files_after(&self, last: Option<FileId>) -> impl Iterator<Item = &FileNode> {
        use std::ops::Bound::{Excluded, Unbounded};
        let end = last.map_or(Unbounded, Excluded);
        self.files.range((Unbounded, end)).rev().map(|(_, file)| file.as_ref())
    }

    /// Returns the reusable content with this id.
    #[must_use]
    pub fn reusable_content(&self, id: ReusableContentId) -> Option<&ReusableContentNode> {
        self.reusable_contents.get(&id).map(Arc::as_ref)
    }

    /// Returns all reusable contents, newest id first.
    pub fn reusable_contents(&self) -> impl Iterator<Item = &ReusableContentNode> {
        self.reusable_contents.values().rev().map(Arc::as_ref)
    }

    /// Returns the approximate memory in bytes of a tree that shares nothing with others: a weight for caches.
    #[must_use]
    pub fn approximate_bytes(&self) -> usize {
        size_of::<Self>() + self.approximate_bytes
    }

    /// Returns the approximate memory in bytes that this tree does not share with another one. Cost is proportional to
    /// the result.
    #[must_use]
    pub fn approximate_bytes_beyond(&self, other: &Self) -> usize {
        // An edit of an index copies the nodes on the path to each changed record.
        const INDEX_PATHS: usize = 4_096;
        let Unshared { nodes, entries } = trie::unshared(&other.trie, &self.trie);
        let records = entries.iter().map(|entry| entry.approximate_bytes() + INDEX_PATHS).sum::<usize>();
        self.approximate_bytes().min(size_of::<Self>() + nodes + records)
    }

    /// Returns the records in which this tree and a later one differ, in no particular order.
    pub(crate) fn changes_to(&self, after: &Self) -> Vec<EntryChange> {
        trie::differences(&self.trie, &after.trie)
    }

    /// Adds a record with an unused id to the trie and the indexes.
    pub(crate) fn put(&mut self, entry: Entry) {
        self.index(&entry);
        Arc::make_mut(&mut self.trie).insert(0, Key::of(entry.id()), entry);
    }

    /// Removes a record from the trie and the indexes.
    pub(crate) fn take(&mut self, id: EntryId) -> Option<Entry> {
        let entry = Arc::make_mut(&mut self.trie).remove(0, Key::of(id))?;
        self.unindex(&entry);
        Some(entry)
    }

    fn index(&mut self, entry: &Entry) {
        self.approximate_bytes += entry.approximate_bytes();
        match entry {
            Entry::Page(page) => {
                self.children.insert(page);
                if !page.slug.is_empty() {
                    self.slugs.insert(page);
                }
                if page.page_type() == PageType::Computed {
                    self.computed.insert(page.id);
                }
                self.pages.insert(page.id, Arc::clone(page));
            }
            Entry::File(file) => {
                self.files.insert(file.id, Arc::clone(file));
            }
            Entry::ReusableContent(content) => {
                self.reusable_contents.insert(content.id, Arc::clone(content));
            }
        }
    }

    fn unindex(&mut self, entry: &Entry) {
        self.approximate_bytes = self.approximate_bytes.saturating_sub(entry.approximate_bytes());
        match entry {
            Entry::Page(page) => {
                self.children.remove(page);
                if !page.slug.is_empty() {
                    self.slugs.remove(page);
                }
                self.computed.remove(&page.id);
                self.pages.remove(&page.id);
            }
            Entry::File(file) => {
                self.files.remove(&file.id);
            }
            Entry::ReusableContent(content) => {
                self.reusable_contents.remove(&content.id);
            }
        }
    }
}

/// Trees are equal if their records are.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.root() == other.root()
    }
}

impl Eq for Tree {}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree")
            .field("root", &self.root())
            .field("pages", &self.page_count())
            .field("files", &self.file_count())
            .field("reusable_contents", &self.reusable_content_count())
            .finish()
    }
}
