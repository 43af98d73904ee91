//! Computed content: pages that replace a placeholder when content is read, and their documents.

mod cache;
mod document;
mod expand;
mod ids;
mod lowered;
mod pages;
mod props;
mod searched;

pub use cache::Expansions;
pub use document::{document_at, documents_of, written_out};
pub(crate) use expand::state;
pub use expand::{expand, resolve};
pub use lowered::titled;
pub use pages::{Computed, DocumentOf, Form, MAX_OPERATIONS, PagePosition, SpecPages};
pub(crate) use searched::{readable, searched_pages};
