//! Elements around the content: header, footer, announcement and favicon.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use super::{ThemedColor, ThemedUrl, wire_enum};
use crate::bounds::CUSTOMIZATION_LIST_MAX;
use crate::described::ContentRef;
use crate::localized::{self, Localized};
use crate::{object_only, patch, text_checks, texts};

/// Favicon: an image or an emoji. Default: the icon of the service.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
#[validate(schema(function = "check_favicon"))]
pub struct CustomizationFavicon {
    /// Image URLs. Excludes `emoji`.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub icon: Option<ThemedUrl>,
    /// Emoji. Excludes `icon`.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Emoji::check"))]
    #[schema(value_type = texts::Emoji, required = false)]
    pub emoji: Option<String>,
}

fn check_favicon(favicon: &CustomizationFavicon) -> Result<(), ValidationError> {
    if favicon.icon.is_some() && favicon.emoji.is_some() {
        return Err(text_checks::error("favicon", "must not have both `icon` and `emoji`"));
    }
    Ok(())
}

wire_enum! {
    /// Deprecated. Colours of the header.
    CustomizationHeaderPreset {
        Default = "default", Bold = "bold", Contrast = "contrast", Custom = "custom", None = "none",
    }
    /// Style of a link in the header.
    CustomizationHeaderItemStyle {
        Link = "link", ButtonPrimary = "button-primary", ButtonSecondary = "button-secondary",
    }
    /// Severity of an announcement.
    CustomizationAnnouncementStyle { Info = "info", Warning = "warning", Danger = "danger", Success = "success" }
}

/// Header of a site.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomizationHeader {
    /// Deprecated. Colours of the header.
    #[schema(required = false)]
    pub preset: CustomizationHeaderPreset,
    /// Logo URLs.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    pub logo: Option<ThemedUrl>,
    /// Target of the title or logo. Default: the first page of the site.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "check_reference"))]
    #[schema(value_type = ContentRef, required = false)]
    pub primary_link: Option<Map<String, Value>>,
    /// Deprecated. Background colour of the header.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    pub background_color: Option<ThemedColor>,
    /// Deprecated. Colour of the links in the header.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    pub link_color: Option<ThemedColor>,
    /// Links in the header, at most 100.
    #[serde(deserialize_with = "object_only::bounded::<_, _, 0, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(required = false, max_items = 100)]
    pub links: Vec<CustomizationHeaderItem>,
}

/// Link in the header, or menu of links.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomizationHeaderItem {
    /// Title of the link.
    #[validate(custom(function = "texts::LinkTitle::check"))]
    #[schema(value_type = texts::LinkTitle)]
    pub title: String,
    /// Titles in other languages, by the codes of the languages.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "localized::check::<texts::kinds::LinkTitle>"))]
    #[schema(value_type = BTreeMap<crate::translations::Language, texts::LinkTitle>, required = false)]
    pub localized_title: Option<Localized>,
    /// Style of the link.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub style: Option<CustomizationHeaderItemStyle>,
    /// Target of the link; `null` for a menu.
    #[validate(custom(function = "check_reference"))]
    #[schema(value_type = Option<ContentRef>)]
    #[serialize_always]
    pub to: Option<Map<String, Value>>,
    /// Links of the menu, at most 100.
    #[serde(default, deserialize_with = "object_only::bounded::<_, _, 0, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(required = false, max_items = 100)]
    pub links: Vec<CustomizationContentLink>,
    /// JavaScript expression over `visitor.claims`. Only visitors for whom it is true see the link. Absent: all
    /// visitors do.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Condition::check"))]
    #[schema(value_type = texts::Condition, required = false)]
    pub condition: Option<String>,
}

/// Link to content.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomizationContentLink {
    /// Title of the link.
    #[validate(custom(function = "texts::LinkTitle::check"))]
    #[schema(value_type = texts::LinkTitle)]
    pub title: String,
    /// Titles in other languages, by the codes of the languages.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "localized::check::<texts::kinds::LinkTitle>"))]
    #[schema(value_type = BTreeMap<crate::translations::Language, texts::LinkTitle>, required = false)]
    pub localized_title: Option<Localized>,
    /// Target of the link.
    #[validate(custom(function = "check_reference"))]
    #[schema(value_type = ContentRef)]
    pub to: Map<String, Value>,
}

/// Footer of a site.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct CustomizationFooter {
    /// Logo URLs.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub logo: Option<ThemedUrl>,
    /// Columns of links, at most 100.
    #[serde(deserialize_with = "object_only::bounded::<_, _, 0, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(required = false, max_items = 100)]
    pub groups: Vec<CustomizationFooterGroup>,
    /// Copyright line, at most 512 characters.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Copyright::check"))]
    #[schema(value_type = texts::Copyright, required = false)]
    pub copyright: Option<String>,
}

/// Column of links.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomizationFooterGroup {
    /// Title of the column.
    #[validate(custom(function = "texts::LinkTitle::check"))]
    #[schema(value_type = texts::LinkTitle)]
    pub title: String,
    /// Titles in other languages, by the codes of the languages.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "localized::check::<texts::kinds::LinkTitle>"))]
    #[schema(value_type = BTreeMap<crate::translations::Language, texts::LinkTitle>, required = false)]
    pub localized_title: Option<Localized>,
    /// Links of the column, at most 100.
    #[serde(deserialize_with = "object_only::bounded::<_, _, 0, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(max_items = 100)]
    pub links: Vec<CustomizationContentLink>,
}

/// Announcement above the content.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomizationAnnouncement {
    /// `true` to show the announcement.
    pub enabled: bool,
    /// Text of the announcement, 2 to 128 characters.
    #[validate(custom(function = "texts::Announcement::check"))]
    #[schema(value_type = texts::Announcement)]
    pub message: String,
    /// Texts in other languages, by the codes of the languages.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "localized::check::<texts::kinds::LocalizedMessage>"))]
    #[schema(value_type = BTreeMap<crate::translations::Language, texts::LocalizedMessage>, required = false)]
    pub localized_message: Option<Localized>,
    /// Link of the announcement.
    #[serde(default, deserialize_with = "object_only::present")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub link: Option<CustomizationContentLink>,
    /// Severity of the announcement.
    pub style: CustomizationAnnouncementStyle,
}

/// Kinds of content references, with the key that each requires.
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

/// Checks a reference to content.
///
/// # Errors
/// A [`ValidationError`] for an unknown kind, or without the key that the kind requires.
fn check_reference(reference: &Map<String, Value>) -> Result<(), ValidationError> {
    let kind = reference.get("kind").and_then(Value::as_str).unwrap_or_default();
    let Some((_, key)) = REFERENCES.iter().find(|(name, _)| *name == kind) else {
        return Err(text_checks::error("reference", "must be a content reference with a known `kind`"));
    };
    match reference.get(*key).and_then(Value::as_str) {
        None => Err(text_checks::error("reference", format!("must have the key `{key}`"))),
        Some(url) if kind == "url" => crate::urls::link_url(url),
        Some(id) => text_checks::check::<1, { crate::bounds::NODE_ID_MAX }>(id),
    }
}
