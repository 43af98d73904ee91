//! Google Docs documents as web pages: headers, footers and comments around the text.

use super::dom::{Dom, Element, Id};
use std::collections::BTreeMap;

/// Returns the element that contains the document, without the banners of a published one.
pub(super) fn root(dom: &Dom) -> Option<Id> {
    dom.find(Dom::ROOT, |element| element.has_class(&["doc-content"]))
}

/// Returns the parts outside the text of the document at `root`, with their kinds.
pub(super) fn parts(dom: &Dom, root: Id) -> BTreeMap<Id, &'static str> {
    let mut parts = BTreeMap::new();
    let children: Vec<(Id, &Element)> = dom.child_elements(root).collect();
    let is_text = |element: &Element| !matches!(element.name(), "div" | "hr" | "style");
    let links = |id: Id, prefix: &str| {
        let is_one = |element: &Element| element.get("href").is_some_and(|href| href.starts_with(prefix));
        dom.find(id, is_one)
    };
    let first = children.iter().position(|(_, element)| is_text(element));
    let last = children.iter().rposition(|(_, element)| is_text(element));
    for (at, (id, element)) in children.iter().enumerate().filter(|(_, (_, element))| element.name() == "div")
    {
        let kind = match (first, last) {
            _ if links(*id, "#cmnt_ref").is_some() => "comment",
            // Footnotes link to their marks.
            _ if links(*id, "#ftnt_ref").is_some() || element.has("id") => continue,
            (Some(first), _) if at < first => "header",
            (_, Some(last)) if at > last => "footer",
            _ => continue,
        };
        parts.insert(*id, kind);
    }
    let is_mark = |id: &Id| {
        let mark = dom.element(*id).and_then(|element| element.get("id"));
        mark.is_some_and(|mark| mark.starts_with("cmnt_ref"))
    };
    parts.extend(dom.descendants(root).filter(is_mark).map(|id| (id, "comment")));
    parts
}
