//! Call-outs: notes, tips and warnings, in the forms of documentation generators and wikis.

use super::dom::{Data, Dom, Element, Id};
use super::flow::{Flow, Reader};
use super::scope::Scope;
use crate::document::{Block, BlockKind, Mark};
use crate::text::inline_text;

/// Recognized call-out.
pub(super) struct Callout {
    style: &'static str,
    /// Title, if any.
    title: Option<Id>,
    /// Element of the content, if separate.
    body: Option<Id>,
}

/// Classes that only call-outs have: Docusaurus, MkDocs, Sphinx, Asciidoctor, VitePress, Starlight, GitHub, Confluence.
const CERTAIN: [&str; 9] = [
    "admonition",
    "theme-admonition",
    "admonitionblock",
    "custom-block",
    "starlight-aside",
    "markdown-alert",
    "confluence-information-macro",
    "callout",
    "hint",
];

/// Call-outs that Confluence exported before version 5: tables with an icon and the content.
const TABLES: [&str; 5] = ["infoMacro", "noteMacro", "tipMacro", "warningMacro", "panelMacro"];

/// Class prefixes before the kind of call-out.
const PREFIXES: [&str; 14] = [
    "theme-admonition-",
    "admonition-",
    "markdown-alert-",
    "confluence-information-macro-",
    "starlight-aside--",
    "alert--",
    "alert-",
    "callout-",
    "callout_",
    "callout--",
    "hint-",
    "hint--",
    "is-",
    "custom-block-",
];

/// Classes and parts of classes of titles.
const TITLES: [&str; 10] = [
    "admonition-title",
    "admonition-heading",
    "markdown-alert-title",
    "custom-block-title",
    "starlight-aside__title",
    "alert-heading",
    "callout-title",
    "callout-heading",
    "hint-title",
    "admonition__title",
];

impl Reader<'_, '_> {
    /// Returns the call-out of an element, if it is one.
    pub(super) fn callout(&self, id: Id, element: &Element) -> Option<Callout> {
        if element.name() == "table" && element.has_class(&TABLES) {
            return self.callout_in_table(id, element);
        }
        if !matches!(element.name(), "div" | "aside" | "section" | "blockquote" | "figure" | "p") {
            return None;
        }
        let is_certain = element.has_class(&CERTAIN);
        let is_alert = element.has_class(&["alert"]) && element.classes().count() > 1;
        // In mdBook and older Sphinx themes, the kind is the only class.
        let is_bare = matches!(
            element.get("class"),
            Some("warning" | "note" | "tip" | "important" | "caution" | "danger")
        );
        let is_callout_of = element.has_class_prefix("callout_") || element.has_class_prefix("callout-");
        if !(is_certain || is_alert || is_callout_of || (is_bare && element.name() == "div")) {
            return None;
        }
        let is_confluence = element.has_class(&["confluence-information-macro"]);
        let kind = element.classes().find_map(|class| style(class, is_confluence));
        // Asciidoctor writes tables with an icon and the content.
        let is_table = element.has_class(&["admonitionblock"]);
        let is_content = |inner: &Element| inner.name() == "td" && inner.has_class(&["content"]);
        let body = if is_table { self.dom.find(id, is_content) } else { None };
        let title = title(self.dom, body.unwrap_or(id), is_confluence);
        Some(Callout { style: kind.unwrap_or("info"), title, body })
    }

    /// Returns the call-out of a table: its last cell is the content.
    fn callout_in_table(&self, id: Id, element: &Element) -> Option<Callout> {
        let is_cell = |id: &Id| self.dom.element(*id).is_some_and(|element| element.name() == "td");
        let body = self.dom.descendants(id).filter(is_cell).last()?;
        let kind = element.classes().find_map(|class| style(class.strip_suffix("Macro")?, true));
        Some(Callout { style: kind.unwrap_or("info"), title: None, body: Some(body) })
    }

    /// Reads a call-out. A title that only repeats the kind is dropped, because the icon shows it.
    pub(super) fn hint(&mut self, id: Id, callout: &Callout, flow: &mut Flow, scope: &Scope) {
        flow.end_line(None);
        let inner = scope.deeper(1);
        let mut nodes = Vec::new();
        if let Some(title) = callout.title {
            let scope = inner.with_format(inner.format.with(Mark::Bold));
            let line = self.line(title, &scope);
            if !is_kind(inline_text(&line).trim()) {
                nodes.extend(crate::lines::paragraph(line));
            }
        }
        let mut content = Flow::default();
        self.without(callout.body.unwrap_or(id), callout.title, &mut content, &inner);
        content.end_line(None);
        nodes.append(&mut content.blocks);
        if !nodes.is_empty() {
            flow.blocks.push(Block::blocks(BlockKind::Hint, nodes).with("style", callout.style));
        }
    }

    /// Reads the content of a node except for one part.
    fn without(&mut self, id: Id, left_out: Option<Id>, flow: &mut Flow, scope: &Scope) {
        let dom = self.dom;
        for child in dom.children(id) {
            if Some(*child) == left_out || is_icon(dom, *child) {
                continue;
            }
            if left_out.is_some_and(|left_out| dom.is_below(left_out, *child)) {
                flow.end_line(None);
                self.without(*child, left_out, flow, scope);
                flow.end_line(None);
            } else {
                self.node(*child, flow, scope);
            }
        }
    }
}

/// Returns whether a node is an icon of the kind, which the hint's style shows.
fn is_icon(dom: &Dom, id: Id) -> bool {
    let Some(Data::Element(element)) = dom.data(id) else { return false };
    element.has_class(&["aui-icon", "admonition-icon", "confluence-information-macro-icon"])
}

fn title(dom: &Dom, id: Id, is_confluence: bool) -> Option<Id> {
    let is_title = |element: &Element| {
        element.has_class(&TITLES)
            || element.has_class_prefix("admonitionHeading")
            || (is_confluence && element.name() == "p" && element.has_class(&["title"]))
    };
    dom.find(id, is_title).filter(|title| {
        // Skips titles of nested call-outs.
        let outer = std::iter::successors(dom.parent(*title), |outer| dom.parent(*outer));
        let mut between = outer.take_while(|outer| *outer != id).filter_map(|outer| dom.element(outer));
        !between.any(|outer| outer.has_class(&CERTAIN))
    })
}

/// Returns the hint style for a class.
pub(crate) fn style(class: &str, is_confluence: bool) -> Option<&'static str> {
    let class = class.to_ascii_lowercase();
    let kind = PREFIXES.iter().find_map(|prefix| class.strip_prefix(prefix)).unwrap_or(&class);
    Some(match kind {
        // Confluence's note is yellow, its warning red.
        "note" if is_confluence => "warning",
        "warning" if is_confluence => "danger",
        "note" | "info" | "information" | "abstract" | "summary" | "seealso" | "primary" | "secondary"
        | "question" | "important" | "todo" | "example" | "quote" | "details" => "info",
        "tip" | "hint" | "success" | "check" | "done" | "okay" => "success",
        "warning" | "warn" | "attention" | "caution-yellow" => "warning",
        "caution" if class.starts_with("markdown-alert-") => "danger",
        "caution" => "warning",
        "danger" | "error" | "failure" | "fail" | "bug" | "critical" => "danger",
        _ => return None,
    })
}

/// Returns whether the words only name a kind of call-out.
pub(crate) fn is_kind(words: &str) -> bool {
    const KINDS: [&str; 14] = [
        "note",
        "info",
        "information",
        "tip",
        "hint",
        "important",
        "warning",
        "caution",
        "danger",
        "attention",
        "error",
        "success",
        "notice",
        "",
    ];
    KINDS.contains(&words.trim_end_matches([':', '!']).to_lowercase().as_str())
}
