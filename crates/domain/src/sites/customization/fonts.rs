//! Fonts: built-in or custom.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use super::wire_enum;
use crate::bounds::CUSTOMIZATION_LIST_MAX;
use crate::error::field_errors;
use crate::error::path;
use crate::{object_only, text_checks, texts};

wire_enum! {
    /// Built-in font for text.
    DefaultFont {
        Inter = "Inter", AbcFavorit = "ABCFavorit", Roboto = "Roboto", RobotoSlab = "RobotoSlab", OpenSans = "OpenSans",
        SourceSansPro = "SourceSansPro", Lato = "Lato", Ubuntu = "Ubuntu", Raleway = "Raleway", Merriweather = "Merriweather",
        Overpass = "Overpass", NotoSans = "NotoSans", IbmPlexSerif = "IBMPlexSerif", Poppins = "Poppins", FiraSans = "FiraSans",
    }
    /// Built-in font for code.
    DefaultMonospaceFont {
        FiraCode = "FiraCode", IbmPlexMono = "IBMPlexMono", JetBrainsMono = "JetBrainsMono", SourceCodePro = "SourceCodePro",
        RobotoMono = "RobotoMono", SpaceMono = "SpaceMono", DmMono = "DMMono", Inconsolata = "Inconsolata",
    }
    /// Format of a font file.
    FontFormat { Woff2 = "woff2", Woff = "woff" }
}

/// Custom font of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomFont {
    /// Id of the font, chosen by the client.
    #[validate(custom(function = "texts::FontFamily::check"))]
    #[schema(value_type = String)]
    pub id: String,
    /// `true` for a custom font.
    pub custom: bool,
    /// Name of the font family.
    #[validate(custom(function = "texts::FontFamily::check"))]
    #[schema(value_type = String)]
    pub font_family: String,
    /// Font faces, 1 to 100.
    #[serde(deserialize_with = "object_only::bounded::<_, _, 1, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(min_items = 1, max_items = 100)]
    pub font_faces: Vec<FontFace>,
}

/// Font face: one weight of a font.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct FontFace {
    /// Weight, 1 to 1000. 400 is regular.
    #[validate(range(min = 1, max = 1000))]
    pub weight: u16,
    /// Font files, 1 to 100.
    #[serde(deserialize_with = "object_only::bounded::<_, _, 1, { CUSTOMIZATION_LIST_MAX }>")]
    #[validate(nested)]
    #[schema(min_items = 1, max_items = 100)]
    pub sources: Vec<FontSource>,
}

/// Font file.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct FontSource {
    /// URL of the file.
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = String)]
    pub url: String,
    /// Format of the file.
    #[serde(default, deserialize_with = "crate::patch::present")]
    #[schema(nullable = false)]
    pub format: Option<FontFormat>,
}

/// Built-in or custom font.
pub(super) trait Font {
    /// Returns the font if it is custom.
    fn own(&self) -> Option<&CustomFont>;
}

impl<F: Font> Font for &F {
    fn own(&self) -> Option<&CustomFont> {
        (**self).own()
    }
}

/// Declares a choice between built-in fonts and a custom one.
macro_rules! fonts {
    ($($(#[doc = $doc:literal])* $name:ident: $default:ident;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(untagged)]
        pub enum $name {
            /// Built-in font.
            Default($default),
            /// Custom font.
            Custom(CustomFont),
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Default($default::default())
            }
        }

        impl Font for $name {
            fn own(&self) -> Option<&CustomFont> {
                match self {
                    Self::Default(_) => None,
                    Self::Custom(font) => Some(font),
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match Value::deserialize(deserializer)? {
                    value @ Value::Object(_) => part(value).map(Self::Custom).map_err(D::Error::custom),
                    value => part(value).map(Self::Default).map_err(D::Error::custom),
                }
            }
        }
    )*};
}

fonts! {
    /// Font for text.
    CustomizationFont: DefaultFont;
    /// Font for code.
    CustomizationMonospaceFont: DefaultMonospaceFont;
}

/// Reads one of the two forms, so that an error keeps its path.
fn part<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value)
        .map_err(|error| path::with_path(&error.path().to_string(), &error.inner().to_string()))
}

/// Checks a custom font. The message names the failing field.
///
/// # Errors
/// A [`ValidationError`] with the first problem.
pub(super) fn check(font: &impl Font) -> Result<(), ValidationError> {
    let Some(font) = font.own() else { return Ok(()) };
    let Err(errors) = font.validate() else { return Ok(()) };
    let first = field_errors(&errors).into_iter().next();
    let message = first
        .map_or_else(|| "is not a font".to_owned(), |error| format!("`{}` {}", error.field, error.message));
    Err(text_checks::error("font", message))
}
