//! Tree sink of the HTML parser.

use super::{Data, Dom, Element, Id, Node};
use crate::limits::html::{MAX_ATTRIBUTES, MAX_TREE_DEPTH};
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, QualName, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Reference of the tree builder to a node: its index, and its name if it is an element.
#[derive(Clone)]
pub(super) struct Handle {
    id: Id,
    name: Rc<QualName>,
}

/// Receives the tree from the tree builder.
pub(super) struct Sink {
    nodes: RefCell<Vec<Node>>,
    /// Maximum number of nodes, while formatting elements are kept.
    budget: Option<usize>,
    /// Reopened formatting exceeded the maximum depth.
    is_too_deep: Cell<bool>,
    /// Depth of the open elements, as last reported by the tree builder.
    open: Cell<usize>,
    /// Name returned for nodes without one.
    nameless: Rc<QualName>,
}

impl Sink {
    pub(super) fn new(budget: Option<usize>) -> Self {
        let nameless = Rc::new(QualName::new(None, ns!(), html5ever::LocalName::default()));
        let root = Node { data: Data::Root, parent: None, children: Vec::new(), depth: 0 };
        Self {
            nodes: RefCell::new(vec![root]),
            budget,
            is_too_deep: Cell::new(false),
            open: Cell::new(0),
            nameless,
        }
    }

    /// Returns whether the tree exceeds its maximum size or depth. Depth costs time, since the parser searches the open
    /// elements at each tag.
    pub(super) fn is_over(&self) -> bool {
        self.budget.is_some_and(|budget| self.is_too_deep.get() || self.nodes.borrow().len() > budget)
    }

    /// Returns the depth of the open elements.
    pub(super) fn open(&self) -> usize {
        self.open.get()
    }

    pub(super) fn into_nodes(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    fn add(&self, data: Data, name: Rc<QualName>) -> Handle {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { data, parent: None, children: Vec::new(), depth: 0 });
        Handle { id: nodes.len() - 1, name }
    }

    /// Inserts a node or text below a parent, before the child at an index.
    fn insert(&self, parent: Id, at: Option<usize>, child: NodeOrText<Handle>) {
        let nodes = &mut *self.nodes.borrow_mut();
        let Some((depth, count)) = nodes.get(parent).map(|node| (node.depth, node.children.len())) else {
            return;
        };
        self.is_too_deep.set(self.is_too_deep.get() || depth > MAX_TREE_DEPTH);
        let at = at.unwrap_or(count);
        let child = match child {
            NodeOrText::AppendNode(handle) => {
                detach(nodes, handle.id);
                if matches!(nodes.get(handle.id), Some(Node { data: Data::Element(_), .. })) {
                    self.open.set(depth + 1);
                }
                handle.id
            }
            NodeOrText::AppendText(text) => {
                self.open.set(depth);
                let before = at.checked_sub(1).and_then(|at| nodes.get(parent)?.children.get(at).copied());
                let before = before.and_then(|before| nodes.get_mut(before));
                if let Some(Node { data: Data::Text(existing), .. }) = before {
                    existing.push_str(&text);
                    return;
                }
                let data = Data::Text(text.to_string());
                nodes.push(Node { data, parent: None, children: Vec::new(), depth: 0 });
                nodes.len() - 1
            }
        };
        if let Some(node) = nodes.get_mut(child) {
            node.parent = Some(parent);
            node.depth = depth + 1;
        }
        if let Some(parent) = nodes.get_mut(parent) {
            let at = at.min(parent.children.len());
            parent.children.insert(at, child);
        }
    }
}

/// Removes a node from its parent.
fn detach(nodes: &mut [Node], id: Id) {
    let Some(parent) = nodes.get_mut(id).and_then(|node| node.parent.take()) else { return };
    let Some(parent) = nodes.get_mut(parent) else { return };
    if let Some(at) = parent.children.iter().rposition(|child| *child == id) {
        parent.children.remove(at);
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: Dom::ROOT, name: Rc::clone(&self.nameless) }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        target.name.expanded()
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> Handle {
        let name = Rc::new(name);
        self.add(Data::Element(Element { name: Rc::clone(&name), attributes }), name)
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.add(Data::Silent, Rc::clone(&self.nameless))
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.add(Data::Silent, Rc::clone(&self.nameless))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(parent.id, None, child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.nodes.borrow().get(element.id).is_some_and(|node| node.parent.is_some());
        if has_parent { self.append_before_sibling(element, child) } else { self.append(previous, child) }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn pop(&self, node: &Handle) {
        let depth = self.nodes.borrow().get(node.id).map_or(0, |node| node.depth);
        self.open.set(depth.saturating_sub(1));
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        // The content of a template stays below its node. Neither is read.
        target.clone()
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, new: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(handle) = &new {
            detach(&mut self.nodes.borrow_mut(), handle.id);
        }
        let position = {
            let nodes = self.nodes.borrow();
            let parent = nodes.get(sibling.id).and_then(|node| node.parent);
            let find = |parent: Id| nodes.get(parent)?.children.iter().rposition(|id| *id == sibling.id);
            parent.and_then(|parent| Some((parent, find(parent)?)))
        };
        if let Some((parent, at)) = position {
            self.insert(parent, Some(at), new);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        let nodes = &mut *self.nodes.borrow_mut();
        let Some(Node { data: Data::Element(element), .. }) = nodes.get_mut(target.id) else { return };
        for attribute in attributes {
            let is_there = element.attributes.iter().any(|known| known.name == attribute.name);
            if !is_there && element.attributes.len() < MAX_ATTRIBUTES {
                element.attributes.push(attribute);
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        detach(&mut self.nodes.borrow_mut(), target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let nodes = &mut *self.nodes.borrow_mut();
        let Some(children) = nodes.get_mut(node.id).map(|node| std::mem::take(&mut node.children)) else {
            return;
        };
        for child in &children {
            if let Some(child) = nodes.get_mut(*child) {
                child.parent = Some(new_parent.id);
            }
        }
        if let Some(new_parent) = nodes.get_mut(new_parent.id) {
            new_parent.children.extend(children);
        }
    }
}
