//! HTML → a tree, as browsers build it, in bounded time and memory.

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, QualName, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The place of a node in its [`Dom`].
pub(super) type Id = usize;

/// A tree of HTML. Nodes are known by their place; the document itself is the first.
pub(super) struct Dom {
    nodes: Vec<Node>,
}

/// A node of the tree.
pub(super) struct Node {
    pub(super) data: Data,
    parent: Option<Id>,
    children: Vec<Id>,
    /// Elements above it, when it was put into the tree.
    depth: usize,
}

/// What a node is.
pub(super) enum Data {
    /// The document, or the inside of a template.
    Root,
    Text(String),
    Element(Element),
    /// Comments and the like, which show nothing.
    Silent,
}

/// An element with its attributes.
pub(super) struct Element {
    name: Rc<QualName>,
    attributes: Vec<Attribute>,
}

impl Element {
    /// The name, in small letters unless it is one of SVG's.
    pub(super) fn name(&self) -> &str {
        &self.name.local
    }

    /// Whether it belongs to HTML itself, not to SVG or MathML.
    pub(super) fn is_html(&self) -> bool {
        self.name.ns == ns!(html)
    }

    /// The value of an attribute; empty for one without a value.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| &*attribute.name.local == name).map(|found| &*found.value)
    }

    /// Whether it has an attribute.
    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The words of its `class`.
    pub(super) fn classes(&self) -> impl Iterator<Item = &str> {
        self.get("class").unwrap_or_default().split_ascii_whitespace()
    }

    /// Whether its `class` has one of these words.
    pub(super) fn has_class(&self, wanted: &[&str]) -> bool {
        self.classes().any(|class| wanted.contains(&class))
    }

    /// Whether a word of its `class` begins so: builds add hashes to the names of classes.
    pub(super) fn has_class_prefix(&self, prefix: &str) -> bool {
        self.classes().any(|class| class.starts_with(prefix))
    }
}

impl Dom {
    /// Builds the tree of a text.
    pub(super) fn parse(text: &str) -> Self {
        let text = tame(text);
        build(&text, true).or_else(|| build(&text, false)).unwrap_or(Self { nodes: Vec::new() })
    }

    /// The document.
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

    /// The child elements of a node.
    pub(super) fn child_elements(&self, id: Id) -> impl Iterator<Item = (Id, &Element)> {
        self.children(id).iter().filter_map(|child| Some((*child, self.element(*child)?)))
    }

    pub(super) fn parent(&self, id: Id) -> Option<Id> {
        self.nodes.get(id)?.parent
    }

    /// The elements around a node, the nearest first.
    pub(super) fn ancestors(&self, id: Id) -> impl Iterator<Item = &Element> {
        std::iter::successors(self.parent(id), |id| self.parent(*id)).filter_map(|id| self.element(id))
    }

    /// Whether a node lies below another.
    pub(super) fn is_below(&self, id: Id, other: Id) -> bool {
        std::iter::successors(self.parent(id), |id| self.parent(*id)).any(|ancestor| ancestor == other)
    }

    /// A node and everything below it in document order, however deep.
    pub(super) fn descendants(&self, id: Id) -> impl Iterator<Item = Id> {
        let mut stack = vec![id];
        std::iter::from_fn(move || {
            let next = stack.pop()?;
            stack.extend(self.children(next).iter().rev());
            Some(next)
        })
    }

    /// The first element below a node that is as wanted.
    pub(super) fn find(&self, id: Id, wanted: impl Fn(&Element) -> bool) -> Option<Id> {
        self.descendants(id).skip(1).find(|found| self.element(*found).is_some_and(&wanted))
    }

    /// All text below a node, as it is written.
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

/// Tags deeper than this are passed over, and their content is part of what is around them. Browsers stop at 512.
const MAX_OPEN: usize = 200;

/// More attributes than this make no tag.
const MAX_ATTRIBUTES: usize = 500;

/// Elements that browsers open again in the next block if nobody closed them, so that a few bytes can become many nodes.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

/// Elements whose content isn't markup; without their tag it would be read as such.
const RAW: [&str; 12] = [
    "script",
    "style",
    "title",
    "textarea",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "template",
    "select",
];

/// Takes tags with masses of attributes for text: the tokenizer compares each attribute with all before it.
fn tame(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut cuts = Vec::new();
    let mut at = 0;
    while let Some(start) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'<')) {
        let start = at + start;
        let (end, attributes) = measure(bytes.get(start + 1..).unwrap_or_default());
        if attributes > MAX_ATTRIBUTES {
            cuts.push(start);
        }
        at = start + 1 + end;
    }
    if cuts.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + cuts.len() * 3);
    let mut from = 0;
    for cut in cuts {
        out.push_str(text.get(from..cut).unwrap_or_default());
        out.push_str("&lt;");
        from = cut + 1;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// How long what looks like a tag is, and how many attributes it may have at most.
fn measure(tag: &[u8]) -> (usize, usize) {
    if !tag.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/') {
        return (0, 0);
    }
    let (mut quote, mut attributes, mut separated) = (None, 0, false);
    for (at, byte) in tag.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) => quote = (open != *byte).then_some(open),
            (None, b'>') => return (at, attributes),
            (None, b'"' | b'\'') => {
                quote = Some(*byte);
                attributes += 1;
            }
            (None, b' ' | b'\t' | b'\n' | b'\r' | 0x0c | b'/') => separated = true,
            (None, _) => attributes += usize::from(std::mem::take(&mut separated)),
        }
    }
    (tag.len(), attributes)
}

/// Builds the tree; `None` when formatting that nobody closed makes far more nodes than there is text.
fn build(text: &str, formatting: bool) -> Option<Dom> {
    use html5ever::TokenizerResult;
    use html5ever::buffer_queue::BufferQueue;
    use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
    use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
    let sink = Sink::new(if formatting { 10_000 + text.len() / 3 } else { usize::MAX });
    let builder = TreeBuilder::new(sink, TreeBuilderOpts::default());
    let tokenizer =
        Tokenizer::new(Gate { builder, formatting, refused: Cell::new(0) }, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(text));
    // The tokenizer pauses for scripts, which nobody runs here.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let sink = tokenizer.sink.builder.sink;
    let is_over = sink.is_over();
    (!is_over).then(|| Dom { nodes: sink.nodes.into_inner() })
}

/// Stands before the tree builder and keeps from it what would make the tree too deep or too large.
struct Gate {
    builder: html5ever::tree_builder::TreeBuilder<Handle, Sink>,
    formatting: bool,
    /// Start tags that were passed over, and whose end tags have not come yet.
    refused: Cell<usize>,
}

impl Gate {
    fn refuses(&self, tag: &html5ever::tokenizer::Tag) -> bool {
        use html5ever::tokenizer::TagKind;
        let name = &*tag.name;
        if RAW.contains(&name) {
            return false;
        }
        if !self.formatting && FORMATTING.contains(&name) {
            return true;
        }
        match tag.kind {
            TagKind::StartTag if self.builder.sink.open.get() > MAX_OPEN => {
                self.refused.set(self.refused.get() + 1);
                true
            }
            TagKind::EndTag if self.refused.get() > 0 => {
                self.refused.set(self.refused.get() - 1);
                true
            }
            TagKind::StartTag | TagKind::EndTag => false,
        }
    }
}

impl html5ever::tokenizer::TokenSink for Gate {
    type Handle = Handle;

    fn process_token(
        &self,
        token: html5ever::tokenizer::Token,
        line: u64,
    ) -> html5ever::tokenizer::TokenSinkResult<Handle> {
        use html5ever::tokenizer::{Token, TokenSinkResult};
        let refused = match &token {
            Token::TagToken(tag) => self.refuses(tag),
            Token::EOFToken => false,
            _ => self.builder.sink.is_over(),
        };
        if refused { TokenSinkResult::Continue } else { self.builder.process_token(token, line) }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// A node as the tree builder knows it: its place, and its name if it is an element.
#[derive(Clone)]
struct Handle {
    id: Id,
    name: Rc<QualName>,
}

/// Takes the tree from the tree builder.
struct Sink {
    nodes: RefCell<Vec<Node>>,
    /// How many nodes there may be.
    budget: usize,
    /// How deep what is open now lies, as far as the tree builder tells.
    open: Cell<usize>,
    /// The name of what has none.
    nameless: Rc<QualName>,
}

impl Sink {
    fn new(budget: usize) -> Self {
        let nameless = Rc::new(QualName::new(None, ns!(), html5ever::LocalName::default()));
        let root = Node { data: Data::Root, parent: None, children: Vec::new(), depth: 0 };
        Self { nodes: RefCell::new(vec![root]), budget, open: Cell::new(0), nameless }
    }

    fn is_over(&self) -> bool {
        self.nodes.borrow().len() > self.budget
    }

    fn add(&self, data: Data, name: Rc<QualName>) -> Handle {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { data, parent: None, children: Vec::new(), depth: 0 });
        Handle { id: nodes.len() - 1, name }
    }

    /// Puts a node or text below a parent, before the child at a place.
    fn insert(&self, parent: Id, at: Option<usize>, child: NodeOrText<Handle>) {
        let nodes = &mut *self.nodes.borrow_mut();
        let Some((depth, count)) = nodes.get(parent).map(|node| (node.depth, node.children.len())) else {
            return;
        };
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

/// Takes a node away from its parent.
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
        // What a template holds stays below it: nobody looks into either.
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
        let place = {
            let nodes = self.nodes.borrow();
            let parent = nodes.get(sibling.id).and_then(|node| node.parent);
            let find = |parent: Id| nodes.get(parent)?.children.iter().rposition(|id| *id == sibling.id);
            parent.and_then(|parent| Some((parent, find(parent)?)))
        };
        if let Some((parent, at)) = place {
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
