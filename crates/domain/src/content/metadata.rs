//! What is said about a page besides its document.

use serde::{Deserialize, Serialize};

use crate::features::{ToSchema, Validate};
use crate::patch::{self, Patch};
use crate::revisions::{PageCover, PageLayoutInput};
use crate::{revisions, strict, texts};

/// What is said about a page besides its document. An absent key keeps what is there; an empty text removes an
/// emoji, icon or description, as null does.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PageMetadata {
    /// Its title.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::PageTitle::check"))]
    #[schema(value_type = texts::PageTitle, required = false)]
    pub title: Option<texts::PageTitle>,
    /// Its slug, unique among its siblings. An empty one has it made from the title.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::PageSlug::check"))]
    #[schema(value_type = texts::PageSlug, required = false)]
    pub slug: Option<texts::PageSlug>,
    /// Its emoji.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Emoji::check"))]
    #[schema(value_type = Option<texts::Emoji>)]
    pub emoji: Patch<texts::Emoji>,
    /// The name of its icon.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Icon::check"))]
    #[schema(value_type = Option<texts::Icon>)]
    pub icon: Patch<texts::Icon>,
    /// What it is about.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::PageDescription::check"))]
    #[schema(value_type = Option<texts::PageDescription>)]
    pub description: Patch<texts::PageDescription>,
    /// Whether navigation leaves it out.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hidden: Option<bool>,
    /// Whether search leaves it out.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub no_index: Option<bool>,
    /// Whether search engines shall leave it out.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub no_robots_index: Option<bool>,
    /// The picture at its top.
    #[serde(deserialize_with = "strict::patch", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "revisions::check_cover"))]
    #[schema(value_type = Option<PageCover>)]
    pub cover: Patch<PageCover>,
    /// Which parts of it are shown.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<PageLayoutInput>)]
    pub layout: Patch<PageLayoutInput>,
}
