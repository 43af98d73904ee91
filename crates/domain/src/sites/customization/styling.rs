//! Colours, shapes and fonts.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use super::wire_enum;
use super::{CustomizationCodeTheme, CustomizationFont, CustomizationMonospaceFont};
use crate::{object_only, text_checks, texts};

/// Colours, shapes and fonts.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomizationStyling {
    /// Intensity of the colours.
    #[schema(required = false)]
    pub theme: CustomizationTheme,
    /// Primary colour.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub primary_color: ThemedColor,
    /// Tint of the whole interface.
    #[serde(deserialize_with = "object_only::present")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub tint: Option<CustomizationTint>,
    /// Colour of information.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub info_color: ThemedColor,
    /// Colour of success.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub success_color: ThemedColor,
    /// Colour of warnings.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub warning_color: ThemedColor,
    /// Colour of danger.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub danger_color: ThemedColor,
    /// Shape of corners.
    #[schema(required = false)]
    pub corners: CustomizationCorners,
    /// Shadows.
    #[schema(required = false)]
    pub depth: CustomizationDepth,
    /// Style of links.
    #[schema(required = false)]
    pub links: CustomizationLinksStyle,
    /// Themes of code.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub code_theme: CustomizationCodeTheme,
    /// Font for text.
    #[validate(custom(function = "super::fonts::check"))]
    #[schema(required = false)]
    pub font: CustomizationFont,
    /// Font for headings. Absent or `null`: the font for text.
    #[validate(custom(function = "super::fonts::check"))]
    #[schema(required = false)]
    pub heading_font: Option<CustomizationFont>,
    /// Font for code.
    #[validate(custom(function = "super::fonts::check"))]
    #[schema(required = false)]
    pub monospace_font: CustomizationMonospaceFont,
    /// Deprecated. Tint of the background.
    #[schema(required = false)]
    pub background: CustomizationBackground,
    /// Style of icons.
    #[schema(required = false)]
    pub icons: CustomizationIconsStyle,
    /// Style of the table of contents.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub sidebar: CustomizationSidebar,
    /// Style of the search field.
    #[schema(required = false)]
    pub search: CustomizationSearchStyle,
}

impl Default for CustomizationStyling {
    fn default() -> Self {
        Self {
            theme: CustomizationTheme::default(),
            primary_color: ThemedColor::both("#346DDB"),
            tint: None,
            info_color: ThemedColor::both("#787878"),
            success_color: ThemedColor::both("#00C950"),
            warning_color: ThemedColor::both("#FE9A00"),
            danger_color: ThemedColor::both("#FB2C36"),
            corners: CustomizationCorners::default(),
            depth: CustomizationDepth::default(),
            links: CustomizationLinksStyle::default(),
            font: CustomizationFont::default(),
            heading_font: None,
            code_theme: CustomizationCodeTheme::default(),
            monospace_font: CustomizationMonospaceFont::default(),
            background: CustomizationBackground::default(),
            icons: CustomizationIconsStyle::default(),
            sidebar: CustomizationSidebar::default(),
            search: CustomizationSearchStyle::default(),
        }
    }
}

wire_enum! {
    /// Intensity of the colours.
    CustomizationTheme { Clean = "clean", Muted = "muted", Bold = "bold", Gradient = "gradient" }
    /// Shape of corners.
    CustomizationCorners { Rounded = "rounded", Straight = "straight", Circular = "circular" }
    /// Shadows.
    CustomizationDepth { Subtle = "subtle", Flat = "flat" }
    /// Style of links.
    CustomizationLinksStyle { Default = "default", Accent = "accent" }
    /// Tint of the background.
    CustomizationBackground { Plain = "plain", Match = "match" }
    /// Style of icons.
    CustomizationIconsStyle {
        Regular = "regular", Solid = "solid", Duotone = "duotone", Light = "light", Thin = "thin",
    }
    /// Background of the table of contents.
    CustomizationSidebarBackground { Default = "default", Filled = "filled" }
    /// Style of the entries of the table of contents.
    CustomizationSidebarList { Default = "default", Pill = "pill", Line = "line" }
    /// Style of the search field.
    CustomizationSearchStyle { Prominent = "prominent", Subtle = "subtle" }
}

/// Style of the table of contents.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CustomizationSidebar {
    /// Background of the table of contents.
    #[schema(required = false)]
    pub background: CustomizationSidebarBackground,
    /// Style of its entries.
    #[schema(required = false)]
    pub list: CustomizationSidebarList,
}

/// Tint of the whole interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct CustomizationTint {
    /// Colour of the tint.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub color: ThemedColor,
}

/// Colour for light and dark mode, as `#rgb` or `#rrggbb`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ThemedColor {
    /// Colour in light mode, such as `#346DDB`.
    #[validate(custom(function = "check_color"))]
    pub light: String,
    /// Colour in dark mode, such as `#346DDB`.
    #[validate(custom(function = "check_color"))]
    pub dark: String,
}

impl ThemedColor {
    fn both(color: &str) -> Self {
        Self { light: color.to_owned(), dark: color.to_owned() }
    }
}

fn check_color(color: &str) -> Result<(), ValidationError> {
    let digits = color.strip_prefix('#').unwrap_or_default();
    if matches!(digits.len(), 3 | 6) && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Ok(());
    }
    Err(text_checks::error("color", "must be a colour such as `#346DDB` or `#fff`"))
}

/// URL for light and dark mode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ThemedUrl {
    /// URL in light mode.
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url)]
    pub light: String,
    /// URL in dark mode.
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url)]
    pub dark: String,
}
