//! Words with a note.

use super::{InlineReader, OpenLink, push_leaf};
use crate::document::{Block, Fragment, Inline, InlineKind, InlineNode};

impl InlineReader<'_> {
    /// Begins words with a note.
    pub(crate) fn open_annotation(&mut self) {
        if self.capture.is_some() {
            return;
        }
        self.close_link();
        self.flush_space();
        let node = InlineNode::new(InlineKind::Annotation);
        self.link = Some(OpenLink { node, href: String::new(), element: true, id: None });
    }

    /// Whether words with a note are open.
    pub(crate) fn is_annotating(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.node.kind == InlineKind::Annotation)
    }

    /// Sets the note of the words that are open.
    pub(crate) fn note(&mut self, body: Vec<Block>) {
        if let Some(link) = self.link.as_mut().filter(|link| link.node.fragments.is_empty()) {
            link.node.fragments.push(Fragment::with_role("annotation-body", body));
        }
    }

    /// Adds words with their note; without one they are just words.
    pub(super) fn close_annotation(&mut self, mut node: InlineNode) {
        if node.fragments.is_empty() {
            for inline in node.nodes {
                match inline {
                    Inline::Text(text) => {
                        for leaf in text.leaves {
                            push_leaf(&mut self.out, &leaf.text, leaf.marks);
                        }
                    }
                    Inline::Node(_) => self.out.push(inline),
                }
            }
        } else {
            node.nodes.retain(|node| matches!(node, Inline::Text(_)));
            self.out.push(Inline::Node(node));
        }
    }
}
