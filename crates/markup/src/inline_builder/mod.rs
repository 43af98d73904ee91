//! Builds running text from runs: text, each run with its marks and its link. The common end of the readers of HTML and DOCX.

mod open_marks;

pub(crate) use open_marks::OpenMarks;

use crate::document::{ContentRef, Inline, InlineKind, InlineNode, Leaf, Mark, Text};
use crate::text::inline_text;
use std::rc::Rc;

/// A link around runs. InlineBuilder share one link if they share the `Rc`.
#[derive(Debug, PartialEq)]
pub(crate) struct RunLink {
    pub(crate) reference: ContentRef,
    pub(crate) title: Option<String>,
}

/// What a run looks like, and where it leads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Format {
    pub(crate) marks: Vec<Mark>,
    pub(crate) link: Option<Rc<RunLink>>,
}

impl Format {
    /// The same format with a mark; of several colors the last counts.
    #[must_use]
    pub(crate) fn with(&self, mark: Mark) -> Self {
        let mut format = self.clone();
        format.add(mark);
        format
    }

    pub(crate) fn add(&mut self, mark: Mark) {
        if matches!(mark, Mark::Color { .. }) {
            self.remove_color();
        }
        if !self.marks.contains(&mark) {
            self.marks.push(mark);
            self.marks.sort();
        }
    }

    pub(crate) fn remove_color(&mut self) {
        self.marks.retain(|mark| !matches!(mark, Mark::Color { .. }));
    }

    pub(crate) fn remove(&mut self, mark: &Mark) {
        self.marks.retain(|known| known != mark);
    }

    /// The text and background colors, if there are any.
    pub(crate) fn color(&self) -> Option<(&str, &str)> {
        self.marks.iter().find_map(|mark| match mark {
            Mark::Color { text, background } => Some((text.as_str(), background.as_str())),
            _ => None,
        })
    }
}

/// Running text that is being built.
#[derive(Debug, Default)]
pub(crate) struct InlineBuilder {
    out: Vec<Inline>,
    /// The link that is being filled.
    link: Option<(Rc<RunLink>, Vec<Inline>)>,
    /// White space that shows only if something follows, in the format it was written in.
    pending: Option<Format>,
    /// Whether something stands on the line, so that white space shows.
    has_words: bool,
}

impl InlineBuilder {
    /// Adds text as it is. A line feed is a hard break.
    pub(crate) fn text(&mut self, text: &str, format: &Format) {
        self.flush(format);
        self.push(text, format);
    }

    /// Adds text whose white space collapses, and goes at the edges of lines, as HTML's does.
    pub(crate) fn collapsed(&mut self, text: &str, format: &Format) {
        if text.starts_with(is_space) && self.has_words && self.pending.is_none() {
            self.pending = Some(format.clone());
        }
        let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return;
        }
        self.text(&words.join(" "), format);
        if text.ends_with(is_space) {
            self.pending = Some(format.clone());
        }
    }

    /// Adds a line break.
    pub(crate) fn line_break(&mut self, format: &Format) {
        self.pending = None;
        self.push("\n", format);
        self.has_words = false;
    }

    /// Adds a node. In a link only images can stand; of others the words do.
    pub(crate) fn node(&mut self, node: InlineNode, format: &Format) {
        self.flush(format);
        self.has_words = true;
        if format.link.is_some() && node.kind != InlineKind::InlineImage {
            self.push(&inline_text(&[Inline::Node(node)]), format);
        } else {
            self.target(format.link.as_ref()).push(Inline::Node(node));
        }
    }

    /// Whether nothing was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.out.is_empty() && self.link.is_none()
    }

    /// What was built, without line breaks at its end.
    pub(crate) fn finish(mut self) -> Vec<Inline> {
        self.close_link();
        trim_end(&mut self.out);
        self.out
    }

    /// Adds the white space before what comes in a format. It has only what is on both sides of it.
    fn flush(&mut self, next: &Format) {
        let Some(mut space) = self.pending.take() else { return };
        space.marks.retain(|mark| next.marks.contains(mark));
        let is_shared =
            matches!((&space.link, &next.link), (Some(before), Some(after)) if Rc::ptr_eq(before, after));
        if !is_shared {
            space.link = None;
        }
        self.push(" ", &space);
    }

    fn push(&mut self, text: &str, format: &Format) {
        if text.is_empty() {
            return;
        }
        self.has_words = !text.ends_with('\n');
        push_leaf(self.target(format.link.as_ref()), text, format.marks.clone());
    }

    /// Where runs of a format go: into their link, or beside of any.
    fn target(&mut self, link: Option<&Rc<RunLink>>) -> &mut Vec<Inline> {
        let stays = self
            .link
            .as_ref()
            .map(|open| &open.0)
            .is_some_and(|open| link.is_some_and(|link| Rc::ptr_eq(open, link)));
        if !stays {
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
        let Inline::Node(mut node) = Inline::link(&link.reference, nodes) else { return };
        if let Some(title) = &link.title {
            node.data.insert("title".to_owned(), title.as_str().into());
        }
        self.out.push(Inline::Node(node));
    }
}

/// What HTML takes for white space; a no-break space isn't.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{c}' | '\r')
}

fn push_leaf(nodes: &mut Vec<Inline>, text: &str, marks: Vec<Mark>) {
    if let Some(Inline::Text(Text { leaves, .. })) = nodes.last_mut() {
        match leaves.last_mut() {
            Some(last) if last.marks == marks => last.text.push_str(text),
            _ => leaves.push(Leaf { text: text.to_owned(), marks }),
        }
        return;
    }
    nodes.push(Inline::Text(Text { key: None, leaves: vec![Leaf { text: text.to_owned(), marks }] }));
}

/// Takes line breaks off the end: they show nothing there.
fn trim_end(nodes: &mut Vec<Inline>) {
    while let Some(last) = nodes.last_mut() {
        match last {
            Inline::Text(text) => trim_leaves(&mut text.leaves),
            Inline::Node(_) => return,
        }
        let is_empty = matches!(last, Inline::Text(text) if text.leaves.is_empty());
        if !is_empty {
            return;
        }
        nodes.pop();
    }
}

fn trim_leaves(leaves: &mut Vec<Leaf>) {
    while let Some(leaf) = leaves.last_mut() {
        leaf.text.truncate(leaf.text.trim_end_matches([' ', '\n']).len());
        if !leaf.text.is_empty() {
            return;
        }
        leaves.pop();
    }
}
