//! HTML → a tree as browsers build it, in bounded time and memory.

mod attribute_limit;
mod bounded_sink;
mod sink;

use html5ever::{Attribute, QualName, ns};
use std::rc::Rc;

/// Index of a node in its [`Dom`].
pub(super) type Id = usize;

/// HTML tree. Nodes are identified by their index; the first is the document itself.
pub(super) struct Dom {
    nodes: Vec<Node>,
}

/// Node of the tree.
pub(super) struct Node {
    pub(super) data: Data,
    parent: Option<Id>,
    children: Vec<Id>,
    /// Number of ancestors at insertion.
    depth: usize,
}

/// Content of a node.
pub(super) enum Data {
    /// The document, or the content of a template.
    Root,
    Text(String),
    Element(Element),
    /// Comments and other nodes without visible content.
    Silent,
}

/// An element with its attributes.
pub(super) struct Element {
    name: Rc<QualName>,
    attributes: Vec<Attribute>,
}

impl Element {
    /// Returns the name, in lower case unless it is an SVG name.
    pub(super) fn name(&self) -> &str {
        &self.name.local
    }

    /// Returns whether this is an HTML element, as opposed to SVG or MathML.
    pub(super) fn is_html(&self) -> bool {
        self.name.ns == ns!(html)
    }

    /// Returns the value of an attribute; empty for one without a value.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| &*attribute.name.local == name).map(|found| &*found.value)
    }

    /// Returns whether the attribute is present.
    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns the words of the `class` attribute.
    pub(super) fn classes(&self) -> impl Iterator<Item = &str> {
        self.get("class").unwrap_or_default().split_ascii_whitespace()
    }

    /// Returns whether the `class` attribute contains one of these words.
    pub(super) fn has_class(&self, wanted: &[&str]) -> bool {
        self.classes().any(|class| wanted.contains(&class))
    }

    /// Returns whether a word of the `class` attribute has this prefix, since build tools append hashes to class names.
    pub(super) fn has_class_prefix(&self, prefix: &str) -> bool {
        self.classes().any(|class| class.starts_with(prefix))
    }
}

impl Dom {
    /// Parses a text.
    pub(super) fn parse(text: &str) -> Self {
        let text = attribute_limit::limit_attributes(text);
        // If unclosed formatting produces too many nodes, the page is parsed again without formatting.
        let nodes = bounded_sink::build(&text, true).or_else(|| bounded_sink::build(&text, false));
        Self { nodes: nodes.unwrap_or_default() }
    }

    /// Id of the document.
    pub(super) const ROOT: Id = 0;

    pub(super) fn data(&self, id: Id) -> Option<&Data> {
        self.nodes.get(id).map(|node| &node.data)
    }

    pub(super) fn element(&self, id: Id) -> Option<&Element> {
        match self.data(id)? {
            Data::Element(element) => Some(element),
            Data::Root | Data::Text(_) | Data::Silent => None,
        }
    }

    pub(super) fn children(&self, id: Id) -> &[Id] {
        self.nodes.get(id).map_or(&[], |node| node.children.as_slice())
    }

    /// Returns the child elements of a node.
    pub(super) fn child_elements(&self, id: Id) -> impl Iterator<Item = (Id, &Element)> {
        self.children(id).iter().filter_map(|child| Some((*child, self.element(*child)?)))
    }

    pub(super) fn parent(&self, id: Id) -> Option<Id> {
        self.nodes.get(id)?.parent
    }

    /// Returns the elements around a node, the nearest first.
    pub(super) fn ancestors(&self, id: Id) -> impl Iterator<Item = &Element> {
        std::iter::successors(self.parent(id), |id| self.parent(*id)).filter_map(|id| self.element(id))
    }

    /// Returns whether a node is a descendant of another.
    pub(super) fn is_below(&self, id: Id, other: Id) -> bool {
        std::iter::successors(self.parent(id), |id| self.parent(*id)).any(|ancestor| ancestor == other)
    }

    /// Returns a node and its descendants in document order, without recursion.
    pub(super) fn descendants(&self, id: Id) -> impl Iterator<Item = Id> {
        let mut stack = vec![id];
        std::iter::from_fn(move || {
            let next = stack.pop()?;
            stack.extend(self.children(next).iter().rev());
            Some(next)
        })
    }

    /// Returns the first descendant element that matches.
    pub(super) fn find(&self, id: Id, wanted: impl Fn(&Element) -> bool) -> Option<Id> {
        self.descendants(id).skip(1).find(|found| self.element(*found).is_some_and(&wanted))
    }

    /// Returns all text below a node, unchanged.
    pub(super) fn text(&self, id: Id) -> String {
        let mut out = String::new();
        for found in self.descendants(id) {
            if let Some(Data::Text(text)) = self.data(found) {
                out.push_str(text);
            }
        }
        out
    }
}
