//! Builder of running text, shared by the readers of Markdown, HTML and DOCX.
//!
//! The builder merges adjacent text with equal marks, collapses white space on request, collects the content of links
//! and annotations, captures text that becomes a property, and keeps nodes out of links that cannot contain them. The
//! readers determine the [`Format`] of a run: [`html`](crate::html) and [`docx`](crate::docx) inherit it from the
//! enclosing elements; Markdown and the HTML in it, where elements need not nest, count open marks ([`OpenMarks`]). The
//! length of running text is bounded where it enters a document ([`Meter`](crate::document::Meter)).

mod format;
mod leaves;
mod open_marks;
#[cfg(test)]
mod tests;

pub(crate) use format::{Format, link_node};
pub(crate) use open_marks::OpenMarks;

use crate::document::{Inline, InlineKind, InlineNode};
use crate::text::inline_text;
use leaves::{push_leaf, trim_end};
use std::borrow::Cow;
use std::rc::Rc;

/// Running text under construction.
#[derive(Debug, Default)]
pub(crate) struct InlineBuilder {
    out: Vec<Inline>,
    /// Open link or annotation, and its content.
    link: Option<(Rc<InlineNode>, Vec<Inline>)>,
    /// Text that is captured instead of being added.
    captured: Option<String>,
    /// White space to add if more text follows, in its original format.
    pending: Option<Format>,
    /// The line has content, so white space is kept.
    has_words: bool,
}

impl InlineBuilder {
    /// Adds text unchanged. A line feed is a hard break.
    pub(crate) fn text(&mut self, text: &str, format: &Format) {
        self.settle(format);
        self.push(text, format);
    }

    /// Adds text with HTML's rules for white space, which collapses and is removed at the edges of lines.
    pub(crate) fn collapsed(&mut self, text: &str, format: &Format) {
        self.collapsed_then(text, format, |words| Cow::Borrowed(words));
    }

    /// Adds text whose white space is collapsed before decoding, so that character references to white space are kept.
    pub(crate) fn collapsed_then(&mut self, text: &str, format: &Format, decode: fn(&str) -> Cow<'_, str>) {
        if text.starts_with(is_space) && self.has_words && self.pending.is_none() {
            self.pending = Some(format.clone());
        }
        let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return;
        }
        self.text(&decode(&words.join(" ")), format);
        if text.ends_with(is_space) {
            self.pending = Some(format.clone());
        }
    }

    /// Adds a line break.
    pub(crate) fn line_break(&mut self, format: &Format) {
        if let Some(text) = &mut self.captured {
            text.push('\n');
            return;
        }
        self.pending = None;
        self.push("\n", format);
    }

    /// Adds a node, or its text if the node is not allowed: a link can only contain images, an annotation and captured
    /// text no nodes.
    pub(crate) fn node(&mut self, node: InlineNode, format: &Format) {
        self.settle(format);
        self.has_words = true;
        let has_room = self.captured.is_none()
            && format
                .link
                .as_ref()
                .is_none_or(|link| link.kind == InlineKind::Link && node.kind == InlineKind::InlineImage);
        if has_room {
            self.target(format.link.as_ref()).push(node.into());
        } else {
            self.push(&inline_text(&[node.into()]), format);
        }
    }

    /// Adds finished content after any link.
    pub(crate) fn append(&mut self, nodes: Vec<Inline>) {
        self.close_link();
        for node in nodes {
            match node {
                Inline::Text(text) => {
                    for leaf in text.leaves {
                        push_leaf(&mut self.out, &leaf.text, leaf.marks);
                    }
                }
                Inline::Node(_) => self.out.push(node),
            }
        }
    }

    /// Adds pending white space before content of this format. The space only gets the marks of both sides, and is in a
    /// link only if both sides are in it.
    pub(crate) fn settle(&mut self, next: &Format) {
        let Some(mut space) = self.pending.take() else { return };
        if let Some(text) = &mut self.captured {
            text.push(' ');
            return;
        }
        space.marks.retain(|mark| next.marks.contains(mark));
        let is_shared =
            matches!((&space.link, &next.link), (Some(before), Some(after)) if Rc::ptr_eq(before, after));
        if !is_shared {
            space.link = None;
        }
        push_leaf(self.target(space.link.as_ref()), " ", space.marks);
    }

    /// Opens a link or an annotation, which is added even if it stays empty. Its runs have the same `Rc` in their
    /// format.
    pub(crate) fn open_link(&mut self, link: &Rc<InlineNode>) {
        self.target(Some(link));
    }

    /// Removes the open link, and returns its content.
    pub(crate) fn take_link(&mut self) -> Vec<Inline> {
        self.link.take().map(|(_, nodes)| nodes).unwrap_or_default()
    }

    /// Captures the following content as plain text.
    pub(crate) fn capture(&mut self) {
        self.captured = Some(String::new());
    }

    /// Ends capturing and returns the text. Trailing white space stays pending.
    pub(crate) fn take_captured(&mut self) -> String {
        self.captured.take().unwrap_or_default()
    }

    /// Returns the last added node, if nothing follows it.
    pub(crate) fn last_node_mut(&mut self) -> Option<&mut InlineNode> {
        let nodes = self.link.as_mut().map_or(&mut self.out, |(_, nodes)| nodes);
        match nodes.last_mut() {
            Some(Inline::Node(node)) => Some(node),
            _ => None,
        }
    }

    /// Returns whether nothing was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.out.is_empty() && self.link.is_none()
    }

    /// Returns the content.
    pub(crate) fn finish(mut self) -> Vec<Inline> {
        self.close_link();
        self.out
    }

    /// Returns the content without trailing white space and line breaks, which would be invisible.
    pub(crate) fn finish_line(self) -> Vec<Inline> {
        let mut nodes = self.finish();
        trim_end(&mut nodes);
        nodes
    }

    fn push(&mut self, text: &str, format: &Format) {
        if let Some(captured) = &mut self.captured {
            captured.push_str(text);
            return;
        }
        if text.is_empty() {
            return;
        }
        self.has_words = !text.ends_with('\n');
        push_leaf(self.target(format.link.as_ref()), text, format.marks.clone());
    }

    /// Returns the list for runs of a format: the content of their link, or the list outside links.
    fn target(&mut self, link: Option<&Rc<InlineNode>>) -> &mut Vec<Inline> {
        let is_open = matches!((&self.link, link), (Some((open, _)), Some(link)) if Rc::ptr_eq(open, link));
        if !is_open {
            self.close_link();
            self.link = link.map(|link| (Rc::clone(link), Vec::new()));
        }
        match &mut self.link {
            Some((_, nodes)) => nodes,
            None => &mut self.out,
        }
    }

    fn close_link(&mut self) {
        let Some((link, nodes)) = self.link.take() else { return };
        self.out.push(InlineNode { nodes, ..Rc::unwrap_or_clone(link) }.into());
    }
}

/// Returns whether a character is HTML white space, which excludes the no-break space.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{c}' | '\r')
}
