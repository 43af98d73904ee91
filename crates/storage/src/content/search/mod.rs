//! Search: the index of the node, the content that it lacks, and results.
//!
//! The index (`quire_search`) is derived from revisions and records the indexed tree of each space. A search compares
//! it with the tree of the head, which the authorizing statement reads. Pages that differ are searched directly, and
//! the index is updated in the background. So on every node, search results are correct as soon as a merge has been
//! answered.

mod bound;
mod computed;
mod indexer;
mod language;
mod node;
mod organization;
mod pages;
mod progress;
mod published;
mod roots;
mod searched;
mod space;

pub(crate) use node::SearchNode;
pub use node::SearchStatus;
pub use organization::{FoundTitle, SpaceSearchHit, SpaceSearchKey};
pub use progress::{SearchProgress, Searched};
pub use quire_search::{Excerpt, Language, Options as IndexOptions, Query, request_rebuild};
pub use space::{SearchHit, SearchKey, SearchedSection};
