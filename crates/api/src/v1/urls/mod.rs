//! Lookups by URL.

mod asked;
pub mod embed;
pub mod published;

pub(crate) use embed::readable_site_at;
