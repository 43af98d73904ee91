#![doc = include_str!("../README.md")]

mod analyzer;
mod document;
mod excerpt;
mod index;
mod language;
mod overlay;
mod query;
mod ranking;
mod schema;
mod sections;
mod segment;
mod statistics;
mod text;
mod words;

pub use document::{Page, Section};
pub use excerpt::Excerpt;
pub use index::{Held, Index, Options, Snapshot, Update, request_rebuild};
pub use language::Language;
pub use overlay::{Overlay, Scope};
pub use query::Query;
pub use ranking::{Hit, Ranking, SpaceHits};
pub use sections::FoundSection;
pub use words::PageWords;

/// Errors of the engine.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index can't be read or written.
    #[error("the search index failed: {0}")]
    Engine(#[from] tantivy::TantivyError),
    /// The directory of the index can't be used.
    #[error("the directory of the search index failed: {0}")]
    Directory(#[from] std::io::Error),
}

/// Result of the engine.
pub type Result<T> = std::result::Result<T, Error>;
