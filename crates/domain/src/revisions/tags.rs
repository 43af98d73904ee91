//! Tags of pages and updates.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;

use crate::described::ContentRef;
use crate::object::tags;

tags! {
    /// Color of a tag. Tags are named in content and have no color of their own.
    TagColor = "default";
}

/// Tag that the content of a revision uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TagDefinition {
    /// Slug of the tag, which references of the kind `tag` name.
    pub slug: String,
    /// Label of the tag.
    pub label: String,
    /// Color of the tag. Always `default`.
    pub color: TagColor,
}

impl TagDefinition {
    /// Returns the definition of a tag that content names.
    #[must_use]
    pub fn named(slug: String) -> Self {
        Self { label: slug.clone(), slug, color: TagColor::Tag }
    }
}

/// Tag of a page.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PageTag {
    /// Reference to the tag.
    #[schema(value_type = ContentRef)]
    pub tag: Value,
    /// `true` for the tag that the table of contents shows.
    pub primary: Option<bool>,
}
