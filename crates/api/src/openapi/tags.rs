//! Groups of operations.

use utoipa::openapi::tag::{Tag, TagBuilder};

use crate::route;

/// Returns each group with its description, in the order of the documentation.
pub(super) fn tags() -> Vec<Tag> {
    let tag =
        |tag: &route::Tag| TagBuilder::new().name(tag.name()).description(Some(tag.description())).build();
    route::Tag::ALL.iter().map(tag).collect()
}
