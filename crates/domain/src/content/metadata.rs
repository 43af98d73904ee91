//! Metadata of pages.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::patch::{self, Patch};
use crate::revisions::{PageCover, PageLayoutInput};
use crate::{object_only, revisions, texts};

/// Metadata of a page. Absent keys leave their values unchanged. An empty text removes the emoji, icon or description,
/// as `null` does.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PageMetadata {
    /// Title of the page.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::PageTitle::check"))]
    #[schema(value_type = texts::PageTitle, required = false)]
    pub title: Option<texts::PageTitle>,
    /// Title of the page in navigation. `null` or empty: its title.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::PageLinkTitle::check"))]
    #[schema(value_type = Option<texts::PageLinkTitle>)]
    pub link_title: Patch<texts::PageLinkTitle>,
    /// Slug of the page, unique among its siblings. An empty slug is replaced by one made from the title.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::PageSlug::check"))]
    #[schema(value_type = texts::PageSlug, required = false)]
    pub slug: Option<texts::PageSlug>,
    /// Emoji of the page.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Emoji::check"))]
    #[schema(value_type = Option<texts::Emoji>)]
    pub emoji: Patch<texts::Emoji>,
    /// Icon name of the page.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Icon::check"))]
    #[schema(value_type = Option<texts::Icon>)]
    pub icon: Patch<texts::Icon>,
    /// Description of the page.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::PageDescription::check"))]
    #[schema(value_type = Option<texts::PageDescription>)]
    pub description: Patch<texts::PageDescription>,
    /// `true` if the page is hidden from navigation.
    #[serde(deserialize_with = "patch::present")]
    pub hidden: Option<bool>,
    /// `true` if the page is excluded from search.
    #[serde(deserialize_with = "patch::present")]
    pub no_index: Option<bool>,
    /// `true` if external search engines are asked not to index the page.
    #[serde(deserialize_with = "patch::present")]
    pub no_robots_index: Option<bool>,
    /// Cover image. `null` removes it.
    #[serde(deserialize_with = "object_only::patch", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "revisions::check_cover"))]
    #[schema(value_type = Option<PageCover>)]
    pub cover: Patch<PageCover>,
    /// Visible parts of the page. `null` restores the default.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<PageLayoutInput>)]
    pub layout: Patch<PageLayoutInput>,
}
