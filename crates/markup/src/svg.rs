//! SVG sanitizer: removes scripts, event handlers and references to external resources. Links with allowed schemes are
//! kept.

use crate::html::address;
use crate::limits::svg::MAX_XML_NODES;
use roxmltree::{Attribute, Document, Node, ParsingOptions};

/// Error in an SVG image.
#[derive(Debug, thiserror::Error)]
pub enum SvgError {
    /// The image is not well-formed XML, or declares entities.
    #[error("it is not well-formed XML, or declares entities")]
    Xml(#[source] roxmltree::Error),
    /// The root element is not `svg`.
    #[error("it is not an SVG drawing")]
    NotSvg,
}

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// Drawing elements only (SVG 2, appendix F); not `script`, `foreignObject`, `handler`, `audio`, ….
const ELEMENTS: [&str; 68] = [
    "svg",
    "g",
    "defs",
    "symbol",
    "use",
    "title",
    "desc",
    "metadata",
    "a",
    "switch",
    "view",
    "style",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "textPath",
    "tref",
    "image",
    "marker",
    "pattern",
    "mask",
    "clipPath",
    "linearGradient",
    "radialGradient",
    "stop",
    "filter",
    "animate",
    "animateTransform",
    "animateMotion",
    "mpath",
    "set",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "font",
    "font-face",
    "glyph",
    "missing-glyph",
    "hkern",
    "cursor",
];

/// Returns a copy of an SVG image with its drawing content only: known elements and attributes, references to its own
/// parts, embedded raster images. Links to the web are kept.
///
/// ```
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>x()</script><path d="M0 0"/></svg>"#;
/// let safe = quire_markup::svg::sanitize(svg).unwrap();
/// assert_eq!(safe, r#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>"#);
/// ```
///
/// # Errors
/// [`SvgError`] if the text is not an SVG image, or cannot be parsed safely.
pub fn sanitize(svg: &str) -> Result<String, SvgError> {
    let svg = without_doctype(svg.trim_start_matches('\u{feff}'));
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MAX_XML_NODES, ..ParsingOptions::default() };
    if !crate::docx::is_within_xml_limits(&svg) {
        return Err(SvgError::Xml(roxmltree::Error::AttributesLimitReached));
    }
    let document = Document::parse_with_options(&svg, options).map_err(SvgError::Xml)?;
    let root = document.root_element();
    if !is_drawn(root) || root.tag_name().name() != "svg" {
        return Err(SvgError::NotSvg);
    }
    let mut out = String::with_capacity(svg.len());
    let mut steps = vec![Step::Open(root)];
    while let Some(step) = steps.pop() {
        match step {
            // The element is empty.
            Step::Close(_, start) if out.len() == start => {
                out.pop();
                out.push_str("/>");
            }
            Step::Close(name, _) => out.push_str(&format!("</{name}>")),
            Step::Open(node) if node.is_text() => {
                out.push_str(&escape(node.text().unwrap_or_default(), false))
            }
            Step::Open(node) if is_drawn(node) => open(node, node == root, &mut out, &mut steps),
            Step::Open(_) => {}
        }
    }
    // The namespace is only declared if it is used, so that sanitizing is idempotent.
    if out.contains(" xlink:") {
        let root = format!("<svg xmlns=\"{SVG}\"");
        out = out.replacen(&root, &format!("{root} xmlns:xlink=\"{XLINK}\""), 1);
    }
    Ok(out)
}

enum Step<'a, 'i> {
    Open(Node<'a, 'i>),
    /// End of an element, and the output length at the start of its content.
    Close(&'i str, usize),
}

/// Removes the document type declaration that most programs write. One with declarations inside is kept, and then
/// refused by the parser.
fn without_doctype(svg: &str) -> std::borrow::Cow<'_, str> {
    let start = svg.find("<!DOCTYPE").filter(|start| !svg.get(..*start).unwrap_or_default().contains("<svg"));
    let declared = start.and_then(|start| Some((start, start + svg.get(start..)?.find('>')?)));
    match declared {
        Some((start, end)) if !svg.get(start..end).is_some_and(|doctype| doctype.contains('[')) => {
            let (before, after) =
                (svg.get(..start).unwrap_or_default(), svg.get(end + 1..).unwrap_or_default());
            format!("{before}{after}").into()
        }
        _ => svg.into(),
    }
}

fn is_drawn(node: Node<'_, '_>) -> bool {
    let name = node.tag_name();
    let is_known =
        node.is_element() && name.namespace().is_none_or(|ns| ns == SVG) && ELEMENTS.contains(&name.name());
    // An animation must not change an address or a handler.
    let animated = node.attribute("attributeName").unwrap_or_default().to_ascii_lowercase();
    // Style rules contain no elements. Checking this first avoids searching nested elements again at each level.
    let is_plain = || !node.children().any(|child| child.is_element());
    let is_safe = name.name() != "style" || (is_plain() && is_safe_style(&all_text(node)));
    is_known && is_safe && !animated.ends_with("href") && !animated.starts_with("on")
}

/// Returns all text in a node. Comments, which split it into several pieces, are left out.
fn all_text(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|text| text.text()).collect()
}

fn open<'a, 'i>(node: Node<'a, 'i>, is_root: bool, out: &mut String, steps: &mut Vec<Step<'a, 'i>>) {
    let name = node.tag_name().name();
    out.push('<');
    out.push_str(name);
    if is_root {
        out.push_str(&format!(" xmlns=\"{SVG}\""));
    }
    for attribute in node.attributes() {
        if let Some(name) = kept(name, &attribute) {
            out.push_str(&format!(" {name}=\"{}\"", escape(attribute.value(), true)));
        }
    }
    if node.has_children() {
        out.push('>');
        steps.push(Step::Close(name, out.len()));
        let children: Vec<Node<'a, 'i>> = node.children().collect();
        steps.extend(children.into_iter().rev().map(Step::Open));
    } else {
        out.push_str("/>");
    }
}

/// Returns the qualified name of an attribute if it is allowed.
fn kept(element: &str, attribute: &Attribute<'_, '_>) -> Option<String> {
    let name = attribute.name();
    let written = match attribute.namespace() {
        None => name.to_owned(),
        Some(XLINK) => format!("xlink:{name}"),
        Some(XML) => format!("xml:{name}"),
        Some(_) => return None,
    };
    let value = attribute.value();
    let small = name.to_ascii_lowercase();
    let is_safe = match small.as_str() {
        "href" => is_safe_address(element, value),
        "src" | "srcset" | "formaction" | "action" | "base" | "ping" => false,
        _ if small.starts_with("on") => false,
        // Animation values are assigned to checked attributes, but must not contain addresses.
        _ => is_safe_style(value),
    };
    is_safe.then_some(written)
}

/// Returns whether an address refers to the image's own parts, an embedded raster image, or a web page as a link.
fn is_safe_address(element: &str, value: &str) -> bool {
    if value.starts_with('#') {
        return true;
    }
    match element {
        "a" => {
            let web = |href: &String| href.starts_with("https://") || href.starts_with("http://");
            address::of_link(value).as_ref().is_some_and(web)
        }
        "image" | "feImage" => value.starts_with("data:") && address::of_image(value).is_some(),
        _ => false,
    }
}

/// Returns whether style rules, or a value that may contain them, refer to no external resource.
fn is_safe_style(style: &str) -> bool {
    // A comment inside a string is not a comment, so both readings are checked.
    is_safe_rule(&compact(style)) && is_safe_rule(&compact(&without_comments(style)))
}

fn is_safe_rule(compact: &str) -> bool {
    let calls_out = compact.match_indices("url(").any(|(at, call)| {
        let target = compact.get(at + call.len()..).unwrap_or_default();
        !target.trim_start_matches(['"', '\'']).starts_with('#')
    });
    !calls_out
        && !["@import", "expression(", "-moz-binding", "behavior:", "image-set(", "javascript:", "\\"]
            .iter()
            .any(|word| compact.contains(word))
}

/// Returns text without white space, in lower case, since rules may contain white space anywhere.
fn compact(text: &str) -> String {
    let shown = text.chars().filter(|c| !c.is_whitespace() && !c.is_control());
    shown.map(|c| c.to_ascii_lowercase()).collect()
}

/// Returns text without comments and text that looks like one.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

fn escape(text: &str, is_value: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if is_value => out.push_str("&quot;"),
            '\n' | '\r' | '\t' if is_value => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
