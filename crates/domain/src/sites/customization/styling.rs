//! Colours, shapes and fonts.

use serde::{Deserialize, Serialize};

use super::words;
use super::{CustomizationFont, CustomizationMonospaceFont};
use crate::features::{ToSchema, Validate, ValidationError};
use crate::{strict, text, texts};

/// Colours, shapes and fonts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomizationStyling {
    /// How strong colours are.
    #[schema(required = false)]
    pub theme: CustomizationTheme,
    /// The colour of what matters most.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub primary_color: ThemedColor,
    /// The colour that everything else is tinted with.
    #[serde(deserialize_with = "strict::present", skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    #[schema(nullable = false)]
    pub tint: Option<CustomizationTint>,
    /// The colour of information.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub info_color: ThemedColor,
    /// The colour of success.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub success_color: ThemedColor,
    /// The colour of warnings.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub warning_color: ThemedColor,
    /// The colour of danger.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    #[schema(required = false)]
    pub danger_color: ThemedColor,
    /// How round corners are.
    #[schema(required = false)]
    pub corners: CustomizationCorners,
    /// Whether things cast shadows.
    #[schema(required = false)]
    pub depth: CustomizationDepth,
    /// How links look.
    #[schema(required = false)]
    pub links: CustomizationLinksStyle,
    /// The font of texts.
    #[validate(custom(function = "super::fonts::check"))]
    #[schema(required = false)]
    pub font: CustomizationFont,
    /// The font of code.
    #[validate(custom(function = "super::fonts::check"))]
    #[schema(required = false)]
    pub monospace_font: CustomizationMonospaceFont,
    /// Deprecated: whether the background is tinted.
    #[schema(required = false)]
    pub background: CustomizationBackground,
    /// How icons look.
    #[schema(required = false)]
    pub icons: CustomizationIconsStyle,
    /// How the table of contents looks.
    #[serde(deserialize_with = "strict::object")]
    #[schema(required = false)]
    pub sidebar: CustomizationSidebar,
    /// How the search field looks.
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
            monospace_font: CustomizationMonospaceFont::default(),
            background: CustomizationBackground::default(),
            icons: CustomizationIconsStyle::default(),
            sidebar: CustomizationSidebar::default(),
            search: CustomizationSearchStyle::default(),
        }
    }
}

words! {
    /// How strong colours are.
    CustomizationTheme { Clean = "clean", Muted = "muted", Bold = "bold", Gradient = "gradient" }
    /// How round corners are.
    CustomizationCorners { Rounded = "rounded", Straight = "straight", Circular = "circular" }
    /// Whether things cast shadows.
    CustomizationDepth { Subtle = "subtle", Flat = "flat" }
    /// How links look.
    CustomizationLinksStyle { Default = "default", Accent = "accent" }
    /// Whether the background is tinted.
    CustomizationBackground { Plain = "plain", Match = "match" }
    /// How icons look.
    CustomizationIconsStyle {
        Regular = "regular", Solid = "solid", Duotone = "duotone", Light = "light", Thin = "thin",
    }
    /// How the background of the table of contents looks.
    CustomizationSidebarBackground { Default = "default", Filled = "filled" }
    /// How the entries of the table of contents look.
    CustomizationSidebarList { Default = "default", Pill = "pill", Line = "line" }
    /// How the search field looks.
    CustomizationSearchStyle { Prominent = "prominent", Subtle = "subtle" }
}

/// How the table of contents looks.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CustomizationSidebar {
    /// Its background.
    #[schema(required = false)]
    pub background: CustomizationSidebarBackground,
    /// Its entries.
    #[schema(required = false)]
    pub list: CustomizationSidebarList,
}

/// The colour that everything else is tinted with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct CustomizationTint {
    /// The colour.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    pub color: ThemedColor,
}

/// A colour in the light and in the dark, as `#rgb` or `#rrggbb`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ThemedColor {
    /// In the light.
    #[validate(custom(function = "check_color"))]
    pub light: String,
    /// In the dark.
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
    Err(text::error("color", "must be a colour such as `#346DDB` or `#fff`"))
}

/// An address in the light and in the dark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ThemedUrl {
    /// In the light.
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url)]
    pub light: String,
    /// In the dark.
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url)]
    pub dark: String,
}
