//! Computed content: pages that take the place of a place-holder when content is read, and their documents.
//!
//! What is computed follows from the seed and the version of the specification alone: nothing of it is stored. Ids are made of the
//! seed and of the place in the specification, so they outlast new versions that leave the place. Trees with their computed pages are kept
//! in memory ([`Expansions`]), so that one page after the other is served without making the others again.

mod cache;
mod document;
mod expand;
mod ids;

pub use cache::Expansions;
pub use document::{document_at, index_of};
pub use expand::{Computed, Place, SpecPages, expand, resolve};
