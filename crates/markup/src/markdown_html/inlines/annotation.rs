//! Annotated words.

use super::{InlineReader, OpenLink};
use crate::document::{Block, Fragment, Inline, InlineKind, InlineNode};
use std::rc::Rc;

impl InlineReader<'_> {
    /// Opens an annotation.
    pub(crate) fn open_annotation(&mut self) {
        if self.capture.is_some() {
            return;
        }
        self.close_link();
        self.settle();
        let node = Rc::new(InlineNode::new(InlineKind::Annotation));
        self.builder.open_link(&node);
        self.link = Some(OpenLink { node, note: None, href: String::new(), element: true, id: None });
    }

    /// Returns whether an annotation is open.
    pub(crate) fn is_annotating(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.node.kind == InlineKind::Annotation)
    }

    /// Sets the note of the open annotation.
    pub(crate) fn note(&mut self, body: Vec<Block>) {
        if let Some(link) = &mut self.link {
            link.note.get_or_insert_with(|| Fragment::with_role("annotation-body", body));
        }
    }

    /// Adds annotated words with their note. Without a note, the words are plain.
    pub(super) fn close_annotation(&mut self, mut node: InlineNode, note: Option<Fragment>) {
        let Some(note) = note else {
            self.builder.append(node.nodes);
            return;
        };
        node.nodes.retain(|node| matches!(node, Inline::Text(_)));
        node.fragments.push(note);
        self.builder.append(vec![node.into()]);
    }
}
