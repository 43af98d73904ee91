//! Components with visible parts: tabs, steps and cards.

use super::super::callout;
use super::components::{Shape, anchor, elements, last_name};
use super::html;
use super::listings::{listing_of, title_of};
use super::margins::without_indent;
use super::render::Renderer;
use super::syntax::{Value, texts};
use super::tree::{Element, Node};
use crate::markdown::escaped;

pub(super) fn tabs(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let is_tab =
        |tab: &Element<'_>| matches!(last_name(tab), "TabItem" | "Tab" | "CodeBlockTab" | "TabsContent");
    if !elements(element).any(is_tab) {
        return code_group(element, renderer);
    }
    let expression = |name: &str| match element.tag.value(name) {
        Some(Value::Expression(inside)) => inside,
        _ => "",
    };
    let labels = labels(expression("values"));
    let names = texts(expression("items"));
    let mut out = String::from("{% tabs %}\n");
    for (index, tab) in elements(element).filter(|tab| is_tab(tab)).enumerate() {
        let value = tab.tag.get("value").unwrap_or_default();
        let listed = labels.iter().find(|(known, _)| *known == value).map(|(_, label)| label.clone());
        let numbered = names.get(index).map(|name| (*name).to_owned());
        let own = tab.tag.first(&["label", "title", "name"]);
        let title = own.or(listed).or(numbered).or(Some(value)).filter(|title| !title.is_empty());
        if let Shape::Block(tab) =
            self::tab(tab, renderer, title.or_else(|| Some(format!("Tab {}", index + 1))))
        {
            out.push_str(&tab);
        }
    }
    out.push_str("{% endtabs %}\n");
    out.push_str(&others(element, renderer, |node| matches!(node, Node::Element(tab) if is_tab(tab))));
    Shape::Block(out)
}

/// Returns the content of an element outside its parts, which follows the block of the parts.
fn others(element: &Element<'_>, renderer: &mut Renderer<'_>, is_part: impl Fn(&Node<'_>) -> bool) -> String {
    let others = element.children.iter().filter(|node| !is_part(node));
    let text = without_indent(&renderer.nodes(others));
    if text.trim().is_empty() { String::new() } else { format!("\n{}\n", text.trim_matches('\n')) }
}

pub(super) fn tab(element: &Element<'_>, renderer: &mut Renderer<'_>, title: Option<String>) -> Shape {
    let own = || element.tag.first(&["label", "title", "value", "name"]);
    let content = renderer.content(element);
    match title {
        Some(title) => Shape::Block(callout::tab(&title, &format!("{}{content}", anchor(element)))),
        // Outside of tabs it is a section with a title.
        None => {
            let title = own().map(|title| format!("**{}**\n\n", escaped(&title)));
            Shape::Block(format!("{}{content}", title.unwrap_or_default()))
        }
    }
}

/// Returns the labels in `[{label: 'Apple', value: 'apple'}, …]`, by value.
fn labels(values: &str) -> Vec<(String, String)> {
    let entries = values.split('}').filter(|entry| entry.contains("label") && entry.contains("value"));
    let text = |entry: &str, key: &str| {
        let (_, behind) = entry.split_once(key)?;
        let behind = behind.trim_start_matches(['\'', '"']).trim_start().strip_prefix(':')?.trim_start();
        let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        behind.get(1..)?.split_once(quote).map(|(text, _)| text.to_owned())
    };
    entries.filter_map(|entry| Some((text(entry, "value")?, text(entry, "label")?))).collect()
}

/// Returns a group of listings, of which one is shown at a time, as tabs with the titles of the listings.
pub(super) fn code_group(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let listings = element.children.iter().filter(|node| matches!(node, Node::Code(_))).count();
    if listings < 2 {
        return Shape::Content;
    }
    let mut out = String::from("{% tabs %}\n");
    for node in &element.children {
        let Node::Code(code) = node else { continue };
        let info = code.lines().next().unwrap_or_default().trim_start().trim_start_matches(['`', '~']);
        out.push_str(&callout::tab(&title_of(info), &without_indent(&listing_of(code))));
    }
    out.push_str("{% endtabs %}\n");
    out.push_str(&others(element, renderer, |node| matches!(node, Node::Code(_))));
    Shape::Block(out)
}

pub(super) fn steps(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let is_step = |step: &Element<'_>| matches!(last_name(step), "Step" | "TimelineItem");
    if !elements(element).any(is_step) {
        return Shape::Content;
    }
    let mut out = String::from("{% stepper %}\n");
    for step in elements(element).filter(|step| is_step(step)) {
        let title = step.tag.first(&["title", "label"]).map(|title| format!("### {title}\n\n"));
        let content = format!("{}{}", anchor(step), renderer.content(step));
        out.push_str(&format!("{{% step %}}\n{}{content}\n{{% endstep %}}\n", title.unwrap_or_default()));
    }
    out.push_str("{% endstepper %}\n");
    out.push_str(&others(element, renderer, |node| matches!(node, Node::Element(step) if is_step(step))));
    Shape::Block(out)
}

fn is_card(element: &Element<'_>) -> bool {
    matches!(last_name(element), "Card" | "LinkCard" | "DocCard" | "GuideCard" | "Tile")
}

/// Returns whether all elements of a group are cards, and there is no text between them.
pub(super) fn has_cards(element: &Element<'_>) -> bool {
    let is_blank = |node: &Node<'_>| match node {
        Node::Text(text) => text.trim().is_empty(),
        Node::Code(_) => false,
        Node::Element(element) => is_card(element),
    };
    elements(element).next().is_some() && element.children.iter().all(is_blank)
}

/// Returns cards as a table with a view of cards.
pub(super) fn cards(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let mut rows = String::new();
    for card in elements(element).filter(|card| is_card(card)) {
        let title = card.tag.first(&["title", "label"]).unwrap_or_default();
        let description = card.tag.get("description").map(|text| escaped(&text)).unwrap_or_default();
        let content = format!("{description}\n\n{}", renderer.content(card));
        let content = content.trim();
        let content = if content.is_empty() { String::new() } else { format!("\n\n{content}\n\n") };
        let href = card.tag.first(&["href", "link", "to", "url"]).map(|href| html::escape(&href));
        let target = href.map(|href| format!("<a href=\"{href}\">{href}</a>")).unwrap_or_default();
        rows.push_str(&format!(
            "<tr><td><strong>{}</strong></td><td>{content}</td><td>{target}</td></tr>\n",
            html::escape(&title)
        ));
    }
    let target = "<th data-hidden data-card-target data-type=\"content-ref\"></th>";
    Shape::Block(format!(
        "<table data-view=\"cards\"><thead><tr><th></th><th></th>{target}</tr></thead><tbody>\n{rows}</tbody></table>\n"
    ))
}

/// A card on its own: its title as a link, and its content.
pub(super) fn card(element: &Element<'_>, renderer: &mut Renderer<'_>) -> Shape {
    let title = escaped(&element.tag.first(&["title", "label"]).unwrap_or_default());
    let href = element.tag.first(&["href", "link", "to", "url"]);
    let title = match href {
        Some(href) if !title.is_empty() => format!("**[{title}](<{href}>)**"),
        _ if title.is_empty() => String::new(),
        _ => format!("**{title}**"),
    };
    let description = element.tag.get("description").map(|text| escaped(&text)).unwrap_or_default();
    let parts = [title, description, renderer.content(element)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.trim().is_empty()).collect();
    Shape::Block(parts.join("\n\n"))
}
