//! Visitors of published sites: the content that they may read, and their claims.

mod claims;
mod content;
mod site;

pub(crate) use claims::Claims;
pub(crate) use content::{
    Readable, ReadableSpace, readable_content, readable_content_on_site, readable_head, readable_space,
};
pub(crate) use site::{managed_site, open_to_token, readable_site, shown_site, vouched};
