//! Presentation of a page: layout and cover.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::ValidationError;

use crate::bounds::URL_MAX;
use crate::described::ContentRef;
use crate::patch::Patch;
use crate::text_checks;

/// Visible parts of a page. Keys that are absent in a request have their defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PageLayout {
    /// Width of the text.
    pub width: LayoutWidth,
    /// `true` to show the cover.
    pub cover: bool,
    /// Size of the cover.
    pub cover_size: CoverSize,
    /// Mask of the cover.
    pub cover_mask: CoverMask,
    /// `true` to show the title.
    pub title: bool,
    /// `true` to show the description.
    pub description: bool,
    /// `true` to show the table of contents of the space.
    pub table_of_contents: bool,
    /// `true` to show the outline: the headings of the page.
    pub outline: bool,
    /// `true` to show links to the previous and next page.
    pub pagination: bool,
    /// `true` to show the time of the last change.
    pub metadata: bool,
    /// `true` to show the tags of the page.
    pub tags: bool,
    /// `true` to show the actions of the page, such as copying it.
    pub actions: bool,
    /// `true` to show links to the headings and other anchors of the page.
    pub anchors: bool,
}

impl Default for PageLayout {
    fn default() -> Self {
        Self {
            width: LayoutWidth::Default,
            cover: true,
            cover_size: CoverSize::Hero,
            cover_mask: CoverMask::None,
            title: true,
            description: true,
            table_of_contents: true,
            outline: true,
            pagination: true,
            metadata: true,
            tags: true,
            actions: true,
            anchors: true,
        }
    }
}

/// Width of the text of a page.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LayoutWidth {
    /// Readable line length.
    #[default]
    Default,
    /// Width of the window.
    Wide,
}

/// Size of a cover.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CoverSize {
    /// Width of the text.
    #[default]
    Hero,
    /// Width of the window.
    Full,
    /// Behind the title.
    Background,
}

/// Mask of a cover.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CoverMask {
    /// The whole image.
    #[default]
    None,
    /// The image fades out towards its edges.
    Radial,
}

/// Layout in a request: the name of a preset, or an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum PageLayoutInput {
    /// Preset.
    Preset(LayoutPreset),
    /// Object with the parts.
    Options(PageLayout),
}

/// Layout preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LayoutPreset {
    /// All parts. This is the default.
    Docs,
    /// Article: no outline.
    Editorial,
    /// Landing page: wide, without table of contents, outline, pagination and metadata.
    Landing,
}

/// By hand, because errors of an untagged enum do not name the problem.
impl<'de> Deserialize<'de> for PageLayoutInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Layout;

        impl<'de> Visitor<'de> for Layout {
            type Value = PageLayoutInput;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a layout, or an object with its parts")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<PageLayoutInput, E> {
                LayoutPreset::deserialize(name.into_deserializer()).map(PageLayoutInput::Preset)
            }

            fn visit_map<A: MapAccess<'de>>(self, parts: A) -> Result<PageLayoutInput, A::Error> {
                PageLayout::deserialize(MapAccessDeserializer::new(parts)).map(PageLayoutInput::Options)
            }
        }

        deserializer.deserialize_any(Layout)
    }
}

impl PageLayoutInput {
    /// Returns the layout.
    pub fn resolve(self) -> PageLayout {
        match self {
            Self::Options(layout) => layout,
            Self::Preset(LayoutPreset::Docs) => PageLayout::default(),
            Self::Preset(LayoutPreset::Editorial) => PageLayout { outline: false, ..PageLayout::default() },
            Self::Preset(LayoutPreset::Landing) => PageLayout {
                width: LayoutWidth::Wide,
                cover_size: CoverSize::Full,
                table_of_contents: false,
                outline: false,
                pagination: false,
                metadata: false,
                ..PageLayout::default()
            },
        }
    }
}

/// Cover image of a page.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, expecting = "an object with `ref`")]
pub struct PageCover {
    /// Reference to a file or URL.
    #[serde(rename = "ref")]
    #[schema(value_type = ContentRef, nullable = false, required = false)]
    pub reference: Option<Value>,
    /// Reference to the image for dark mode.
    #[schema(value_type = ContentRef, nullable = false, required = false)]
    pub ref_dark: Option<Value>,
    /// Vertical offset of the image.
    pub y_pos: f64,
}

/// Checks that a cover's references are objects without NUL.
///
/// # Errors
/// A [`ValidationError`] otherwise.
pub(crate) fn check_cover(cover: &Patch<PageCover>) -> Result<(), ValidationError> {
    let Some(cover) = cover.set() else { return Ok(()) };
    [&cover.reference, &cover.ref_dark].into_iter().flatten().try_for_each(check_reference)
}

/// Checks that a content reference is an object with a `kind`, without NUL, and without a URL that can run code. Its
/// values have at most [`URL_MAX`] characters, because each list of pages contains them.
///
/// # Errors
/// A [`ValidationError`] otherwise.
pub(crate) fn check_reference(reference: &Value) -> Result<(), ValidationError> {
    text_checks::json::<8>(reference)?;
    if !reference.get("kind").is_some_and(Value::is_string) {
        return Err(text_checks::error("reference", "must be a content reference: an object with a `kind`"));
    }
    let texts = reference.as_object().into_iter().flat_map(Map::values).filter_map(Value::as_str);
    for text in texts {
        text_checks::check::<0, URL_MAX>(text)?;
    }
    reference.get("url").and_then(Value::as_str).map_or(Ok(()), crate::urls::address)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_run_nothing() {
        for good in ["https://a.example/", "/pricing", "#part", "mailto:ada@example.com", "a.md?x=y:z", ""] {
            assert!(check_reference(&json!({"kind": "url", "url": good})).is_ok(), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            " java\nscript:alert(1)",
            "JavaScript:x",
            "vbscript:x",
            "data:text/html,x",
        ] {
            assert!(check_reference(&json!({"kind": "url", "url": bad})).is_err(), "{bad}");
        }
        assert!(check_reference(&json!({"url": "/a"})).is_err());
    }

    #[test]
    fn references_are_bounded() {
        let longest = "a".repeat(2048);
        for (kind, key) in [("url", "url"), ("anchor", "anchor"), ("page", "page")] {
            assert!(check_reference(&json!({"kind": kind, key: longest})).is_ok(), "{kind}");
            let refused = check_reference(&json!({"kind": kind, key: format!("{longest}a")})).unwrap_err();
            assert_eq!(refused.message.unwrap(), "must have at most 2048 characters, has 2049", "{kind}");
        }
    }

    #[test]
    fn presets_and_parts_become_whole_layouts() {
        let read =
            |json: Value| serde_json::from_value::<PageLayoutInput>(json).map(PageLayoutInput::resolve);
        assert_eq!(read(json!("docs")).unwrap(), PageLayout::default());
        assert!(!read(json!("landing")).unwrap().table_of_contents);
        let partial = read(json!({"title": false})).unwrap();
        assert_eq!(partial, PageLayout { title: false, ..PageLayout::default() });
        assert!(read(json!("poster")).is_err());
        assert!(read(json!({"title": "no"})).is_err());
    }
}
