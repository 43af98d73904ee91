//! Components of documentation generators and HTML elements, translated to blocks.

use super::super::callout;
use super::groups::{card, cards, code_group, has_cards, steps, tab, tabs};
use super::html;
use super::listings::{code_in, code_of, has_literal, listing, literals, packages};
use super::render::Renderer;
use super::syntax::{Value, literal};
use super::tree::{Element, Node};
use crate::markdown::escaped;

/// The form of an element in Markdown.
pub(super) enum Shape {
    /// A block.
    Block(String),
    /// Part of a line.
    Inline(String),
    /// The content without the element.
    Content,
    /// Nothing: the element is invisible.
    Nothing,
}

/// Components for layout only.
const LAYOUT: [&str; 30] = [
    "AccordionGroup",
    "Accordions",
    "Box",
    "Column",
    "Columns",
    "Container",
    "Content",
    "DocsLayout",
    "Expandables",
    "Fragment",
    "Grid",
    "Highlight",
    "Layout",
    "Panel",
    "Prompt",
    "RequestExample",
    "ResponseExample",
    "Root",
    "Row",
    "Section",
    "Split",
    "Steps",
    "Tile",
    "Tree",
    "View",
    "Visibility",
    "Wrapper",
    "FileTree",
    "Center",
    "Bleed",
];

/// Components without text.
const SILENT: [&str; 9] = ["Icon", "Anchor", "Spacer", "Divider", "Br", "TOCInline", "Head", "link", "meta"];

/// Returns the HTML that is the value of an attribute.
fn html_of(value: Value<'_>) -> Option<String> {
    let content = match value {
        Value::Text(text) => text.to_owned(),
        Value::Expression(inside) => serde_json::from_str(inside.trim()).ok().or_else(|| literal(inside))?,
    };
    // An empty line ends an HTML block, except for a preformatted one.
    let keeps_lines = content.trim_start().starts_with("<pre");
    let lines = content.lines().filter(|line| keeps_lines || !line.trim().is_empty());
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// Returns the form of an element. Components without an equivalent are replaced by their content and reported. The
/// `id` of a component is a target of links.
pub(super) fn shape(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let shape = without_id(element, renderer);
    let is_component = element.tag.name.starts_with(|first: char| first.is_ascii_uppercase());
    let shape = if is_component { with_words(element, shape, renderer) } else { shape };
    let target = anchor(element);
    if !is_component || target.is_empty() {
        return shape;
    }
    match shape {
        Shape::Block(text) => Shape::Block(format!("{target}{text}")),
        Shape::Content if element.is_block() => {
            Shape::Block(format!("{target}{}", renderer.content(element)))
        }
        Shape::Inline(text) => Shape::Inline(format!("{}{text}", target.trim_end())),
        Shape::Content => {
            Shape::Inline(format!("{}{}", target.trim_end(), renderer.nodes(&element.children)))
        }
        Shape::Nothing => Shape::Inline(target.trim_end().to_owned()),
    }
}

/// Attributes whose text is visible in every component.
const SHOWN: [&str; 6] = ["title", "label", "heading", "subtitle", "subTitle", "caption"];

/// Adds the text of visible attributes that a shape does not contain: above a block, or after the text of an inline.
fn with_words(element: &Element<'_>, shape: Shape, renderer: &mut Renderer<'_>) -> Shape {
    let texts = SHOWN.iter().filter_map(|name| element.tag.get(name));
    let texts: Vec<String> = texts.filter(|text| text.contains(char::is_alphabetic)).collect();
    if texts.is_empty() || SILENT.contains(&last_name(element)) {
        return shape;
    }
    // The content is written at this point only, since nested elements would otherwise be written repeatedly.
    let shape = match shape {
        Shape::Content if element.is_block() => Shape::Block(renderer.content(element)),
        Shape::Content => match renderer.nodes(&element.children) {
            text if text.trim().contains("\n\n") => Shape::Block(super::margins::without_indent(&text)),
            text => Shape::Inline(text),
        },
        Shape::Nothing if element.is_block() => Shape::Block(String::new()),
        Shape::Nothing => Shape::Inline(String::new()),
        shape => shape,
    };
    let (Shape::Block(text) | Shape::Inline(text)) = &shape else { return shape };
    let shown = letters(text);
    let mut missing: Vec<String> = texts.into_iter().filter(|text| !shown.contains(&letters(text))).collect();
    missing.dedup();
    if missing.is_empty() {
        return shape;
    }
    let words: Vec<String> = missing.iter().map(|text| escaped(text.trim())).collect();
    match shape {
        Shape::Block(text) => Shape::Block(format!("**{}**\n\n{text}", words.join("**\n\n**"))),
        Shape::Inline(text) if text.trim().is_empty() => Shape::Inline(words.join(", ")),
        Shape::Inline(text) => {
            let kept = text.trim_end();
            let space = text.get(kept.len()..).unwrap_or_default();
            Shape::Inline(format!("{kept} ({}){space}", words.join(", ")))
        }
        shape => shape,
    }
}

/// Returns the letters and digits of a text, without the names of tags that have no attributes.
fn letters(text: &str) -> String {
    let mut parts = text.split('<');
    let mut words = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        words.push_str(match part.split_once('>') {
            Some((tag, rest)) if tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'/') => rest,
            _ => part,
        });
    }
    crate::markdown_html::decode(&words).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Returns an anchor with the element's id, which the next block takes.
pub(super) fn anchor(element: &Element<'_>) -> String {
    let id = element.tag.get("id").filter(|id| !id.is_empty());
    id.map(|id| format!("<a id=\"{}\"></a>\n\n", html::escape(&id))).unwrap_or_default()
}

fn without_id(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let name = element.tag.name;
    // Astro sets the content of an element as HTML.
    if let Some(content) = element.tag.value("set:html").and_then(html_of) {
        return Shape::Block(content);
    }
    // A component may be a member: `<Tabs.Tab>`, `<Accordion.Root>`.
    let (base, last) =
        (name.split('.').next().unwrap_or_default(), name.rsplit('.').next().unwrap_or_default());
    if name.starts_with(|first: char| first.is_ascii_lowercase()) && !name.contains('.') {
        return html::shape(element, renderer);
    }
    let tag = &element.tag;
    match last {
        "Tabs" | "CodeTabs" | "CodeBlockTabs" | "TabGroup" => tabs(element, renderer),
        "CodeGroup" => code_group(element, renderer),
        "TabItem" | "Tab" => tab(element, renderer, None),
        "Steps" | "Stepper" | "Timeline" => steps(element, renderer),
        "Step" | "TimelineItem" => {
            let heading = tag.first(&["title", "label"]).map(|title| format!("**{title}**\n\n"));
            Shape::Block(format!("{}{}", heading.unwrap_or_default(), renderer.content(element)))
        }
        "Callout" | "Admonition" | "Aside" | "Alert" | "Notice" | "Banner" | "Hint" => {
            let kind = tag.first(&["type", "kind", "intent", "variant"]).unwrap_or_else(|| "note".to_owned());
            hint(element, callout::style(&kind).unwrap_or("info"), renderer)
        }
        "Note" | "Tip" | "Info" | "Warning" | "Warn" | "Check" | "Danger" | "Caution" | "Important"
        | "Success" | "Error" | "Tips" | "Pitfall" | "DeepDive" => {
            hint(element, callout::style(last).unwrap_or("info"), renderer)
        }
        "Accordion" | "Expandable" | "Details" | "Collapse" | "Collapsible" | "AccordionItem"
        | "Disclosure" => {
            let title = tag.first(&["title", "summary", "label", "question"]);
            let title = html::inline(&title.unwrap_or_else(|| "Details".to_owned()));
            let is_open = tag.has("defaultOpen") || tag.has("open");
            Shape::Block(callout::details(&title, is_open, &renderer.content(element)))
        }
        "CardGroup" | "Cards" | "CardGrid" | "TileGroup" | "Columns" | "DocCardGrid"
            if has_cards(element) =>
        {
            cards(element, renderer)
        }
        "Card" | "LinkCard" | "DocCard" | "GuideCard" => card(element, renderer),
        "Frame" | "Figure" => frame(element, renderer),
        "Image" | "Img" | "ThemedImage" | "ImageZoom" | "Zoom" | "Screenshot" => {
            match picture(element, renderer) {
                Some(picture) => html::line(element, picture),
                None => Shape::Content,
            }
        }
        "Badge" | "Pill" | "Label" | "Tag" => {
            let text = tag.first(&["text", "label"]).map(|text| escaped(&text));
            Shape::Inline(text.unwrap_or_else(|| renderer.line(element)))
        }
        "Link" | "A" | "LinkButton" | "Button" | "NavLink" => link(element, renderer),
        "Tooltip" | "Term" => {
            let words = renderer.line(element);
            let note = tag.first(&["tip", "headline", "text", "content"]);
            Shape::Inline(note.map_or_else(|| words.clone(), |note| format!("{words} ({})", escaped(&note))))
        }
        "CodeBlock" | "Code" | "Pre" | "Snippet" if has_literal(element) => {
            let language = tag.first(&["language", "lang"]).unwrap_or_default();
            let title = tag.first(&["title", "filename"]);
            Shape::Block(listing(&language, title.as_deref(), &literals(element)))
        }
        "Code"
            if let Some(code) = tag.get("code").or_else(|| code_in(tag.value("code"), renderer.module)) =>
        {
            let language = tag.first(&["lang", "language"]).unwrap_or_default();
            let title = tag.first(&["title"]);
            Shape::Block(listing(&language, title.as_deref(), &code))
        }
        "CodeBlock" | "Code" | "Pre" => Shape::Content,
        "YouTube" | "Youtube" | "YouTubeEmbed" | "Loom" | "Vimeo" => film(element, renderer),
        "Video" | "Audio" => html::media(element, renderer),
        "ParamField" | "ResponseField" | "Property" | "Param" | "Field" => field(element, renderer),
        "Update" => {
            let title = tag.first(&["label", "title"]).unwrap_or_default();
            let description = tag.get("description").filter(|text| !text.is_empty());
            let description = description.map(|text| format!("*{text}*\n\n")).unwrap_or_default();
            Shape::Block(format!("## {title}\n\n{description}{}", renderer.content(element)))
        }
        "Heading" => Shape::Block(format!("## {}", renderer.line(element).trim())),
        "File" | "Folder" if base == "FileTree" || base == "Files" || tag.get("name").is_some() => {
            file(element, renderer)
        }
        "Files" => Shape::Content,
        "PackageManagers" if let Some(package) = tag.first(&["pkg"]) => Shape::Block(packages(&package, tag)),
        "Math" | "Latex" | "InlineMath" => Shape::Inline(format!("$${}$$", renderer.line(element).trim())),
        _ if SILENT.contains(&last) => Shape::Nothing,
        _ if LAYOUT.contains(&last) || LAYOUT.contains(&base) => Shape::Content,
        _ => {
            renderer.left.add(&format!("<{name}>"));
            unknown(element, renderer)
        }
    }
}

/// Returns the shape of a component without an equivalent: its title, as a link if it has an address, the text of other
/// attributes, and its content. The title of an inline component is added by [`with_words`].
fn unknown(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let tag = &element.tag;
    let is_empty =
        element.children.iter().all(|node| matches!(node, Node::Text(text) if text.trim().is_empty()));
    let has_lines =
        element.children.iter().any(|node| matches!(node, Node::Text(text) if text.contains('\n')));
    if !is_empty && !has_lines {
        return Shape::Content;
    }
    let is_image = |source: String| {
        let name = source.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
        [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif"].iter().any(|end| name.ends_with(end))
    };
    if is_empty
        && tag.first(&["src"]).is_some_and(is_image)
        && let Some(picture) = picture(element, renderer)
    {
        return html::line(element, picture);
    }
    let titles = ["title", "label", "heading", "headline"];
    let title = tag.first(&titles).or_else(|| match is_empty {
        true => tag.first(&["text", "children", "question", "name", "alt"]).filter(|text| is_words(text)),
        false => None,
    });
    let further = ["subtitle", "subTitle", "caption", "description", "summary"];
    let further = further.iter().filter_map(|name| tag.get(name)).filter(|text| !text.trim().is_empty());
    let further: Vec<String> = further.map(|text| escaped(text.trim())).collect();
    let href = tag.first(&["href", "to", "link", "url"]);
    let title = title.map(|title| escaped(title.trim())).map(|title| match href {
        Some(href) => format!("[{title}](<{href}>)"),
        None => title,
    });
    let action = tag.first(&["ctaLabel", "cta", "buttonText"]).map(|words| {
        let words = escaped(words.trim());
        let href = tag.first(&["ctaLink", "ctaHref", "buttonLink"]);
        href.map_or_else(|| words.clone(), |href| format!("[{words}](<{href}>)"))
    });
    let code = code_of(tag);
    // Components of references for programs show the signature of a function.
    let signature = tag.first(&["signature", "functionSignature"]).filter(|text| !text.trim().is_empty());
    let signature = signature.map(|text| format!("`{}`", text.replace('`', "").replace('\n', " ")));
    let further: Vec<String> = signature.into_iter().chain(further).collect();
    if title.is_none() && further.is_empty() && action.is_none() && code.is_empty() {
        return if is_empty { Shape::Nothing } else { Shape::Content };
    }
    let is_block = element.is_block() || !code.is_empty();
    if is_empty && !is_block {
        let words: Vec<String> = title.into_iter().chain(further).chain(action).collect();
        return Shape::Inline(words.join(", "));
    }
    let title = match is_empty {
        true => title,
        false => title.map(|title| format!("**{title}**")),
    };
    let content = renderer.content(element);
    let parts = title.into_iter().chain(further).chain(action).chain(code).chain([content]);
    let parts: Vec<String> = parts.filter(|part| !part.trim().is_empty()).collect();
    Shape::Block(parts.join("\n\n"))
}

/// Returns whether a text is made of words, as opposed to the name of an icon or an identifier.
fn is_words(text: &str) -> bool {
    text.trim().contains(' ') || text.starts_with(char::is_uppercase) || !text.is_ascii()
}

pub(super) fn elements<'e, 't>(element: &'e Element<'t>) -> impl Iterator<Item = &'e Element<'t>> {
    element.children.iter().filter_map(|node| match node {
        Node::Element(element) => Some(element),
        _ => None,
    })
}

pub(super) fn last_name<'t>(element: &Element<'t>) -> &'t str {
    element.tag.name.rsplit('.').next().unwrap_or_default()
}

fn hint(element: &Element<'_>, style: &str, renderer: &mut Renderer<'_>) -> Shape {
    let title = element.tag.first(&["title", "heading"]).unwrap_or_default();
    let content = renderer.content(element);
    if content.trim().is_empty() && title.is_empty() {
        return Shape::Nothing;
    }
    Shape::Block(callout::hint(style, &title, &content))
}

/// A picture with its caption.
fn frame(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let caption = element.tag.first(&["caption", "hint"]);
    let content = renderer.content(element);
    Shape::Block(match caption {
        Some(caption) => match content.trim().strip_prefix("<img ") {
            Some(image) if !content.trim().contains('\n') => {
                format!(
                    "<figure><img {image}<figcaption><p>{}</p></figcaption></figure>",
                    html::inline(&caption)
                )
            }
            _ => format!("{content}\n\n*{}*", caption.trim()),
        },
        None => content,
    })
}

/// The image of a component, whose source may be an imported file.
fn picture(element: &Element<'_>, renderer: &Renderer<'_>) -> Option<String> {
    let tag = &element.tag;
    let named = |name: &str| match tag.value(name) {
        Some(Value::Expression(inside)) => renderer.module.constant(inside.trim()),
        _ => None,
    };
    let themed = match tag.value("sources") {
        Some(Value::Expression(inside)) => inside.split_once("light").and_then(|(_, behind)| {
            let value = behind.split_once(':')?.1.split([',', '}']).next()?;
            literal(value).or_else(|| renderer.module.constant(value.trim()))
        }),
        _ => None,
    };
    let source = tag.first(&["src", "img", "light", "source"]).or_else(|| named("src")).or(themed)?;
    Some(html::image(&source, &tag.first(&["alt", "caption"]).unwrap_or_default(), tag))
}

fn link(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let tag = &element.tag;
    let words = renderer.line(element);
    let words = match tag.first(&["text", "label", "title"]) {
        Some(text) if words.trim().is_empty() => escaped(&text),
        _ => words,
    };
    match tag.first(&["href", "to", "url", "link"]) {
        Some(href) if !words.trim().is_empty() => {
            let inside = words.trim();
            let before = if words.starts_with(' ') { " " } else { "" };
            let behind = if words.ends_with(' ') { " " } else { "" };
            let link = format!("{before}[{inside}](<{href}>){behind}");
            // Links within the text keep their own addresses.
            let link = if inside.contains("](") && !inside.starts_with("![") { words.clone() } else { link };
            html::line(element, link)
        }
        _ => html::line(element, words),
    }
}

fn film(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let id = element.tag.first(&["id", "videoId", "youTubeId", "url", "src"]);
    let Some(id) = id else { return Shape::Nothing };
    let address = if id.contains("://") {
        id
    } else {
        match last_name(element) {
            "Vimeo" => format!("https://vimeo.com/{id}"),
            "Loom" => format!("https://www.loom.com/share/{id}"),
            _ => format!("https://www.youtube.com/watch?v={id}"),
        }
    };
    let caption = renderer.content(element);
    Shape::Block(format!("{{% embed url=\"{}\" %}}\n{caption}\n{{% endembed %}}", callout::value(&address)))
}

/// Returns a field of an API: its name, its type and its description.
fn field(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let tag = &element.tag;
    let name = tag.first(&["name", "path", "query", "body", "header", "param", "prop"]).unwrap_or_default();
    let mut facts = Vec::new();
    let kind = |kind: String| if kind.contains('<') { format!("`{kind}`") } else { escaped(&kind) };
    facts.extend(tag.get("type").map(kind));
    facts.extend(tag.has("required").then(|| "required".to_owned()));
    facts.extend(tag.has("deprecated").then(|| "deprecated".to_owned()));
    facts.extend(
        tag.get("default").filter(|value| !value.is_empty()).map(|value| format!("default: `{value}`")),
    );
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
    let anchor = crate::anchors::heading_slug(&name.replace('.', "-"));
    let content = renderer.content(element);
    Shape::Block(format!("<a id=\"param-{anchor}\"></a>**`{name}`**{facts}\n\n{content}"))
}

/// Returns a file or folder of a file tree.
fn file(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let name = element.tag.first(&["name", "label"]).unwrap_or_default();
    let content = renderer.content(element);
    let mut out = format!("- {}\n", escaped(&name));
    super::super::push_indented(&mut out, &content, 2);
    Shape::Block(out)
}
