//! Classification of inline elements.

use crate::document::{COLORS, ContentRef, InlineKind, InlineNode, Mark};
use crate::html::address;
use crate::html::color::{of_background, of_text};
use crate::markdown::{HrefKind, RefResolver};
use crate::markdown_html::Element;
use serde_json::{Value, json};

/// Elements without a node of their own, which are replaced by their content.
pub(super) const TRANSPARENT: [&str; 18] = [
    "span", "font", "small", "big", "u", "ins", "abbr", "cite", "dfn", "time", "var", "samp", "label", "bdi",
    "bdo", "wbr", "nobr", "button",
];

/// Elements that are marks or nodes.
const MEANINGFUL: [&str; 19] = [
    "strong", "b", "em", "i", "del", "s", "strike", "code", "tt", "kbd", "sup", "sub", "mark", "a", "img",
    "br", "q", "picture", "source",
];

/// Returns whether this is the name of a known inline element.
pub(crate) fn is_inline_element(name: &str) -> bool {
    TRANSPARENT.contains(&name) || MEANINGFUL.contains(&name)
}

/// Returns the reference of an address, by default the address itself. `None` for a disallowed address.
pub(crate) fn resolve(refs: &dyn RefResolver, href: &str, kind: HrefKind) -> Option<ContentRef> {
    refs.resolve(href, kind).or_else(|| written(refs, href))
}

/// Returns an address as a URL reference, unless it is disallowed.
fn written(refs: &dyn RefResolver, href: &str) -> Option<ContentRef> {
    let kept = address::runs_no_script(href).then(|| ContentRef::url(href));
    if kept.is_none() {
        refs.refused(href);
    }
    kept
}

/// Returns the reference of an image, which must be a file or a URL. `None` for a disallowed address.
pub(crate) fn image_ref(refs: &dyn RefResolver, src: &str) -> Option<ContentRef> {
    let found = refs.resolve(src, HrefKind::Image).filter(|found| matches!(found, ContentRef::File { .. }));
    found.or_else(|| written(refs, src))
}

/// Returns the node of an element whose text is a property.
pub(super) fn captured(refs: &dyn RefResolver, element: &Element) -> Option<InlineNode> {
    match element.name.as_str() {
        "i" => {
            let icon = element.get("class")?.split_whitespace().find_map(|word| word.strip_prefix("fa-"))?;
            Some(InlineNode::new(InlineKind::Icon).with("icon", icon))
        }
        "code" if element.has_class("expression") => Some(InlineNode::new(InlineKind::Expression)),
        "span" if element.has_class("math") => Some(InlineNode::new(InlineKind::InlineMath)),
        "span" if element.get("data-tag") == Some("emoji") => {
            Some(InlineNode::new(InlineKind::Emoji).with("code", element.get("data-code")?))
        }
        "a" if element.has_class("button") => {
            let reference = resolve(refs, element.get("href").unwrap_or_default(), HrefKind::Link)?;
            let kind = if element.has_class("secondary") { "secondary" } else { "primary" };
            let mut node =
                InlineNode::new(InlineKind::Button).with("ref", reference.to_value()).with("kind", kind);
            if let Some(icon) = element.get("data-icon") {
                node.data.insert("icon".to_owned(), icon.into());
            }
            Some(node)
        }
        "button" => {
            let action = action(element)?;
            let kind = if element.has_class("secondary") { "secondary" } else { "primary" };
            let mut node = InlineNode::new(InlineKind::Button).with("action", action).with("kind", kind);
            if let Some(icon) = element.get("data-icon") {
                node.data.insert("icon".to_owned(), icon.into());
            }
            Some(node)
        }
        _ => None,
    }
}

/// Returns the action of a button from its attributes.
fn action(element: &Element) -> Option<Value> {
    let name = element.get("data-action")?;
    let of = |part: &str, attribute: &str| match element.get(attribute) {
        Some(value) => json!({"action": name, part: value}),
        None => json!({"action": name}),
    };
    match name {
        "ask" | "search" => Some(of("query", "data-query")),
        "select" => element.has("data-slug").then(|| of("slug", "data-slug")),
        _ => None,
    }
}

/// Returns the mark of an element.
pub(super) fn mark_of(element: &Element) -> Option<Mark> {
    match element.name.as_str() {
        "strong" | "b" => Some(Mark::Bold),
        "em" | "i" => Some(Mark::Italic),
        "del" | "s" | "strike" => Some(Mark::Strikethrough),
        "code" | "tt" => Some(Mark::Code),
        "kbd" => Some(Mark::Keyboard),
        "sup" => Some(Mark::Superscript),
        "sub" => Some(Mark::Subscript),
        "mark" => Some(color(element.get("style").unwrap_or_default())),
        _ => None,
    }
}

/// Returns the colors of `color:red;background-color:blue;`. Known names are kept, other colors become the nearest
/// known one. A plain `<mark>` is a highlighter.
fn color(style: &str) -> Mark {
    let property = |wanted: &str, nearest: fn(&str) -> &'static str| {
        let values = style.split(';').filter_map(|rule| rule.split_once(':'));
        let value = values.into_iter().find(|(name, _)| name.trim() == wanted).map(|(_, value)| value.trim());
        let known = |value: &str| COLORS.into_iter().find(|name| *name == value);
        value.filter(|value| !value.is_empty()).map(|value| known(value).unwrap_or_else(|| nearest(value)))
    };
    let (text, background) = (property("color", of_text), property("background-color", of_background));
    let (text, background) = match (text, background) {
        (None, None) => ("default", "yellow"),
        (text, background) => (text.unwrap_or("default"), background.unwrap_or("default")),
    };
    Mark::Color { text: text.to_owned(), background: background.to_owned() }
}
