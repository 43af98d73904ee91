//! What stands around the content: header, footer, announcement and favicon.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{ThemedColor, ThemedUrl, words};
use crate::bounds::CUSTOMIZATION_LIST_MAX;
use crate::described::ContentRef;
use crate::features::{ToSchema, Validate, ValidationError};
use crate::{patch, strict, text, texts};

/// The picture in the browser's tab: an image, an emoji, or the service's own.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
#[validate(schema(function = "check_favicon"))]
pub struct CustomizationFavicon {
    /// An image.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub icon: Option<ThemedUrl>,
    /// An emoji.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Emoji::check"))]
    #[schema(value_type = texts::Emoji, required = false)]
    pub emoji: Option<String>,
}

fn check_favicon(favicon: &CustomizationFavicon) -> Result<(), ValidationError> {
    if favicon.icon.is_some() && favicon.emoji.is_some() {
        return Err(text::error("favicon", "must have either an `icon` or an `emoji`"));
    }
    Ok(())
}

words! {
    /// Deprecated: how the header is coloured.
    CustomizationHeaderPreset {
        Default = "default", Bold = "bold", Contrast = "contrast", Custom = "custom", None = "none",
    }
    /// How a link of the header looks.
    CustomizationHeaderItemStyle {
        Link = "link", ButtonPrimary = "button-primary", ButtonSecondary = "button-secondary",
    }
    /// What an announcement is.
    CustomizationAnnouncementStyle { Info = "info", Warning = "warning", Danger = "danger", Success = "success" }
}

/// What stands above the content.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomizationHeader {
    /// Deprecated: how it is coloured.
    #[schema(required = false)]
    pub preset: CustomizationHeaderPreset,
    /// The logo.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub logo: Option<ThemedUrl>,
    /// Deprecated: its background.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub background_color: Option<ThemedColor>,
    /// Deprecated: the colour of its links.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub link_color: Option<ThemedColor>,
    /// Links of the customization header.
    #[serde(deserialize_with = "strict::bounded::<_, _, 0, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(required = false, max_items = 100)]
    pub links: Vec<CustomizationHeaderItem>,
}

/// A link of the header, or a menu of links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
pub struct CustomizationHeaderItem {
    /// Title of the link.
    #[validate(custom(function = "texts::LinkTitle::check"))]
    #[schema(value_type = texts::LinkTitle)]
    pub title: String,
    /// How it looks.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub style: Option<CustomizationHeaderItemStyle>,
    /// Where it leads: a content reference; `null` for a menu.
    #[serde(default)]
    #[validate(custom(function = "check_reference"))]
    #[schema(value_type = Option<ContentRef>)]
    pub to: Option<Map<String, Value>>,
    /// The links of its menu.
    #[serde(default, deserialize_with = "strict::bounded::<_, _, 0, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(required = false, max_items = 100)]
    pub links: Vec<CustomizationContentLink>,
    /// CEL expression over `visitor.claims`. Only visitors for whom it is true see the link. Absent: all visitors do.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Condition::check"))]
    #[schema(value_type = texts::Condition, required = false)]
    pub condition: Option<String>,
}

/// A link to content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
pub struct CustomizationContentLink {
    /// Title of the link.
    #[validate(custom(function = "texts::LinkTitle::check"))]
    #[schema(value_type = texts::LinkTitle)]
    pub title: String,
    /// Where it leads: a content reference.
    #[validate(custom(function = "check_reference"))]
    #[schema(value_type = ContentRef)]
    pub to: Map<String, Value>,
}

/// What stands below the content.
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct CustomizationFooter {
    /// The logo.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub logo: Option<ThemedUrl>,
    /// Its columns of links.
    #[serde(deserialize_with = "strict::bounded::<_, _, 0, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(required = false, max_items = 100)]
    pub groups: Vec<CustomizationFooterGroup>,
    /// The copyright line.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Copyright::check"))]
    #[schema(value_type = texts::Copyright, required = false)]
    pub copyright: Option<String>,
}

/// A column of links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
pub struct CustomizationFooterGroup {
    /// Title of the column.
    #[validate(custom(function = "texts::LinkTitle::check"))]
    #[schema(value_type = texts::LinkTitle)]
    pub title: String,
    /// Links of the column.
    #[serde(deserialize_with = "strict::bounded::<_, _, 0, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(max_items = 100)]
    pub links: Vec<CustomizationContentLink>,
}

/// What is announced above everything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
pub struct CustomizationAnnouncement {
    /// Whether it is shown.
    pub enabled: bool,
    /// What it says.
    #[validate(custom(function = "texts::Announcement::check"))]
    #[schema(value_type = texts::Announcement)]
    pub message: String,
    /// Where it leads.
    #[serde(default, deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub link: Option<CustomizationContentLink>,
    /// What it is.
    pub style: CustomizationAnnouncementStyle,
}

/// The kinds of content references with the key that each needs.
const REFERENCES: [(&str, &str); 9] = [
    ("url", "url"),
    ("file", "file"),
    ("page", "page"),
    ("anchor", "anchor"),
    ("user", "user"),
    ("collection", "collection"),
    ("space", "space"),
    ("reusable-content", "reusableContent"),
    ("openapi", "spec"),
];

#[cfg(feature = "validation")]
fn check_reference(reference: &Map<String, Value>) -> Result<(), ValidationError> {
    let kind = reference.get("kind").and_then(Value::as_str).unwrap_or_default();
    let Some((_, key)) = REFERENCES.iter().find(|(name, _)| *name == kind) else {
        return Err(text::error("reference", "must be a content reference with a known `kind`"));
    };
    match reference.get(*key).and_then(Value::as_str) {
        None => Err(text::error("reference", format!("needs the key `{key}`"))),
        Some(url) if kind == "url" => crate::addresses::link_url(url),
        Some(id) => text::check::<1, { crate::bounds::NODE_ID_MAX }>(id),
    }
}
