//! Format of runs.

use crate::document::{ContentRef, InlineKind, InlineNode, Mark};
use std::rc::Rc;

/// Marks of a run, and the link around it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Format {
    pub(crate) marks: Vec<Mark>,
    /// Link or annotation around the run, without content. Runs that share the `Rc` belong to the same one.
    pub(crate) link: Option<Rc<InlineNode>>,
}

impl Format {
    /// Returns the same format with a mark; the last of several colors wins.
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

    /// Returns the text and background colors.
    pub(crate) fn color(&self) -> Option<(&str, &str)> {
        self.marks.iter().find_map(|mark| match mark {
            Mark::Color { text, background } => Some((text.as_str(), background.as_str())),
            _ => None,
        })
    }
}

/// Returns a link to a reference, without content. An empty title is omitted.
pub(crate) fn link_node(reference: &ContentRef, title: &str) -> InlineNode {
    let mut node = InlineNode::new(InlineKind::Link).with("ref", reference.to_value());
    if !title.is_empty() {
        node.data.insert("title".to_owned(), title.into());
    }
    node
}
