//! Code listings and the boxes that generators wrap them in.

use super::dom::{Data, Dom, Element, Id};
use super::flow::{Flow, Reader};
use crate::document::Block;
use crate::lines::single_spaced;

/// Classes of boxes around one listing with its title, line numbers and buttons.
const CONTAINERS: [&str; 14] = [
    "highlighttable",
    "rouge-table",
    "lntable",
    "codehilitetable",
    "code-block",
    "literal-block-wrapper",
    "expressive-code",
    "codeContainer",
    "code-container",
    "codeblock",
    "code-wrapper",
    "highlight",
    "panel",
    "snippet",
];

/// Classes of line numbers, buttons and other controls of a listing.
const TOOLS: [&str; 19] = [
    "lineno",
    "linenos",
    "linenodiv",
    "line-number",
    "line-numbers",
    "line-numbers-wrapper",
    "line-numbers-rows",
    "ln",
    "lnt",
    "gutter",
    "rouge-gutter",
    "hljs-ln-numbers",
    "copybtn",
    "copy",
    "lang",
    "md-clipboard",
    "react-syntax-highlighter-line-number",
    "code-block-toolbar",
    "copy-button",
];

/// Classes of highlighted lines.
const HIGHLIGHTED: [&str; 6] = [
    "hll",
    "highlighted",
    "highlighted-line",
    "theme-code-block-highlighted-line",
    "line--highlighted",
    "highlight-line",
];

impl Reader<'_, '_> {
    /// Reads a preformatted element.
    pub(super) fn listing(&mut self, id: Id, element: &Element, flow: &mut Flow) {
        self.anchors.words();
        let text = Listing::of(self.dom, id);
        if flow.flat {
            flow.runs.collapsed(
                &text.text,
                &crate::inline_builder::Format::default().with(crate::document::Mark::Code),
            );
            return;
        }
        let syntax = syntax(self.dom, id, element);
        flow.push(text.block(syntax.as_deref(), None));
    }

    /// Reads a box around a listing. Returns whether it is one, without further content.
    pub(super) fn code_container(&mut self, id: Id, element: &Element, flow: &mut Flow) -> bool {
        let dom = self.dom;
        let is_container = element.has_class(&CONTAINERS)
            || element.has_class_prefix("codeBlockContainer")
            || element.has_class_prefix("highlight-")
            || element.has_class_prefix("language-")
            || element.has("data-rehype-pretty-code-figure")
            || (element.name() == "figure" && element.has_class(&["frame", "highlight", "code"]));
        if !is_container || !matches!(element.name(), "div" | "table" | "figure") {
            return false;
        }
        let is_pre = |id: &Id| dom.element(*id).is_some_and(|inner| inner.name() == "pre");
        // Tables with line numbers have two listings; the numbers are skipped.
        let is_numbers = |id: &Id| {
            dom.ancestors(*id).take(6).any(|outer| outer.has_class(&TOOLS))
                || dom.element(*id).is_some_and(|pre| pre.has_class(&TOOLS))
        };
        let mut listings = dom.descendants(id).filter(is_pre).filter(|id| !is_numbers(id));
        let (Some(pre), None) = (listings.next(), listings.next()) else { return false };
        let title = dom.find(id, is_title);
        let caption = title.map(|title| single_spaced(&dom.text(title))).filter(|title| !title.is_empty());
        if self.has_other_words(id, pre, title) {
            return false;
        }
        let Some(inner) = dom.element(pre) else { return false };
        self.anchors.words();
        let syntax = syntax(dom, pre, inner);
        flow.push(Listing::of(dom, pre).block(syntax.as_deref(), caption.as_deref()));
        true
    }

    /// Returns whether a box has words outside the listing and its title.
    fn has_other_words(&self, id: Id, pre: Id, title: Option<Id>) -> bool {
        let dom = self.dom;
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if id == pre || Some(id) == title {
                continue;
            }
            match dom.data(id) {
                Some(Data::Text(text)) if text.chars().any(char::is_alphanumeric) => return true,
                Some(Data::Element(element)) if !is_tool(element) && !self.is_silent(element) => {
                    stack.extend(dom.children(id));
                }
                _ => {}
            }
        }
        false
    }
}

fn is_title(element: &Element) -> bool {
    element.has_class_prefix("codeBlockTitle")
        || element.has_class(&[
            "filename",
            "code-block-caption",
            "codeHeader",
            "code-title",
            "code-block-title",
            "title",
        ])
        || element.has("data-rehype-pretty-code-title")
        || element.name() == "figcaption"
}

fn is_tool(element: &Element) -> bool {
    matches!(element.name(), "button" | "script" | "style" | "textarea" | "svg") || element.has_class(&TOOLS)
}

/// Returns whether a preformatted element has one `code` per line. If there are words or line feeds between them, they
/// are parts of lines instead.
fn has_line_elements(dom: &Dom, pre: Id) -> bool {
    let is_line_or_space = |id: &Id| match dom.data(*id) {
        Some(Data::Text(text)) => text.chars().all(|c| c == ' '),
        Some(Data::Element(element)) => element.name() == "code" || is_tool(element),
        _ => true,
    };
    let lines = dom.child_elements(pre).filter(|(_, child)| child.name() == "code").count();
    lines > 1 && dom.children(pre).iter().all(is_line_or_space)
}

/// Text of a listing and its highlighted lines.
#[derive(Default)]
struct Listing {
    text: String,
    /// A line element ended, so the next text begins a new line.
    ended: bool,
    /// Zero-based first and last numbers of highlighted lines.
    highlighted: Vec<(usize, usize)>,
}

enum Step {
    Enter(Id),
    /// End of an element: whether it is a line, and its first line if it is highlighted.
    Leave(bool, Option<usize>),
}

impl Listing {
    fn of(dom: &Dom, pre: Id) -> Self {
        let mut listing = Self::default();
        let has_lines = has_line_elements(dom, pre);
        let mut stack: Vec<Step> = dom.children(pre).iter().rev().map(|id| Step::Enter(*id)).collect();
        let mut number = 0;
        let mut counted = 0;
        while let Some(step) = stack.pop() {
            // Counting from the last count keeps the total time linear for long listings.
            number += listing.text.get(counted..).map_or(0, |text| text.matches('\n').count());
            counted = listing.text.len();
            match step {
                Step::Leave(is_line, start) => {
                    listing.ended |= is_line;
                    if let Some(start) = start {
                        let is_over = listing.text.ends_with('\n') && number > start;
                        listing.highlighted.push((start, number - usize::from(is_over)));
                    }
                }
                Step::Enter(id) => match dom.data(id) {
                    Some(Data::Text(text)) => listing.push(text),
                    Some(Data::Element(element)) if is_tool(element) => {}
                    Some(Data::Element(element)) if element.name() == "br" => {
                        listing.text.push('\n');
                        listing.ended = false;
                    }
                    Some(Data::Element(element)) => {
                        let is_line = matches!(element.name(), "div" | "p" | "li" | "tr" | "ol" | "table")
                            || (has_lines && element.name() == "code");
                        listing.ended |= is_line && !listing.text.is_empty();
                        let start =
                            element.has_class(&HIGHLIGHTED).then(|| number + usize::from(listing.breaks()));
                        stack.push(Step::Leave(is_line, start));
                        stack.extend(dom.children(id).iter().rev().map(|id| Step::Enter(*id)));
                    }
                    _ => {}
                },
            }
        }
        listing
    }

    /// Returns whether a line feed must precede the next text.
    fn breaks(&self) -> bool {
        self.ended && !self.text.is_empty() && !self.text.ends_with('\n')
    }

    fn push(&mut self, text: &str) {
        if self.breaks() && !text.starts_with('\n') {
            self.text.push('\n');
        }
        self.ended = false;
        self.text.push_str(text);
    }

    fn block(&self, syntax: Option<&str>, title: Option<&str>) -> Block {
        let text = self.text.replace("\r\n", "\n").replace('\u{a0}', " ");
        let trimmed = text.trim_end_matches('\n').trim_end_matches([' ', '\t']).trim_end_matches('\n');
        let leading = trimmed.len() - trimmed.trim_start_matches('\n').len();
        let trimmed = trimmed.get(leading..).unwrap_or_default();
        let mut code = if trimmed.is_empty() {
            Block::code(syntax, [])
        } else {
            Block::code(syntax, trimmed.split('\n'))
        };
        if let Some(title) = title {
            code.data.insert("title".to_owned(), title.into());
        }
        if let crate::document::Children::Blocks(lines) = &mut code.children {
            for (first, last) in &self.highlighted {
                let first = first.saturating_sub(leading);
                let count = (last + 1).saturating_sub(leading).saturating_sub(first);
                for line in lines.iter_mut().skip(first).take(count) {
                    line.data.insert("highlighted".to_owned(), true.into());
                }
            }
        }
        code
    }
}

/// Returns the language of a listing from the classes and attributes of the element, of the code in it, or of its
/// containers.
fn syntax(dom: &Dom, id: Id, element: &Element) -> Option<String> {
    let inner = dom.child_elements(id).map(|(_, child)| child).find(|child| child.name() == "code");
    let around =
        dom.ancestors(id).take(3).filter(|outer| matches!(outer.name(), "div" | "figure" | "td" | "code"));
    let mut named = std::iter::once(element).chain(inner).chain(around);
    named
        .find_map(language)
        .filter(|language| !matches!(language.as_str(), "none" | "default" | "nohighlight" | "plain"))
}

fn language(element: &Element) -> Option<String> {
    const PREFIXES: [&str; 7] =
        ["language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "src-", "brush-"];
    for name in ["data-lang", "data-language", "data-code-language", "lang"] {
        if let Some(language) = element.get(name).filter(|_| name != "lang" || element.name() == "pre") {
            return clean(language);
        }
    }
    if let Some(params) = element.get("data-syntaxhighlighter-params").or_else(|| element.get("class")) {
        // Syntax highlighters with settings: `brush: java; gutter: false`.
        if let Some((_, brush)) = params.split_once("brush:") {
            return clean(brush.trim().split([';', ' ']).next()?);
        }
    }
    let prefixed =
        element.classes().find_map(|class| PREFIXES.iter().find_map(|prefix| class.strip_prefix(prefix)));
    if let Some(language) = prefixed {
        return clean(language);
    }
    // Pandoc's `sourceCode python`, highlight.js's `hljs python`, and the class of a diagram.
    let mut classes = element.classes();
    let first = classes.next()?;
    match (first, classes.next()) {
        ("mermaid", _) => Some("mermaid".to_owned()),
        ("sourceCode" | "hljs" | "prettyprint" | "src", Some(language)) => {
            clean(language.trim_start_matches("language-"))
        }
        _ => None,
    }
}

fn clean(language: &str) -> Option<String> {
    let language = language.trim().trim_end_matches("-basic");
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | '#' | '.');
    let is_name = !language.is_empty() && language.len() <= 40 && language.chars().all(plain);
    is_name.then(|| language.to_ascii_lowercase())
}
