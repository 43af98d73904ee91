//! Computed content: pages that replace a placeholder when content is read, and their documents.

mod cache;
mod document;
mod expand;
mod ids;
mod pages;

pub use cache::Expansions;
pub use document::{document_at, documents_of};
pub use expand::{expand, resolve};
pub use pages::{Computed, DocumentOf, PagePosition, SpecPages};
