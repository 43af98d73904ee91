//! Lookups by URL.

mod asked;
pub mod content;
pub mod embed;
mod preview;
pub mod published;

pub(crate) use embed::site_of_space;
