//! Conversion of the nested layout options in front matter to the options of a page.

use quire_domain::revisions::{CoverMask, CoverSize, LayoutPreset, LayoutWidth, PageLayout, PageLayoutInput};
use serde_json::Value;

/// Returns the layout in front matter: `layout: {title: {visible: false}, cover: {size: full}}`, or a preset's name.
/// Unset options have the values of the preset for documentation.
#[must_use]
pub fn from_front_matter(layout: &Value) -> PageLayout {
    let preset = |preset| PageLayoutInput::Preset(preset).resolve();
    match layout.as_str() {
        Some("landing") => return preset(LayoutPreset::Landing),
        Some("editorial") => return preset(LayoutPreset::Editorial),
        _ => {}
    }
    let defaults = preset(LayoutPreset::Docs);
    let text = |pointer: &str| layout.pointer(pointer).and_then(Value::as_str);
    let visible = |part: &str, default: bool| {
        layout.pointer(&format!("/{part}/visible")).and_then(Value::as_bool).unwrap_or(default)
    };
    PageLayout {
        width: match text("/width") {
            Some("wide") => LayoutWidth::Wide,
            _ => defaults.width,
        },
        cover: visible("cover", defaults.cover),
        cover_size: match text("/cover/size") {
            Some("full") => CoverSize::Full,
            Some("hero") => CoverSize::Hero,
            Some("background") => CoverSize::Background,
            _ => defaults.cover_size,
        },
        cover_mask: match text("/cover/mask") {
            Some("radial") => CoverMask::Radial,
            _ => defaults.cover_mask,
        },
        title: visible("title", defaults.title),
        description: visible("description", defaults.description),
        table_of_contents: visible("tableOfContents", defaults.table_of_contents),
        outline: visible("outline", defaults.outline),
        pagination: visible("pagination", defaults.pagination),
        metadata: visible("metadata", defaults.metadata),
        tags: visible("tags", defaults.tags),
        actions: visible("actions", defaults.actions),
        anchors: visible("anchors", defaults.anchors),
    }
}

/// Parts of a layout that can be shown or hidden.
const PARTS: [&str; 10] = [
    "cover",
    "title",
    "description",
    "tableOfContents",
    "outline",
    "pagination",
    "metadata",
    "tags",
    "actions",
    "anchors",
];

/// Returns the options in front matter that [`from_front_matter`] does not use, as paths: `layout.actions.primary`.
pub(crate) fn unknown(layout: &Value) -> Vec<String> {
    let Some(options) = layout.as_object() else {
        let is_preset = matches!(layout.as_str(), Some("docs" | "landing" | "editorial"));
        return if is_preset { Vec::new() } else { vec!["layout".to_owned()] };
    };
    let mut unknown = Vec::new();
    for (name, value) in options {
        let is_part = PARTS.contains(&name.as_str());
        match value.as_object().filter(|_| is_part) {
            Some(inside) => {
                let is_known = |option: &str, value: &Value| match option {
                    "visible" => value.is_boolean(),
                    "size" => {
                        name == "cover" && matches!(value.as_str(), Some("full" | "hero" | "background"))
                    }
                    "mask" => name == "cover" && matches!(value.as_str(), Some("none" | "radial")),
                    _ => false,
                };
                let left = inside.iter().filter(|(option, value)| !is_known(option, value));
                unknown.extend(left.map(|(option, _)| format!("layout.{name}.{option}")));
            }
            None if name == "width" && matches!(value.as_str(), Some("default" | "wide")) => {}
            None => unknown.push(format!("layout.{name}")),
        }
    }
    unknown
}

#[cfg(test)]
mod tests {
    use quire_domain::revisions::{CoverSize, LayoutWidth};
    use serde_json::json;

    use super::{from_front_matter, unknown};

    #[test]
    fn given_options_are_used_and_the_rest_is_default() {
        let usual = from_front_matter(&json!({}));
        let layout = from_front_matter(
            &json!({"width": "wide", "title": {"visible": false}, "cover": {"size": "full"}}),
        );
        assert!(usual.title && !layout.title);
        assert_eq!((layout.width, layout.cover_size), (LayoutWidth::Wide, CoverSize::Full));
        assert_eq!((layout.outline, layout.pagination), (usual.outline, usual.pagination));
    }

    #[test]
    fn options_without_an_effect_are_named() {
        let layout = json!({
            "width": "wide",
            "cover": {"visible": true, "size": "hero", "mask": "none", "height": 3},
            "title": {"visible": "no"},
            "actions": {"visible": true, "primary": true},
            "anchors": {"visible": false},
            "sidebar": {"visible": true},
            "outline": false,
        });
        let mut named = unknown(&layout);
        named.sort();
        let expected = ["actions.primary", "cover.height", "outline", "sidebar", "title.visible"]
            .map(|n| format!("layout.{n}"));
        assert_eq!(named, expected);
        assert_eq!(unknown(&json!("landing")), Vec::<String>::new());
        assert_eq!(unknown(&json!("post")), ["layout"]);
    }
}
