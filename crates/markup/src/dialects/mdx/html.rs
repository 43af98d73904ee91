//! HTML elements in MDX, where content is Markdown and attributes may be expressions.

use super::components::Shape;
use super::listings::listing;
use super::render::Renderer;
use super::syntax::{Tag, Value};
use super::tree::{Element, Node};
use crate::markdown::{escaped, unescaped};
pub(super) use crate::markdown_html::escape;

/// Elements for layout or style only.
const LAYOUT: [&str; 35] = [
    "div", "section", "center", "article", "header", "footer", "main", "nav", "aside", "address", "hgroup",
    "p", "span", "font", "small", "big", "u", "ins", "abbr", "cite", "dfn", "time", "var", "samp", "label",
    "bdi", "bdo", "wbr", "nobr", "form", "fieldset", "legend", "dialog", "object", "menu",
];

/// Elements that Markdown accepts in a line.
const INLINE: [&str; 15] =
    ["strong", "b", "em", "i", "del", "s", "strike", "code", "tt", "kbd", "sup", "sub", "mark", "q", "br"];

/// Elements whose content is not text.
const WITHOUT_TEXT: [&str; 9] =
    ["script", "style", "svg", "noscript", "template", "canvas", "link", "meta", "map"];

/// Attributes that are kept.
const ATTRIBUTES: [&str; 14] = [
    "id", "name", "href", "src", "srcset", "media", "alt", "title", "width", "height", "start", "colspan",
    "rowspan", "align",
];

pub(super) fn shape(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let tag = &element.tag;
    let name = tag.name.to_ascii_lowercase();
    match name.as_str() {
        "script" | "style" => {
            renderer.left.add(&format!("<{name}>"));
            Shape::Nothing
        }
        "template" if tag.is_slot() => Shape::Content,
        "svg" | "canvas" | "template" | "noscript" | "map" => {
            renderer.left.add(&format!("<{name}>"));
            Shape::Nothing
        }
        name if WITHOUT_TEXT.contains(&name) => Shape::Nothing,
        "img" => match source(element, renderer) {
            Some(source) => {
                let image = image(&source, &tag.get("alt").unwrap_or_default(), tag);
                line(element, image)
            }
            None => Shape::Nothing,
        },
        "picture" => line(element, compact(element, renderer)),
        "a" if tag.first(&["href", "to"]).is_some() => anchor(element, renderer),
        "a" | "span" if tag.first(&["id", "name"]).is_some() => {
            let id = tag.first(&["id", "name"]).unwrap_or_default();
            let words = renderer.line(element);
            line(element, format!("<a id=\"{}\"></a>{words}", escape(&id)))
        }
        "a" => Shape::Content,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            let rank = name.trim_start_matches('h').parse().unwrap_or(2);
            let id = tag.first(&["id"]).map(|id| format!(" {{#{id}}}")).unwrap_or_default();
            let words = renderer.line(element);
            Shape::Block(format!("{} {}{id}", "#".repeat(rank), words.trim()))
        }
        "hr" => Shape::Block("---".to_owned()),
        "pre" => {
            let id =
                tag.get("id").map(|id| format!("<a id=\"{}\"></a>\n\n", escape(&id))).unwrap_or_default();
            Shape::Block(format!("{id}{}", preformatted(element, renderer)))
        }
        "details" => Shape::Block(details(element, renderer)),
        "summary" => Shape::Content,
        "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" | "caption" | "ul" | "ol" | "li"
        | "blockquote" | "figure" => structure(&name, element, renderer),
        "figcaption" if renderer.figures > 0 => structure(&name, element, renderer),
        "figcaption" => Shape::Content,
        "dl" => Shape::Content,
        "dt" => Shape::Block(format!("**{}**", renderer.line(element).trim())),
        "dd" => {
            let content = renderer.content(element);
            Shape::Block(content)
        }
        "iframe" | "video" | "audio" | "embed" => media(element, renderer),
        "source" | "track" | "colgroup" | "col" => Shape::Inline(open(tag)),
        "input" => Shape::Nothing,
        "button" | "select" | "option" | "textarea" => Shape::Content,
        "code" if element.children.iter().all(|node| matches!(node, Node::Text(_))) => {
            Shape::Inline(inline_code(element, renderer))
        }
        // Alone on its line, it would begin an HTML block that contains the next line.
        "br" if element.is_block() => Shape::Nothing,
        "br" => Shape::Inline("<br>".to_owned()),
        name if INLINE.contains(&name) => {
            // A badge of Vue's documentation has its words in an attribute.
            let badge = tag.first(&["data-text"]).map(|text| escaped(&text));
            let words = badge.unwrap_or_else(|| renderer.line(element));
            Shape::Inline(if words.is_empty() { String::new() } else { format!("<{name}>{words}</{name}>") })
        }
        name if LAYOUT.contains(&name) => paragraph(element, renderer),
        name => {
            renderer.left.add(&format!("<{name}>"));
            Shape::Content
        }
    }
}

/// Returns the shape of a wrapper. A wrapper with an id becomes a target of links.
fn paragraph(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let Some(id) = element.tag.get("id").filter(|id| !id.is_empty()) else { return Shape::Content };
    let anchor = format!("<a id=\"{}\"></a>", escape(&id));
    if element.is_block() {
        return Shape::Block(format!("{anchor}\n\n{}", renderer.content(element)));
    }
    let text = renderer.nodes(&element.children);
    if text.trim().contains("\n\n") {
        Shape::Block(format!("{anchor}\n\n{text}"))
    } else {
        Shape::Inline(format!("{anchor}{text}"))
    }
}

/// Returns the shape of inline content, which is a block if it is alone on its line.
pub(super) fn line(element: &Element<'_>, text: String) -> Shape {
    if element.is_block() { Shape::Block(text) } else { Shape::Inline(text) }
}

/// Returns an image.
pub(super) fn image(source: &str, alt: &str, tag: &Tag<'_>) -> String {
    let mut out = format!("<img src=\"{}\"", escape(source));
    if !alt.is_empty() {
        out.push_str(&format!(" alt=\"{}\"", escape(alt)));
    }
    for name in ["title", "width", "height", "data-size"] {
        if let Some(value) = tag.get(name).filter(|value| !value.is_empty()) {
            out.push_str(&format!(" {name}=\"{}\"", escape(&value)));
        }
    }
    out.push('>');
    out
}

fn source(element: &Element<'_>, renderer: &Renderer<'_>) -> Option<String> {
    let named = || match element.tag.value("src")? {
        Value::Expression(inside) => {
            let name = inside.trim().trim_end_matches(".src").trim_end_matches(".default");
            renderer.module.constant(name)
        }
        Value::Text(_) => None,
    };
    element.tag.first(&["src", "data-src"]).or_else(named)
}

fn anchor(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let href = element.tag.first(&["href", "to"]).unwrap_or_default();
    let words = renderer.line(element);
    if words.trim().is_empty() {
        return Shape::Nothing;
    }
    line(element, format!("<a href=\"{}\">{words}</a>", escape(&href)))
}

/// Returns an element with its children in one line.
fn compact(element: &Element<'_>, renderer: &mut Renderer<'_>) -> String {
    let words = renderer.line(element);
    format!("{}{}</{}>", open(&element.tag), words.trim(), element.tag.name)
}

/// Returns a start tag with the attributes that are kept.
fn open(tag: &Tag<'_>) -> String {
    let mut out = format!("<{}", tag.name.to_ascii_lowercase());
    for name in ATTRIBUTES {
        let value = tag.get(name).or_else(|| match name {
            "colspan" => tag.get("colSpan"),
            "rowspan" => tag.get("rowSpan"),
            "srcset" => tag.get("srcSet"),
            _ => None,
        });
        if let Some(value) = value {
            out.push_str(&format!(" {name}=\"{}\"", escape(&value)));
        }
    }
    out.push('>');
    out
}

/// Returns a part of a table or list. If its content has Markdown syntax, it is separated by empty lines.
fn structure(name: &str, element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    if name == "figure" && has_listing(element) {
        return Shape::Block(listing_with_caption(element, renderer));
    }
    renderer.figures += usize::from(name == "figure");
    let content = renderer.content(element);
    renderer.figures -= usize::from(name == "figure");
    let content = content.trim();
    if name == "figure" {
        // Markdown image syntax inside an HTML element would be text.
        let content = super::super::inline::images(content);
        return Shape::Block(format!("{}\n{content}\n</figure>", open(&element.tag)));
    }
    let is_part = matches!(name, "td" | "th" | "li" | "blockquote" | "caption" | "figcaption");
    let is_plain = !content.contains(['*', '_', '`', '[', '{', '\n', '<', '~', '$', '#', '|', '&', '\\']);
    let open = open(&element.tag);
    Shape::Block(if is_part && !is_plain {
        format!("{open}\n\n{content}\n\n</{name}>")
    } else if is_part {
        format!("{open}{content}</{name}>")
    } else {
        format!("{open}\n{content}\n</{name}>")
    })
}

fn has_listing(element: &Element<'_>) -> bool {
    element.children.iter().any(|node| match node {
        Node::Code(_) => true,
        Node::Element(inner) => has_listing(inner),
        Node::Text(_) => false,
    })
}

/// Returns the content of a figure with a listing, and its caption as a paragraph. The listing would end a `<figure>`.
fn listing_with_caption(element: &Element<'_>, renderer: &mut Renderer<'_>) -> String {
    let caption = |node: &Node<'_>| matches!(node, Node::Element(inner) if inner.tag.name == "figcaption");
    let mut captions = element.children.iter().filter(|node| caption(node));
    let mut text = String::new();
    for part in element.children.split(caption) {
        text.push_str(&renderer.nodes(part));
        if let Some(Node::Element(caption)) = captions.next() {
            text.push_str(&format!("\n\n{}\n\n", renderer.content(caption)));
        }
    }
    super::margins::without_indent(&text).trim_matches('\n').to_owned()
}

fn details(element: &Element<'_>, renderer: &mut Renderer<'_>) -> String {
    let mut title = None;
    let mut content = Vec::new();
    for node in &element.children {
        match node {
            Node::Element(summary) if summary.tag.name == "summary" && title.is_none() => {
                title = Some(renderer.line(summary));
            }
            node => content.push(node),
        }
    }
    let rest = super::margins::without_indent(&renderer.nodes(content));
    let title = inline(title.as_deref().unwrap_or("Details"));
    let details = super::super::callout::details(&title, element.tag.has("open"), rest.trim_matches('\n'));
    match element.tag.get("id").filter(|id| !id.is_empty()) {
        Some(id) => format!("<a id=\"{}\"></a>\n\n{details}", escape(&id)),
        None => details,
    }
}

/// A listing. Its text may be in a `<code>` element.
fn preformatted(element: &Element<'_>, renderer: &mut Renderer<'_>) -> String {
    let mut language = String::new();
    let mut text = String::new();
    for node in &element.children {
        match node {
            Node::Text(inside) | Node::Code(inside) => text.push_str(inside),
            Node::Element(code) => {
                if let Some(class) = code.tag.first(&["className", "class"]) {
                    language = class.trim_start_matches("language-").to_owned();
                }
                text.push_str(&renderer.nodes(&code.children));
            }
        }
    }
    listing(&language, None, &unescaped(&text))
}

fn inline_code(element: &Element<'_>, renderer: &mut Renderer<'_>) -> String {
    let text = unescaped(renderer.line(element).trim());
    if text.is_empty() {
        return text;
    }
    let code = crate::markdown_html::decode(&text);
    if code.contains('|') {
        // A bar would end the table cell, even in code.
        let character =
            |c: char| if c.is_ascii_punctuation() { format!("&#{};", u32::from(c)) } else { c.into() };
        return format!("<code>{}</code>", code.chars().map(character).collect::<String>());
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let marks = "`".repeat(longest + 1);
    let edge = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{marks}{edge}{code}{edge}{marks}")
}

/// A frame, a film or a sound, in the form that Markdown reads.
pub(super) fn media(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let own = source(element, renderer);
    let inner = || {
        element.children.iter().find_map(|node| match node {
            Node::Element(inner) if inner.tag.name == "source" => inner.tag.first(&["src"]),
            _ => None,
        })
    };
    let Some(address) = own.or_else(inner) else { return Shape::Nothing };
    let name = if element.tag.name == "iframe" { "iframe" } else { "video" };
    let tag = format!("<{name} src=\"{}\"></{name}>", escape(&address));
    line(element, tag)
}

/// Returns the inline Markdown of a title as HTML: code, strong and emphasized words, links.
pub(super) fn inline(markdown: &str) -> String {
    super::super::inline::html(markdown)
}
