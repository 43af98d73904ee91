//! The layout that front matter writes, as a page's.

use quire_domain::revisions::{CoverSize, LayoutWidth, PageLayout};
use serde_json::Value;

/// Reads a layout in the form that Markdown files of this family have: each part is `{visible: true}`, or `true` for short.
/// What it doesn't say, or says in a way that isn't understood, is as usual.
#[must_use]
pub fn of_front_matter(written: &Value) -> PageLayout {
    let usual = PageLayout::default();
    let shows = |part: &str, usual: bool| written.get(part).and_then(is_shown).unwrap_or(usual);
    let word = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let size = word(written.pointer("/cover/size")).or_else(|| word(written.get("coverSize")));
    PageLayout {
        width: match word(written.get("width")).as_deref() {
            Some("wide") => LayoutWidth::Wide,
            _ => LayoutWidth::Default,
        },
        cover: shows("cover", usual.cover),
        cover_size: match size.as_deref() {
            Some("full") => CoverSize::Full,
            _ => CoverSize::Hero,
        },
        title: shows("title", usual.title),
        description: shows("description", usual.description),
        table_of_contents: shows("tableOfContents", usual.table_of_contents),
        outline: shows("outline", usual.outline),
        pagination: shows("pagination", usual.pagination),
        metadata: shows("metadata", usual.metadata),
    }
}

fn is_shown(part: &Value) -> Option<bool> {
    match part {
        Value::Bool(shown) => Some(*shown),
        Value::String(word) => word.parse().ok(),
        Value::Object(settings) => settings.get("visible").and_then(is_shown),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parts_are_shown_unless_it_says_otherwise() {
        assert_eq!(of_front_matter(&json!({})), PageLayout::default());
        let written = json!({
            "width": "wide",
            "title": {"visible": false},
            "outline": false,
            "cover": {"visible": true, "size": "full"},
            "pagination": "perhaps",
        });
        let expected = PageLayout {
            width: LayoutWidth::Wide,
            title: false,
            outline: false,
            cover_size: CoverSize::Full,
            ..PageLayout::default()
        };
        assert_eq!(of_front_matter(&written), expected);
    }
}
