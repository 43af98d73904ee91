//! Search: the index of the node, what it lacks, and what it finds.
//!
//! The index (`quire_search`) is derived from revisions. It knows which tree of each space it holds; a search compares
//! that with the tree of the head that the authorizing statement reads. Pages in which the two differ are searched
//! directly, and the index is brought up to date in the background. So a search is right as soon as a merge has
//! answered, on every node.

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
