//! Reasons why a plan cannot be added to a tree.

use quire_domain::ids::PageId;
use quire_revision::TreeError;

/// Reason why a plan cannot be added to a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// The page is a group, a link or a computed page: it has no document to replace, and pages below the last two are
    /// invisible.
    #[error("page {0} is not a document")]
    NoDocument(PageId),
    /// The import's folders, or its table of contents, nest deeper than pages may.
    #[error("`{path}` would be nested deeper than {limit} levels")]
    TooDeep {
        /// The file of the page that is too deep, or the page's title.
        path: String,
        /// The maximum depth.
        limit: usize,
    },
    /// A document could not be read back from disk.
    #[error("a document cannot be read back from disk: {cause}")]
    Spool {
        /// The cause.
        cause: String,
    },
    /// The page does not exist, or cannot have these children.
    #[error(transparent)]
    Tree(#[from] TreeError),
}
