//! Conversion of comrak's inlines to inlines of documents, without recursion, since the nesting of inlines is
//! unbounded.

use super::Source;
use super::blocks::Reader;
use crate::document::{Fragment, Inline, InlineKind, InlineNode, Mark};
use crate::markdown::heading_id;
use crate::markdown_html::inlines::{InlineReader, Inlines};
use crate::markdown_html::{Element, Token, targets, tokens};
use comrak::arena_tree::NodeEdge;
use comrak::nodes::{Node, NodeValue};

/// Address prefix of the link around the annotated words of a footnote.
pub(crate) const FOOTNOTE_ANCHOR: &str = "#user-content-fn-";

/// Reads the inline content of a block at this depth.
pub(super) fn read<'a>(reader: &mut Reader<'a, '_>, parent: Node<'a>, depth: usize) -> Inlines {
    let mut walk = Walk {
        builder: InlineReader::new(reader.source.refs),
        source: reader.source,
        image: None,
        annotated: None,
    };
    for edge in parent.traverse().skip(1) {
        match edge {
            NodeEdge::Start(node) => walk.start(reader, node, depth),
            NodeEdge::End(node) if node.same_node(parent) => break,
            NodeEdge::End(node) => walk.end(node),
        }
    }
    walk.builder.finish()
}

/// Image whose alternative text is being read.
struct OpenImage<'a> {
    node: Node<'a>,
    alt: String,
}

struct Walk<'a, 'r> {
    builder: InlineReader<'r>,
    source: Source<'r>,
    image: Option<OpenImage<'a>>,
    /// Words before a footnote reference that the footnote annotates.
    annotated: Option<Vec<Inline>>,
}

impl<'a> Walk<'a, '_> {
    fn start(&mut self, reader: &mut Reader<'a, '_>, node: Node<'a>, depth: usize) {
        let value = node.data().value.clone();
        let source = reader.source;
        let restore = |text: &str| source.restore(text).into_owned();
        if let Some(image) = &mut self.image {
            // Alternative text is plain: marks are dropped, words are kept.
            match value {
                NodeValue::Text(text) => image.alt.push_str(&restore(&text)),
                NodeValue::Code(code) => image.alt.push_str(&restore(&code.literal)),
                NodeValue::Math(math) => image.alt.push_str(&restore(&math.literal)),
                NodeValue::ShortCode(emoji) => image.alt.push_str(&emoji.emoji),
                NodeValue::HtmlInline(html) => image.alt.push_str(&restore(&html)),
                NodeValue::SoftBreak | NodeValue::LineBreak => image.alt.push(' '),
                NodeValue::FootnoteReference(reference) => {
                    image.alt.push_str(&format!("[^{}]", restore(&reference.name)));
                }
                _ => {}
            }
            return;
        }
        match value {
            NodeValue::Text(text) => self.builder.text(&restore(&text)),
            NodeValue::SoftBreak => self.builder.text(" "),
            NodeValue::LineBreak => self.builder.text("\n"),
            NodeValue::Code(code) => self.builder.code(&restore(&code.literal)),
            NodeValue::HtmlInline(html) => self.html(&restore(&html)),
            NodeValue::Math(math) => self.math(&restore(&math.literal), math.display_math),
            NodeValue::ShortCode(emoji) => {
                let code = crate::emoji::code(&emoji.emoji);
                self.builder.node(InlineNode::new(InlineKind::Emoji).with("code", code));
            }
            NodeValue::Link(link) => self.builder.open_link(&restore(&link.url), &restore(&link.title)),
            NodeValue::Image(_) => self.image = Some(OpenImage { node, alt: String::new() }),
            NodeValue::FootnoteReference(reference) => {
                self.footnote(reader, &restore(&reference.name), depth)
            }
            value => {
                if let Some(mark) = mark(&value) {
                    self.builder.open_mark(mark);
                }
            }
        }
    }

    fn end(&mut self, node: Node<'a>) {
        if let Some(image) = self.image.take_if(|image| image.node.same_node(node)) {
            if let NodeValue::Image(link) = &node.data().value {
                let (url, title) = (self.source.restore(&link.url), self.source.restore(&link.title));
                self.builder.image(&url, &image.alt, &title, None);
            }
            return;
        }
        if self.image.is_some() {
            return;
        }
        match &node.data().value {
            NodeValue::Link(link) => {
                let next = node.next_sibling();
                let has_note =
                    next.is_some_and(|n| matches!(n.data().value, NodeValue::FootnoteReference(_)));
                if has_note && link.url.starts_with(FOOTNOTE_ANCHOR) {
                    self.annotated = self.builder.take_link();
                } else {
                    self.builder.close_link();
                }
            }
            value => {
                if let Some(mark) = mark(value) {
                    self.builder.close_mark(&mark);
                }
            }
        }
    }

    fn math(&mut self, formula: &str, display: bool) {
        if display {
            let formula = formula.trim();
            self.builder.node(InlineNode::new(InlineKind::InlineMath).with("formula", formula));
        } else {
            self.builder.text(&format!("${formula}$"));
        }
    }

    fn html(&mut self, html: &str) {
        for spanned in tokens(html) {
            let known = match &spanned.token {
                Token::Open(element) => self.builder.open(element),
                Token::Close(name) => self.builder.close(name),
                Token::Comment(comment) => {
                    self.builder.comment(comment);
                    true
                }
                Token::Text(_) | Token::Parsed(_) => false,
            };
            if let Token::Open(element) = &spanned.token {
                targets(element, self.source.refs);
            }
            if !known {
                match &spanned.token {
                    Token::Open(Element { name, .. }) | Token::Close(name) => self.source.refs.shown(name),
                    Token::Text(_) | Token::Comment(_) | Token::Parsed(_) => {}
                }
                self.builder.text(&spanned.source.replace('\n', " "));
            }
        }
    }

    fn footnote(&mut self, reader: &mut Reader<'a, '_>, name: &str, depth: usize) {
        let words = self.annotated.take();
        if let Some(note) = note(reader, name, words.as_deref(), depth) {
            self.builder.node(note);
            return;
        }
        for leaf in words.iter().flatten() {
            self.builder.text(&crate::text::inline_text(std::slice::from_ref(leaf)));
        }
        self.builder.text(&format!("[^{name}]"));
    }
}

/// Adds a footnote that annotates words, or its own name if there are none.
pub(super) fn note<'a>(
    reader: &mut Reader<'a, '_>,
    name: &str,
    words: Option<&[Inline]>,
    depth: usize,
) -> Option<InlineNode> {
    let body = reader.footnote(name, depth)?;
    let mut note = InlineNode::new(InlineKind::Annotation);
    note.nodes = words.map_or_else(|| vec![Inline::text(format!("[{name}]"))], <[Inline]>::to_vec);
    note.nodes.retain(|node| matches!(node, Inline::Text(_)));
    note.fragments.push(Fragment::with_role("annotation-body", body));
    Some(note)
}

fn mark(value: &NodeValue) -> Option<Mark> {
    match value {
        NodeValue::Strong => Some(Mark::Bold),
        NodeValue::Emph => Some(Mark::Italic),
        NodeValue::Strikethrough => Some(Mark::Strikethrough),
        _ => None,
    }
}

/// Removes the space between the words of a heading and its anchor.
pub(super) fn trim_at_anchor(heading: Node<'_>, content: &mut Inlines) {
    if content.anchor.is_none() {
        return;
    }
    let is_element = |node: Node<'_>| matches!(node.data().value, NodeValue::HtmlInline(_));
    if heading.first_child().is_some_and(is_element)
        && let Some(Inline::Text(text)) = content.nodes.first_mut()
        && let Some(leaf) = text.leaves.first_mut()
    {
        leaf.text = leaf.text.trim_start_matches(' ').to_owned();
    }
    if heading.last_child().is_some_and(is_element)
        && let Some(Inline::Text(text)) = content.nodes.last_mut()
        && let Some(leaf) = text.leaves.last_mut()
        && let Some(words) = leaf.text.strip_suffix(' ')
    {
        leaf.text = words.to_owned();
    }
    drop_empty(&mut content.nodes);
}

/// Removes the id at the end of a heading and returns it.
pub(super) fn take_id(heading: Node<'_>, nodes: &mut Vec<Inline>) -> Option<String> {
    let last = heading.last_child()?;
    let Some(Inline::Text(text)) = nodes.last() else { return None };
    let leaf = text.leaves.last().filter(|leaf| leaf.marks.is_empty())?;
    let (words, id) = heading_id::split(&leaf.text)?;
    let words = words.to_owned();
    let is_all = words.is_empty() && nodes.len() == 1 && text.leaves.len() == 1;
    if is_all || !matches!(last.data().value, NodeValue::Text(_)) {
        return None;
    }
    if let Some(Inline::Text(text)) = nodes.last_mut()
        && let Some(leaf) = text.leaves.last_mut()
    {
        leaf.text = words;
    }
    drop_empty(nodes);
    // There was an element between the words and the id.
    if let Some(Inline::Text(text)) = nodes.last_mut()
        && let Some(leaf) = text.leaves.last_mut()
    {
        leaf.text.truncate(leaf.text.trim_end_matches(' ').len());
    }
    Some(id)
}

/// Removes empty text.
fn drop_empty(nodes: &mut Vec<Inline>) {
    for node in &mut *nodes {
        if let Inline::Text(text) = node {
            text.leaves.retain(|leaf| !leaf.text.is_empty());
        }
    }
    nodes.retain(|node| !matches!(node, Inline::Text(text) if text.leaves.is_empty()));
}
