//! Published sites for visitors: lookups by host name or path, in one statement.
//!
//! [`Reader::find_sites`](crate::Reader::find_sites) reads sites with their structures and the head of each space.
//! [`FoundSite::open`] returns a site to visitors who may read its pages. For all other visitors, an unpublished site,
//! a site with another audience and a site that does not exist are indistinguishable.
//! [`Reader::space_of_visitor`](crate::Reader::space_of_visitor) and
//! [`Reader::space_on_open_sites`](crate::Reader::space_on_open_sites) do the same for one space.

mod address;
mod content;
mod locations;
mod lookup;
mod open;
mod people;
mod preview;
mod shown;
mod specs;
mod structure;
mod visitor;

use serde::de::DeserializeOwned;

pub use address::{SiteAddress, SiteKey};
pub use content::PublishedContent;
pub use locations::{FoundLocations, VisitedSpace};
pub use lookup::{FoundSite, PublishedSite, VisitorAuth};
pub use preview::{PreviewKey, PreviewScope, PreviewedContent, PreviewedState};
pub use shown::Located;
pub use structure::{PublishedGroup, PublishedSection, PublishedSpace};
pub use visitor::{ShareKeyHash, SiteVisitor, VisitorKeyVersion};

use crate::{Error, Result};

/// Parses JSON from a statement.
fn json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text)
        .map_err(|error| Error::corrupt("the structure of a site can't be read", anyhow::Error::from(error)))
}
