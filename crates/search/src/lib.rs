#![doc = include_str!("../README.md")]

mod analyzer;
mod document;
mod excerpt;
mod index;
mod language;
mod overlay;
mod page;
mod page_text;
mod query;
mod ranking;
mod schema;
mod sections;
mod segment;
mod space_map;
mod statistics;
mod text;

pub use excerpt::Excerpt;
pub use index::{Index, IndexedVersion, Options, Snapshot, Update, request_rebuild};
pub use language::Language;
pub use overlay::{Overlay, Scope};
pub use page::{Context, Page, Section};
pub use page_text::PageText;
pub use query::Query;
pub use ranking::{Hit, Ranking, SpaceHits, score_of};
pub use sections::{FoundSection, SectionFinder};
pub use space_map::{IdHasher, SpaceMap};

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
