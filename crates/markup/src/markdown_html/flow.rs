//! Conversion of HTML to blocks.

use super::{Element, Parsed, Spanned, Token, properties};
use crate::document::{Block, BlockKind, Children, Fragment, Inline, InlineKind, InlineNode};
use crate::headings;
use crate::limits::document::MAX_BLOCK_NESTING;
use crate::markdown::RefResolver;
use crate::markdown_html::inlines::{InlineReader, Inlines, is_inline_element};
use crate::text::block_text;
use std::collections::BTreeSet;

/// Layout elements, which are replaced by their content.
const WRAPPERS: [&str; 12] = [
    "div", "section", "center", "article", "header", "footer", "main", "nav", "aside", "address", "input",
    "hgroup",
];

/// Elements that become blocks.
const BLOCKS: [&str; 30] = [
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "hr",
    "figure",
    "figcaption",
    "table",
    "thead",
    "tbody",
    "tfoot",
    "tr",
    "td",
    "th",
    "caption",
    "colgroup",
    "col",
    "details",
    "dl",
    "dt",
    "dd",
    "textarea",
];

/// Media elements, and elements whose text is not content.
const MEDIA: [&str; 5] = ["iframe", "video", "audio", "script", "style"];

/// Elements that define the options of a select column.
const CHOICES: [&str; 2] = ["select", "option"];

/// Styles of hints.
const HINT_STYLES: [&str; 4] = ["info", "warning", "danger", "success"];

/// Reader of blocks from tokens.
pub(crate) struct Flow<'t, 'r> {
    pub(super) tokens: &'t [Spanned<'t>],
    at: usize,
    /// Content between the tokens that is already parsed.
    pub(super) parsed: &'t [Parsed],
    pub(super) refs: &'r dyn RefResolver,
    /// Last anchor that was not in a heading.
    pub(crate) anchor: Option<String>,
    /// Parts of the current block, and their depth.
    expected: Expected,
    /// Positions that are known not to be a row of figures. Their content is read a second time; without this set, the
    /// searches would double with each level.
    no_rows: BTreeSet<usize>,
    /// Depth of the top-level blocks.
    top: usize,
    /// The first top-level block is a first-rank heading.
    pub(crate) begins_with_title: bool,
}

/// Depth and kinds of the expected parts of a block.
type Expected = (usize, &'static [BlockKind]);

impl<'t, 'r> Flow<'t, 'r> {
    pub(crate) fn new(tokens: &'t [Spanned<'t>], refs: &'r dyn RefResolver) -> Self {
        Self {
            tokens,
            at: 0,
            parsed: &[],
            refs,
            anchor: None,
            expected: (0, &[]),
            no_rows: BTreeSet::new(),
            top: 0,
            begins_with_title: false,
        }
    }

    /// Creates a reader of tokens that alternate with content that is already parsed.
    pub(crate) fn mixed(tokens: &'t [Spanned<'t>], parsed: &'t [Parsed], refs: &'r dyn RefResolver) -> Self {
        Self { parsed, ..Self::new(tokens, refs) }
    }

    /// Returns whether every element can be turned into a block or an inline without losing visible content.
    pub(crate) fn knows(tokens: &[Spanned<'_>]) -> bool {
        let mut is_header = false;
        tokens.iter().all(|spanned| match &spanned.token {
            Token::Open(element) => {
                is_header |= element.name == "th";
                let is_choice = is_header && CHOICES.contains(&element.name.as_str());
                is_choice || (knows_element(&element.name) && element.name != "details")
            }
            Token::Close(name) => {
                is_header &= name != "th";
                knows_element(name) || CHOICES.contains(&name.as_str())
            }
            Token::Text(_) | Token::Comment(_) | Token::Parsed(_) => true,
        })
    }

    pub(super) fn peek(&self) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at).map(|spanned| &spanned.token)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn rewind(&mut self, position: usize) {
        self.at = position;
    }

    /// Records that no row of figures begins at a position.
    pub(super) fn no_row(&mut self, position: usize) {
        self.no_rows.insert(position);
    }

    /// Returns whether it is known that no row of figures begins at a position.
    pub(super) fn is_no_row(&self, position: usize) -> bool {
        self.no_rows.contains(&position)
    }

    /// Expects these parts at a depth and returns the previous expectation.
    pub(super) fn expect(&mut self, depth: usize, parts: &'static [BlockKind]) -> Expected {
        std::mem::replace(&mut self.expected, (depth, parts))
    }

    pub(super) fn restore(&mut self, before: Expected) {
        self.expected = before;
    }

    /// Returns whether a part of this kind is expected here.
    pub(super) fn expects(&self, kind: BlockKind, depth: usize) -> bool {
        self.expected.0 == depth && self.expected.1.contains(&kind)
    }

    /// Skips the end tag of an element, if it is next.
    pub(super) fn close(&mut self, name: &str) {
        if matches!(self.peek(), Some(Token::Close(closed)) if closed == name) {
            self.advance();
        }
    }

    /// Reads all blocks to the end.
    pub(crate) fn all(&mut self, depth: usize) -> Vec<Block> {
        self.top = depth;
        self.blocks(&|_| false, depth)
    }

    /// Reads inline content up to and including the end tag of an element.
    pub(crate) fn inlines_until(&mut self, name: &str, depth: usize) -> Vec<Inline> {
        let mut builder = InlineReader::new(self.refs);
        while let Some(token) = self.peek() {
            if self.note(token, &mut builder, depth) {
                continue;
            }
            self.advance();
            match token {
                Token::Close(closed) if closed == name => break,
                token => self.inline(token, &mut builder),
            }
        }
        builder.finish().nodes
    }

    /// Reads the note of an annotation: `<span data-annotation>words<aside>note</aside></span>`. Returns whether the
    /// token belongs to one.
    fn note(&mut self, token: &Token<'_>, builder: &mut InlineReader<'_>, depth: usize) -> bool {
        match token {
            Token::Open(span) if span.name == "span" && span.has("data-annotation") => {
                self.advance();
                builder.open_annotation();
                true
            }
            Token::Open(aside)
                if aside.name == "aside" && builder.is_annotating() && depth < MAX_BLOCK_NESTING =>
            {
                self.advance();
                let before = self.expect(depth + 3, &[]);
                let note = self.blocks(&|token| is_close(token, &["aside"]), depth + 3);
                self.restore(before);
                self.close("aside");
                builder.note(note);
                true
            }
            _ => false,
        }
    }

    /// Reads blocks up to a token that ends them, which is not consumed.
    pub(super) fn blocks(&mut self, ends: &dyn Fn(&Token<'_>) -> bool, depth: usize) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut builder = InlineReader::new(self.refs);
        while let Some(token) = self.peek().filter(|token| !ends(token)) {
            if self.note(token, &mut builder, depth) {
                continue;
            }
            self.advance();
            if !self.ends_line(token) {
                self.inline(token, &mut builder);
                continue;
            }
            let before = std::mem::replace(&mut builder, InlineReader::new(self.refs)).finish();
            self.end_paragraph(before, None, &mut blocks);
            match token {
                Token::Open(element) => self.block(element, depth, &mut blocks),
                Token::Parsed(index) => blocks.extend(self.parsed_block(*index).cloned()),
                Token::Close(_) | Token::Text(_) | Token::Comment(_) => {}
            }
        }
        self.end_paragraph(builder.finish(), None, &mut blocks);
        blocks
    }

    /// Returns whether a token ends a line of running text.
    fn ends_line(&self, token: &Token<'_>) -> bool {
        match token {
            Token::Open(element) => !is_inline_element(&element.name),
            Token::Close(name) => !is_inline_element(name),
            Token::Parsed(index) => self.parsed_block(*index).is_some(),
            Token::Text(_) | Token::Comment(_) => false,
        }
    }

    fn parsed_block(&self, index: usize) -> Option<&'t Block> {
        match self.parsed.get(index)? {
            Parsed::Block(block) => Some(block),
            Parsed::Inline(_) => None,
        }
    }

    fn inline(&self, token: &Token<'_>, builder: &mut InlineReader<'_>) {
        match token {
            Token::Text(raw) => builder.html_text(raw),
            Token::Open(element) => {
                builder.open(element);
            }
            Token::Close(name) => {
                builder.close(name);
            }
            Token::Comment(comment) => builder.comment(comment),
            Token::Parsed(index) => match self.parsed.get(*index) {
                Some(Parsed::Inline(node)) => builder.node(node.clone()),
                Some(Parsed::Block(block)) => builder.text(&block_text(block)),
                None => {}
            },
        }
    }

    fn end_paragraph(&mut self, inlines: Inlines, align: Option<&str>, blocks: &mut Vec<Block>) {
        if inlines.anchor.is_some() {
            self.anchor.clone_from(&inlines.anchor);
        }
        if let Some(block) = paragraph(inlines) {
            blocks.push(aligned(block, align));
        }
    }

    /// Reads the block of a start tag that was just consumed.
    fn block(&mut self, element: &Element, depth: usize, blocks: &mut Vec<Block>) {
        let name = element.name.as_str();
        if depth >= MAX_BLOCK_NESTING {
            return;
        }
        match name {
            "p" => self.text_block(element, None, depth, blocks),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.begins_with_title |= name == "h1" && depth == self.top && blocks.is_empty();
                let rank = name.trim_start_matches('h').parse().unwrap_or_default();
                self.text_block(element, Some(headings::kind_of(rank)), depth, blocks);
            }
            "ul" | "ol" => blocks.extend(self.list(element, depth)),
            "dl" => blocks.extend(self.definitions(depth)),
            "blockquote" => {
                let inner = self.blocks(&|token| is_close(token, &["blockquote"]), depth + 1);
                self.close(name);
                blocks.push(Block::blocks(BlockKind::Blockquote, inner));
            }
            "hr" => blocks.push(Block::void(BlockKind::Divider)),
            "pre" => {
                let code = self.preformatted(element);
                blocks.push(stated(element, code));
            }
            // Text that readers of the page can edit.
            "textarea" => {
                let code = self.preformatted(element);
                blocks.extend(Some(code).filter(|code| !block_text(code).trim().is_empty()));
            }
            "figure" => blocks.extend(self.figure(depth)),
            "details" => blocks.push(self.details(element, depth)),
            "div" if element.has("data-block") || custom_hint(element).is_some() => {
                blocks.extend(self.block_element(element, depth))
            }
            "div" => blocks.extend(self.row_of_figures(element, depth)),
            name if MEDIA.contains(&name) => blocks.extend(self.media(element)),
            "select" => self.pass_choices(),
            "table" => blocks.extend(self.table(element, depth)),
            // Wrappers and misplaced parts of blocks are replaced by their content.
            _ => {}
        }
    }

    fn text_block(
        &mut self,
        element: &Element,
        heading: Option<BlockKind>,
        depth: usize,
        blocks: &mut Vec<Block>,
    ) {
        let mut builder = InlineReader::new(self.refs);
        while let Some(token) = self.peek() {
            if self.note(token, &mut builder, depth) {
                continue;
            }
            if self.ends_line(token) {
                break;
            }
            self.inline(token, &mut builder);
            self.advance();
        }
        let ends_here = matches!(self.peek(), Some(Token::Close(name)) if *name == element.name);
        self.close(&element.name);
        let align = element.get("align").and_then(align);
        let inlines = builder.finish();
        let Some(kind) = heading else {
            // An explicit paragraph is kept even if it is empty.
            if inlines.nodes.is_empty() && inlines.anchor.is_none() && ends_here {
                blocks.push(aligned(Block::paragraph(Vec::new()), align));
            } else {
                self.end_paragraph(inlines, align, blocks);
            }
            return;
        };
        let mut block = aligned(Block::inlines(kind, inlines.nodes), align);
        let id = element.get("id").map(str::to_owned).or(inlines.anchor);
        if let Some(id) = id.filter(|id| crate::document::is_heading_id(id)) {
            block.data.insert("id".to_owned(), id.into());
        }
        blocks.push(stated(element, block));
    }
}

pub(super) fn is_close(token: &Token<'_>, names: &[&str]) -> bool {
    matches!(token, Token::Close(name) if names.contains(&name.as_str()))
}

/// Returns the style of a hint in GitBook's form; `None` for other elements.
pub(super) fn custom_hint(element: &Element) -> Option<&str> {
    let is_hint = element.has("data-gb-custom-block") && element.get("data-tag") == Some("hint");
    let style = element.get("data-style").filter(|style| HINT_STYLES.contains(style));
    is_hint.then_some(style.unwrap_or("info"))
}

/// Returns whether an element can be turned into a block or an inline.
pub(crate) fn knows_element(name: &str) -> bool {
    is_inline_element(name) || WRAPPERS.contains(&name) || BLOCKS.contains(&name) || MEDIA.contains(&name)
}

/// Returns a block with the properties that its element lists in JSON.
pub(super) fn stated(element: &Element, mut block: Block) -> Block {
    if let Some(patch) = element.get(properties::ATTRIBUTE).and_then(properties::from_json) {
        block.patch(patch);
    }
    block
}

/// Returns the document's name of an HTML alignment.
fn align(name: &str) -> Option<&'static str> {
    match name {
        "center" => Some("center"),
        "right" => Some("end"),
        "left" => Some("start"),
        _ => None,
    }
}

fn aligned(mut block: Block, align: Option<&str>) -> Block {
    if let (Some(align), Children::Inlines(_)) = (align, &block.children) {
        block.data.insert("align".to_owned(), align.into());
    }
    block
}

/// Returns the block of a paragraph's content. Images without text become a block of images, unless there is also a
/// comment. Empty content gives `None`.
pub(crate) fn paragraph(inlines: Inlines) -> Option<Block> {
    if inlines.has_comment && !inlines.nodes.is_empty() {
        return Some(Block::paragraph(inlines.nodes));
    }
    block_of(inlines.nodes)
}

/// Returns the block of running text without comments.
pub(crate) fn block_of(nodes: Vec<Inline>) -> Option<Block> {
    if nodes.is_empty() {
        return None;
    }
    let is_blank = |inline: &Inline| matches!(inline, Inline::Text(text) if text.leaves.iter().all(|l| l.text.trim().is_empty()));
    let lone_image = |inline: &Inline| matches!(inline, Inline::Node(node) if node.kind == InlineKind::InlineImage && node.str("size").is_none());
    let has_image = nodes.iter().any(lone_image);
    if !has_image || !nodes.iter().all(|inline| is_blank(inline) || lone_image(inline)) {
        return Some(Block::paragraph(nodes));
    }
    let images = nodes.into_iter().filter_map(|inline| match inline {
        Inline::Node(node) => Some(image_block(*node)),
        Inline::Text(_) => None,
    });
    Some(Block::blocks(BlockKind::Images, images.collect()))
}

fn image_block(mut node: InlineNode) -> Block {
    let mut block = Block::void(BlockKind::Image);
    let caption = node.data.remove("caption");
    block.data = node.data;
    if let Some(caption) = caption.as_ref().and_then(|caption| caption.as_str()) {
        let caption = Block::paragraph(vec![Inline::text(caption)]);
        block.fragments.push(Fragment::with_role("caption", vec![caption]));
    }
    block
}
