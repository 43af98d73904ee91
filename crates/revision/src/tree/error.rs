//! Errors of edits and of loading.

use crate::entry::EntryId;
use crate::hash::TreeHash;
use crate::id::{FileId, PageId, ReusableContentId};
use crate::trie::{FetchError, MalformedNode};

/// Violation of a rule of [trees](crate::Tree) by an edit. The tree is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The page does not exist.
    #[error("there is no page {0}")]
    UnknownPage(PageId),
    /// The file does not exist.
    #[error("there is no file {0}")]
    UnknownFile(FileId),
    /// The reusable content does not exist.
    #[error("there is no reusable content {0}")]
    UnknownReusableContent(ReusableContentId),
    /// The parent does not exist.
    #[error("the parent page {0} does not exist")]
    UnknownParent(PageId),
    /// The parent is a link or a computed page.
    #[error("page {0} is of a kind that has no pages below it")]
    ParentWithoutChildren(PageId),
    /// A group must be at the top level.
    #[error("page {0} is a group, which is allowed at the top level only")]
    NestedGroup(PageId),
    /// The page would be its own ancestor.
    #[error("page {0} would be its own ancestor")]
    Cycle(PageId),
    /// The page or its descendants would exceed [`MAX_PAGE_DEPTH`](crate::MAX_PAGE_DEPTH) levels.
    #[error("page {0} would nest pages too deeply")]
    TooDeep(PageId),
    /// A document or group without a slug, a link or computed page with one, or a slug with `/`.
    #[error("page {page} can't have the slug {slug:?}")]
    InvalidSlug {
        /// The page.
        page: PageId,
        /// The slug.
        slug: String,
    },
    /// Another page with the same parent has the slug.
    #[error("the slug {slug:?} is taken by page {by}")]
    SlugTaken {
        /// The slug.
        slug: String,
        /// Page that has the slug.
        by: PageId,
    },
    /// Another page with the same parent has the position.
    #[error("the position is taken by page {by}")]
    PositionTaken {
        /// Page that has the position.
        by: PageId,
    },
    /// The kind of a page can't change.
    #[error("page {0} can't change its kind")]
    KindChanged(PageId),
    /// The id is already used in the tree.
    #[error("there is already a record with the id of {0:?}")]
    DuplicateId(EntryId),
}

/// Failure to load a tree from its store.
#[derive(Debug, thiserror::Error)]
pub enum LoadError<E> {
    /// The store failed.
    #[error("the tree's nodes can't be fetched")]
    Fetch(#[source] E),
    /// The store doesn't have a node of the tree.
    #[error("the node {0} is missing")]
    Missing(TreeHash),
    /// The stored bytes are not a valid node.
    #[error("the node {hash} is malformed")]
    Malformed {
        /// Hash that was requested.
        hash: TreeHash,
        /// Defect of the stored bytes.
        source: MalformedNode,
    },
    /// The nodes are valid, but their records together break a rule of trees.
    #[error("the tree's records contradict each other")]
    Inconsistent(#[source] TreeError),
}

impl<E> From<FetchError<E>> for LoadError<E> {
    fn from(error: FetchError<E>) -> Self {
        match error {
            FetchError::Store(error) => Self::Fetch(error),
            FetchError::Missing(hash) => Self::Missing(hash),
            FetchError::Malformed(hash, source) => Self::Malformed { hash, source },
        }
    }
}
