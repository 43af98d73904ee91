//! Computed content: pages that replace a placeholder when content is read, and their documents.

mod cache;
mod document;
mod expand;
mod ids;

pub use cache::Expansions;
pub use document::{DocumentOf, document_at, documents_of};
pub use expand::{Computed, Place, SpecPages, expand, resolve};
