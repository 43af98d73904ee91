//! Listings.

use super::is_wide;
use crate::inline::write_marked;
use crate::language;
use crate::listing::Line;
use crate::page::Page;
use maud::{Markup, PreEscaped, Render, html};
use quire_markup::document::{Block, InlineNode};
use quire_markup::{Inline, InlineKind, Mark, inline_text};
use serde_json::Value;

/// Number of lines of a collapsed listing, by default.
const COLLAPSED_LINES: u64 = 10;
/// Numbers of lines for which the style sheet has a height.
const LINE_STEPS: [u64; 10] = [3, 5, 8, 10, 12, 15, 20, 25, 30, 40];

impl<'a> Page<'a> {
    pub(super) fn code(&self, block: &'a Block) -> Markup {
        let syntax = block.str("syntax").unwrap_or_default();
        if syntax.eq_ignore_ascii_case("mermaid") {
            return self.diagram(block);
        }
        let title = block.str("title").filter(|title| !title.is_empty());
        let language = language::title(syntax);
        let count = u64::try_from(block.child_blocks().len()).unwrap_or(u64::MAX);
        let shown = block.data.get("collapsedLineCount").and_then(Value::as_u64).unwrap_or(COLLAPSED_LINES);
        let is_collapsed = block.flag("expandable") && count > shown;
        let step = LINE_STEPS.iter().find(|step| **step >= shown).unwrap_or(&40);
        let listing = self.listing(block);
        html! {
            figure.code data-wide[is_wide(block)] {
                @if title.is_some() || language.is_some() {
                    figcaption {
                        @if let Some(title) = title { span.code-title { (title) } }
                        @if let Some(language) = language { span.code-language { (language) } }
                    }
                }
                @if is_collapsed {
                    details.clip.{ "lines-" (step) } {
                        summary {
                            span.when-closed { (self.words.show_all) }
                            span.when-open { (self.words.show_less) }
                        }
                        (listing)
                    }
                } @else {
                    (listing)
                }
            }
        }
    }

    fn listing(&self, block: &'a Block) -> Markup {
        let has_numbers = block.flag("lineNumbers");
        let is_wrapped = block.str("overflow") == Some("wrap");
        html! {
            pre dir="ltr" tabindex="0" data-numbers[has_numbers] data-wrap[is_wrapped] { code { (self.code_lines(block)) } }
        }
    }

    fn code_lines(&self, block: &'a Block) -> Markup {
        let lines = block.child_blocks();
        let texts: Vec<String> = lines.iter().map(|line| self.line_text(line.child_inlines())).collect();
        let syntax = block.str("syntax").unwrap_or_default();
        let tokens = self.highlight(syntax, &texts);
        let mut out = String::with_capacity(texts.iter().map(|text| text.len().saturating_add(24)).sum());
        for (index, (line, text)) in lines.iter().zip(&texts).enumerate() {
            let is_marked = line.flag("highlighted");
            // Only lines that are numbered or marked need an element.
            let element = match (is_marked, block.flag("lineNumbers")) {
                (true, _) => Some("mark"),
                (false, true) => Some("span"),
                (false, false) => None,
            };
            if let Some(element) = element {
                out.push_str(&format!("<{element} class=\"line\">"));
            }
            let tokens = tokens.get(index).map_or(&[][..], Vec::as_slice);
            self.line(line.child_inlines(), &mut Line::new(text, tokens), &mut out);
            // The line feed is inside the element: after a block element it would add an empty line.
            if index + 1 < lines.len() || element.is_some() {
                out.push('\n');
            }
            if let Some(element) = element {
                out.push_str(&format!("</{element}>"));
            }
        }
        PreEscaped(out)
    }

    /// Returns the text of a line as it is shown.
    fn line_text(&self, nodes: &[Inline]) -> String {
        let mut text = String::new();
        for node in nodes {
            match node {
                Inline::Text(words) => words.leaves.iter().for_each(|leaf| text.push_str(&leaf.text)),
                Inline::Node(node) => text.push_str(&self.shown_text(node)),
            }
        }
        text
    }

    fn shown_text(&self, node: &InlineNode) -> String {
        match node.kind {
            InlineKind::Expression => {
                let expression = node.str("expression").unwrap_or_default();
                self.resolver.value(expression).unwrap_or(expression).to_owned()
            }
            InlineKind::Annotation => inline_text(&node.nodes),
            _ => inline_text(std::slice::from_ref(&Inline::Node(Box::new(node.clone())))),
        }
    }

    fn line(&self, nodes: &'a [Inline], line: &mut Line<'_>, out: &mut String) {
        for node in nodes {
            match node {
                Inline::Text(words) => {
                    for leaf in &words.leaves {
                        // The whole listing is code already.
                        let marks: Vec<Mark> =
                            leaf.marks.iter().filter(|mark| **mark != Mark::Code).cloned().collect();
                        write_marked(&marks, out, |out| line.write(leaf.text.len(), out));
                    }
                }
                Inline::Node(node) => self.noted(node, line, out),
            }
        }
    }

    /// Renders a part of a line that has an annotation, or that is a value.
    fn noted(&self, node: &'a InlineNode, line: &mut Line<'_>, out: &mut String) {
        let length = self.shown_text(node).len();
        let body = node.fragments.first().map_or(&[][..], |fragment| fragment.nodes.as_slice());
        if node.kind != InlineKind::Annotation || body.is_empty() {
            return line.write(length, out);
        }
        let id = self.own_id("note");
        let mut words = String::new();
        line.write(length, &mut words);
        html! { button.annotation type="button" popovertarget=(id) { (PreEscaped(words)) } }.render_to(out);
        let title = inline_text(&node.nodes);
        let note =
            html! { div.note popover="" id=(id) role="note" aria-label=(title) { (self.blocks(body)) } };
        self.add_note(note);
    }

    /// Renders a diagram as its source, which a script or server may draw.
    fn diagram(&self, block: &'a Block) -> Markup {
        let title = block.str("title").filter(|title| !title.is_empty()).unwrap_or(self.words.diagram);
        html! {
            figure.diagram data-diagram="mermaid" {
                figcaption { (title) }
                pre dir="ltr" tabindex="0" { code { (self.code_lines(block)) } }
            }
        }
    }
}
