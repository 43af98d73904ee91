//! Links of a page, with their position in the navigation and the labels of its sections.

use super::PageLink;
use super::dom::{Data, Dom, Element, Id};
use crate::limits::html::{MAX_LABEL_NODES, MAX_PAGE_LINKS};
use crate::lines::single_spaced;

/// Returns the links of a page in order. A section of the navigation that is not a link appears as a label before its
/// content.
pub(super) fn links(dom: &Dom) -> Vec<PageLink> {
    let mut found = Vec::new();
    // Each node, whether it is in the navigation, and the number of lists around it (within the navigation, or within
    // the page).
    let mut stack: Vec<(Id, bool, usize)> = vec![(Dom::ROOT, false, 0)];
    while let Some((id, navigation, lists)) = stack.pop() {
        let (mut inside, mut depth) = (navigation, lists);
        if let Some(element) = dom.element(id) {
            inside = (navigation || is_navigation(element)) && !is_tabs(element);
            depth = if inside == navigation { depth } else { 0 };
            depth += usize::from(is_list(element) || element.name() == "dl");
            let href = element.get("href").filter(|_| element.name() == "a").map(str::trim);
            let link = href.filter(|href| !href.is_empty() && found.len() < MAX_PAGE_LINKS);
            if let Some(href) = link {
                let text = single_spaced(&dom.text(id));
                found.push(PageLink { href: href.to_owned(), text, in_navigation: inside, depth });
                continue;
            }
            let is_room = inside && found.len() < MAX_PAGE_LINKS;
            if let Some((text, depth)) = if is_room { label(dom, id, element, depth) } else { None } {
                found.push(PageLink { href: String::new(), text, in_navigation: true, depth });
            }
        }
        stack.extend(dom.children(id).iter().rev().map(|child| (*child, inside, depth)));
    }
    found
}

fn is_navigation(element: &Element) -> bool {
    const CLASSES: [&str; 8] = [
        "sidebar",
        "menu",
        "toctree-wrapper",
        "sphinxsidebar",
        "wy-menu",
        "nav",
        "chapter",
        "theme-doc-sidebar-menu",
    ];
    element.name() == "nav" || element.get("role") == Some("navigation") || element.has_class(&CLASSES)
}

/// Returns whether an element contains tabs with the first links of sections, which the sidebar contains too.
fn is_tabs(element: &Element) -> bool {
    element.has_class(&["md-tabs"])
}

/// Returns whether an element contains entries: a list, or its equivalent in VitePress.
fn is_list(element: &Element) -> bool {
    matches!(element.name(), "ul" | "ol") || (element.name() == "div" && element.has_class(&["items"]))
}

/// Returns the label of a section that begins with an element, and its depth.
fn label(dom: &Dom, id: Id, element: &Element, depth: usize) -> Option<(String, usize)> {
    let is_part = element.has_class(&["part-title"]);
    let text = if is_part || element.has_class(&["caption"]) {
        single_spaced(&dom.text(id))
    } else if element.name() == "li" || element.has_class(&["VPSidebarItem"]) {
        before_list(dom, id)?
    } else {
        return None;
    };
    // In mdBook, a part precedes its pages in the same list.
    let depth = if is_part { depth.saturating_sub(1) } else { depth };
    text.chars().any(char::is_alphanumeric).then_some((text, depth))
}

/// Returns the text of an entry before its list; `None` if there is no list, or the entry is a link.
fn before_list(dom: &Dom, id: Id) -> Option<String> {
    let mut text = String::new();
    let mut stack: Vec<Id> = dom.children(id).iter().rev().copied().collect();
    for _ in 0..MAX_LABEL_NODES {
        let id = stack.pop()?;
        match dom.data(id) {
            Some(Data::Element(element)) if is_list(element) => return Some(single_spaced(&text)),
            // Themes repeat the label at the top of the list's own navigation.
            Some(Data::Element(element)) if element.name() == "nav" => {
                return dom.find(id, is_list).map(|_| single_spaced(&text));
            }
            Some(Data::Element(element)) if is_link(element) => return None,
            Some(Data::Text(piece)) => {
                text.push(' ');
                text.push_str(piece);
            }
            _ => stack.extend(dom.children(id).iter().rev()),
        }
    }
    None
}

/// Returns whether an element links to another page. A toggle of a section links to the same page.
fn is_link(element: &Element) -> bool {
    let href = element.get("href").map(str::trim).unwrap_or_default();
    element.name() == "a" && !href.is_empty() && !href.starts_with('#')
}
