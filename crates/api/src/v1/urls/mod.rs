//! Lookups by URL.

mod asked;
pub mod published;
