//! Cells of pipe tables that contain blocks as HTML: `| <p>one</p><p>two</p> |`.

use super::blocks::Reader;
use super::inlines::note;
use crate::document::Block;
use crate::markdown_html::{Flow, Mixed, Parsed, Token, escape, knows_element, tokens};
use comrak::arena_tree::NodeEdge;
use comrak::nodes::{Node, NodeValue};

/// Block elements that occur in cells.
const BLOCKS: [&str; 19] = [
    "p",
    "ul",
    "ol",
    "li",
    "div",
    "blockquote",
    "pre",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "details",
    "table",
    "figure",
    "center",
    "section",
];

/// Returns the blocks of a cell at this depth; `None` for a cell with only running text.
pub(super) fn blocks<'a>(reader: &mut Reader<'a, '_>, cell: Node<'a>, depth: usize) -> Option<Vec<Block>> {
    if !cell.descendants().any(has_block) {
        return None;
    }
    let mut writer = Writer { mixed: Mixed::default(), image: None };
    for edge in cell.traverse().skip(1) {
        match edge {
            NodeEdge::End(node) if node.same_node(cell) => break,
            NodeEdge::Start(node) => writer.start(reader, node, depth),
            NodeEdge::End(node) => writer.end(reader, node),
        }
    }
    let tokens = writer.mixed.tokens();
    let mut blocks = Flow::mixed(&tokens, &writer.mixed.parsed, reader.source.refs).all(depth);
    // An empty cell has an empty paragraph as content.
    if matches!(blocks.as_slice(), [only] if *only == Block::paragraph(Vec::new())) {
        blocks.clear();
    }
    Some(blocks)
}

fn has_block(node: Node<'_>) -> bool {
    let NodeValue::HtmlInline(html) = &node.data().value else { return false };
    let is_block =
        |token: &Token<'_>| matches!(token, Token::Open(element) if BLOCKS.contains(&element.name.as_str()));
    tokens(html).iter().any(|spanned| is_block(&spanned.token))
}

/// Writer of a cell as HTML.
struct Writer<'a> {
    mixed: Mixed,
    /// Image whose alternative text is being read.
    image: Option<(Node<'a>, String)>,
}

impl<'a> Writer<'a> {
    fn start(&mut self, reader: &mut Reader<'a, '_>, node: Node<'a>, depth: usize) {
        let value = node.data().value.clone();
        let source = reader.source;
        let restored = |text: &str| escape(&source.restore(text));
        let html = match value {
            NodeValue::Text(text) => restored(&text),
            NodeValue::SoftBreak => " ".to_owned(),
            NodeValue::LineBreak => "<br>".to_owned(),
            NodeValue::Code(code) => format!("<code>{}</code>", exact(&restored(&code.literal))),
            NodeValue::HtmlInline(html) => known(&source.restore(&html)),
            NodeValue::Math(math) if math.display_math => {
                format!("<span class=\"math\">{}</span>", exact(restored(&math.literal).trim()))
            }
            NodeValue::Math(math) => format!("${}$", restored(&math.literal)),
            NodeValue::ShortCode(emoji) => {
                crate::markdown::print::html_emoji(&crate::emoji::code(&emoji.emoji))
            }
            NodeValue::Link(link) => {
                let title = match link.title.as_str() {
                    "" => String::new(),
                    title => format!(" title=\"{}\"", restored(title)),
                };
                format!("<a href=\"{}\"{title}>", restored(&link.url))
            }
            NodeValue::Image(_) => {
                self.image = Some((node, String::new()));
                return;
            }
            NodeValue::FootnoteReference(reference) => {
                let name = source.restore(&reference.name).into_owned();
                if let Some(note) = note(reader, &name, None, depth).filter(|_| self.image.is_none()) {
                    self.mixed.push_parsed(Parsed::Inline(note));
                    return;
                }
                escape(&format!("[^{name}]"))
            }
            NodeValue::Strong => "<strong>".to_owned(),
            NodeValue::Emph => "<em>".to_owned(),
            NodeValue::Strikethrough => "<del>".to_owned(),
            _ => return,
        };
        match &mut self.image {
            // Alternative text is plain: marks are dropped, words are kept.
            Some((_, alt)) if html.starts_with('<') => {
                if let NodeValue::Code(code) = &node.data().value {
                    alt.push_str(&restored(&code.literal));
                }
            }
            Some((_, alt)) => alt.push_str(&html),
            None => self.mixed.html(&html),
        }
    }

    fn end(&mut self, reader: &Reader<'a, '_>, node: Node<'a>) {
        if let Some((_, alt)) = self.image.take_if(|(image, _)| image.same_node(node)) {
            if let NodeValue::Image(link) = &node.data().value {
                let part = |text: &str| escape(&reader.source.restore(text));
                let (src, title) = (part(&link.url), part(&link.title));
                self.mixed.html(&format!("<img src=\"{src}\" alt=\"{alt}\" title=\"{title}\">"));
            }
            return;
        }
        let end = match &node.data().value {
            NodeValue::Link(_) => "</a>",
            NodeValue::Strong => "</strong>",
            NodeValue::Emph => "</em>",
            NodeValue::Strikethrough => "</del>",
            _ => return,
        };
        if self.image.is_none() {
            self.mixed.html(end);
        }
    }
}

/// Returns HTML with unknown tags escaped.
fn known(html: &str) -> String {
    let is_known = |name: &str| knows_element(name) || matches!(name, "details" | "summary");
    let write = |spanned: &crate::markdown_html::Spanned<'_>| match &spanned.token {
        Token::Open(element) if !is_known(&element.name) => escape(spanned.source),
        Token::Close(name) if !is_known(name) => escape(spanned.source),
        _ => spanned.source.to_owned(),
    };
    tokens(html).iter().map(write).collect()
}

/// Returns text with its white space preserved.
fn exact(text: &str) -> String {
    text.replace(' ', "&#x20;")
}
