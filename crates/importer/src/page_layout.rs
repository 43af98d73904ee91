//! Converts the nested layout options of front matter to the options of a page.

use quire_domain::revisions::{CoverMask, CoverSize, LayoutPreset, LayoutWidth, PageLayout, PageLayoutInput};
use serde_json::Value;

/// Returns the layout in front matter: `layout: {title: {visible: false}, cover: {size: full}}`, or a preset's name.
/// Other options are those of the preset for documentation.
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

#[cfg(test)]
mod tests {
    use quire_domain::revisions::{CoverSize, LayoutWidth};
    use serde_json::json;

    use super::from_front_matter;

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
}
