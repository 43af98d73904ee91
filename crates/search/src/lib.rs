//! The search engine of Quire.
//!
//! An [`Index`] holds the words of pages, and which version of each space it holds. It is derived from content and can be
//! deleted at any time. [`Snapshot::search`] ranks the pages of some spaces; pages that changed since the index was written
//! are searched in an [`Overlay`], which replaces what the index has of them. Documents are not kept: [`Query::sections`]
//! finds the sections of a page that match best, with an excerpt of each, in the texts that the caller holds.
//!
//! Words are folded, stemmed by [`Language`], and found by term, prefix, phrase and, if nothing else matches, with
//! typing errors. Characters of scripts without spaces are found by pairs.

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
mod statistics;
mod text;

pub use document::{Page, Section};
pub use excerpt::Excerpt;
pub use index::{Held, Index, Options, Snapshot, Update, request_rebuild};
pub use language::Language;
pub use overlay::{Overlay, Scope};
pub use query::Query;
pub use ranking::{Hit, Ranking, SpaceHits};
pub use sections::FoundSection;

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
