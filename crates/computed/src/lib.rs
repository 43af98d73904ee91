#![doc = include_str!("../README.md")]

mod cache;
mod document;
mod error;
mod expand;
mod ids;

pub use cache::Expansions;
pub use document::{DocumentOf, document_at, documents_of};
pub use error::{Error, Result};
pub use expand::{Computed, Place, SpecPages, expand, resolve};
