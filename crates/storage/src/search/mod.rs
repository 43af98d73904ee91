//! Full text: what can be found of a space's current main content.

mod excerpt;
mod index;
mod language;
mod organization;
mod query;

pub use index::Sections;
pub use organization::{SpaceSearchHit, SpaceSearchKey};
pub use query::{SearchHit, SearchKey, SearchedSection, words_of};
