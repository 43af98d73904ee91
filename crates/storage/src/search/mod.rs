//! Full text: what can be found of a space's current main content.

mod excerpt;
mod index;
mod query;

pub use query::{SearchHit, SearchKey, SearchedSection};
