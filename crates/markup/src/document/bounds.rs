//! Bounds on the size of a document.

use super::{Block, Children, Document, Fragment, Inline, InlineNode};
use crate::limits::document::{CLOCK_INTERVAL, MAX_LINKS, MAX_NODES, MAX_TEXT};
use serde_json::{Map, Value};
use std::cell::Cell;

/// Bound that a document exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Excess {
    /// More than [`MAX_NODES`].
    #[error("must have at most {MAX_NODES} nodes (blocks, inline nodes and text leaves)")]
    Nodes,
    /// More than [`MAX_LINKS`].
    #[error("must have at most {MAX_LINKS} links")]
    Links,
    /// More than [`MAX_TEXT`].
    #[error("must have at most {MAX_TEXT} bytes of text")]
    Text,
    /// The caller aborted the parse.
    #[error("takes too long to parse")]
    Time,
}

impl Document {
    /// Returns the bound that the document exceeds, if any.
    #[must_use]
    pub fn excess(&self) -> Option<Excess> {
        let mut count = Count::default();
        count.blocks(&self.nodes);
        count.map(&self.data.extra);
        count.excess()
    }

    /// Returns the number of nodes as [`MAX_NODES`] counts them: blocks, inline nodes and leaves of text.
    #[must_use]
    pub fn node_count(&self) -> usize {
        let mut count = Count::default();
        count.blocks(&self.nodes);
        count.nodes
    }
}

/// Counts nodes, links and text during a read, and checks the time. A reader stops once the document is certain to be
/// refused.
pub(crate) struct Meter<'l> {
    /// Aborts the reader once it returns true; `None` for a reader without bounds.
    is_late: Option<&'l dyn Fn() -> bool>,
    steps: Cell<usize>,
    count: Cell<Count>,
    excess: Cell<Option<Excess>>,
}

impl<'l> Meter<'l> {
    pub(crate) fn new(is_late: &'l dyn Fn() -> bool) -> Self {
        Self { is_late: Some(is_late), ..Self::unbounded() }
    }

    pub(crate) const fn unbounded() -> Self {
        let (steps, excess) = (Cell::new(0), Cell::new(None));
        let count = Count { nodes: 0, links: 0, text: 0, is_shallow: true };
        Self { is_late: None, steps, count: Cell::new(count), excess }
    }

    /// Counts a step, and returns whether the reader may continue.
    pub(crate) fn count_step(&self) -> bool {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        let is_late =
            || steps.is_multiple_of(CLOCK_INTERVAL) && self.is_late.is_some_and(|is_late| is_late());
        if self.excess.get().is_none() && is_late() {
            self.excess.set(Some(Excess::Time));
        }
        self.excess.get().is_none()
    }

    /// Counts blocks and their text. Their child blocks were counted when they were created.
    pub(crate) fn blocks(&self, blocks: &[Block]) {
        self.counted(|count| {
            for block in blocks {
                count.nodes += 1;
                count.map(&block.data);
                count.inlines(block.child_inlines());
            }
        });
    }

    /// Counts the text of a block.
    pub(crate) fn words(&self, words: &[Inline]) {
        self.counted(|count| count.inlines(words));
    }

    fn counted(&self, add: impl FnOnce(&mut Count)) {
        if self.is_late.is_none() || self.excess.get().is_some() {
            return;
        }
        let mut count = self.count.get();
        add(&mut count);
        self.count.set(count);
        self.excess.set(count.excess());
    }

    /// Returns the bound at which the reader stopped, or which the document exceeds, as an error.
    pub(crate) fn check(&self, document: &Document) -> Result<(), Excess> {
        let exceeds = || self.is_late.and_then(|_| document.excess());
        self.excess.get().or_else(exceeds).map_or(Ok(()), Err)
    }
}

#[derive(Clone, Copy, Default)]
struct Count {
    nodes: usize,
    links: usize,
    text: usize,
    /// Blocks within text, such as footnotes, are not counted.
    is_shallow: bool,
}

impl Count {
    fn excess(&self) -> Option<Excess> {
        let bounds = [
            (self.nodes > MAX_NODES, Excess::Nodes),
            (self.links > MAX_LINKS, Excess::Links),
            (self.text > MAX_TEXT, Excess::Text),
        ];
        bounds.into_iter().find(|(is_passed, _)| *is_passed).map(|(_, excess)| excess)
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.nodes += 1;
            self.map(&block.data);
            block.meta.iter().for_each(|meta| self.map(meta));
            match &block.children {
                Children::Void => {}
                Children::Inlines(inlines) => self.inlines(inlines),
                Children::Blocks(blocks) => self.blocks(blocks),
            }
            self.fragments(&block.fragments);
        }
    }

    fn fragments(&mut self, fragments: &[Fragment]) {
        fragments.iter().for_each(|fragment| self.blocks(&fragment.nodes));
    }

    fn inlines(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            self.nodes += 1;
            match inline {
                Inline::Text(text) => {
                    // A leaf takes as much memory as a node.
                    self.nodes += text.leaves.len().saturating_sub(1);
                    self.text += text.leaves.iter().map(|leaf| leaf.text.len()).sum::<usize>();
                }
                Inline::Node(node) => self.inline(node),
            }
        }
    }

    fn inline(&mut self, node: &InlineNode) {
        self.map(&node.data);
        node.meta.iter().for_each(|meta| self.map(meta));
        self.inlines(&node.nodes);
        if !self.is_shallow {
            self.fragments(&node.fragments);
        }
    }

    fn map(&mut self, entries: &Map<String, Value>) {
        for (key, value) in entries {
            self.text += key.len();
            self.value(value);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => self.text += text.len(),
            Value::Array(items) => items.iter().for_each(|item| self.value(item)),
            Value::Object(entries) => {
                // Every object with a `kind` is a reference.
                self.links += usize::from(entries.get("kind").is_some_and(Value::is_string));
                self.map(entries);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{BlockKind, ContentRef, InlineKind};

    fn links(count: usize) -> Document {
        let link = || InlineNode::new(InlineKind::Link).with("ref", ContentRef::url("b").to_value());
        let inlines = (0..count).map(|_| Inline::from(link()));
        Document::new(vec![Block::inlines(BlockKind::Paragraph, inlines.collect())])
    }

    #[test]
    fn documents_at_their_bounds_are_taken_and_larger_ones_are_not() {
        let nodes = |count| Document::new(vec![Block::paragraph(Vec::new()); count]);
        let text =
            |count: usize| Document::new(vec![Block::paragraph(vec![Inline::text("a".repeat(count))])]);
        for (good, bad, excess) in [
            (nodes(MAX_NODES), nodes(MAX_NODES + 1), Excess::Nodes),
            (links(MAX_LINKS), links(MAX_LINKS + 1), Excess::Links),
            (text(MAX_TEXT), text(MAX_TEXT + 1), Excess::Text),
        ] {
            assert_eq!((good.excess(), bad.excess()), (None, Some(excess)));
        }
    }

    #[test]
    fn json_that_holds_too_much_is_refused_with_the_bound() {
        assert!(Document::from_json(&links(10).to_json()).is_ok());
        let errors = Document::from_json(&links(MAX_LINKS + 1).to_json()).unwrap_err();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors, ["document: must have at most 20000 links"]);
        // Documents stored before the bound existed stay readable.
        assert!(Document::from_stored_value(&links(MAX_LINKS + 1).to_json()).is_ok());
        let larger = Document::new(vec![Block::paragraph(Vec::new()); MAX_NODES + 1]);
        assert_eq!(Document::from_stored(larger.to_canonical_json().get().as_bytes()), Ok(larger));
    }
}
