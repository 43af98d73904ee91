//! Published sites as visitors find them: by host name or path, in one statement.
//!
//! [`Reader::find_site`](crate::Reader::find_site) reads a site with its structure and the head of each space.
//! [`FoundSite::open`] gives it out to visitors who may read its pages: an unpublished site, one of another audience and
//! one that does not exist are the same to all others.

mod address;
mod content;
mod lookup;
mod structure;

pub use address::SiteAddress;
pub use content::PublishedContent;
pub use lookup::{FoundSite, PublishedSite};
pub use structure::{PublishedGroup, PublishedSection, PublishedSpace};
