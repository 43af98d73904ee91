//! Assembly of blocks: the content between a start tag and its end tag goes into one block.

use super::spanning::Spanning;
use super::verbatim::{html_code, verbatim};
use super::{Source, groups, tag_blocks};
use crate::document::{Block, BlockKind, Children, Fragment, Inline};
use crate::limits::document::MAX_BLOCK_NESTING;
use crate::markdown::tags::{Piece, Tag, pieces};
use crate::markdown_html::properties::Properties;
use crate::markdown_html::{Element, Flow, Spanned, Token, targets, tokens};

/// Open tag or element.
enum Opened {
    Tag(Tag),
    /// `<details>`, with its summary and whether it starts open.
    Details {
        title: Vec<Inline>,
        expanded: bool,
    },
    /// An element that continues after a blank line.
    Html(Spanning),
}

struct Frame {
    opened: Opened,
    content: Vec<Block>,
    /// Properties given in comments before the block.
    stated: Vec<Properties>,
}

/// Collector of the blocks of one container.
pub(super) struct Assembler<'r> {
    source: Source<'r>,
    base: usize,
    frames: Vec<Frame>,
    done: Vec<Block>,
    /// Anchor before the next heading, which belongs to it.
    anchor: Option<String>,
    /// Properties given in comments, for the next block.
    stated: Vec<Properties>,
    /// The first block is a heading of the first rank.
    pub(super) has_title: bool,
}

impl<'r> Assembler<'r> {
    pub(super) fn new(source: Source<'r>, base: usize) -> Self {
        Self {
            source,
            base,
            frames: Vec::new(),
            done: Vec::new(),
            anchor: None,
            stated: Vec::new(),
            has_title: false,
        }
    }

    /// Returns the depth of the next block.
    pub(super) fn depth(&self) -> usize {
        self.base + self.frames.iter().map(Frame::levels).sum::<usize>()
    }

    /// Returns whether nothing was added yet.
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty() && self.done.is_empty()
    }

    /// Stores an anchor for the next heading.
    pub(super) fn anchor(&mut self, id: Option<String>) {
        self.anchor = id.or(self.anchor.take());
    }

    pub(super) fn push(&mut self, mut block: Block) {
        let anchor = self.anchor.take().filter(|id| crate::document::is_heading_id(id));
        if let Some(id) = anchor.filter(|_| block.heading_rank().is_some()) {
            block.data.entry("id").or_insert_with(|| id.into());
        }
        for properties in std::mem::take(&mut self.stated) {
            state(&mut block, properties);
        }
        self.add(vec![block]);
    }

    /// Adds blocks unchanged.
    fn add(&mut self, blocks: Vec<Block>) {
        let Some(frame) = self.frames.last_mut() else { return self.done.extend(blocks) };
        if let Opened::Html(spanning) = &mut frame.opened {
            blocks.iter().for_each(|_| spanning.record_block());
        }
        frame.content.extend(blocks);
    }

    /// Returns all blocks, after closing open frames.
    pub(super) fn finish(mut self) -> Vec<Block> {
        while !self.frames.is_empty() {
            self.abandon();
        }
        self.done
    }

    /// Adds an HTML block: a line of tags, parts of a `<details>`, known HTML, or code.
    pub(super) fn html(&mut self, literal: &str) {
        let all = tokens(literal);
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let next = (0..rest.len()).find(|at| self.is_boundary(rest, *at)).unwrap_or(rest.len());
            let (segment, from) = rest.split_at_checked(next).unwrap_or((rest, &[]));
            self.segment(segment);
            let Some((boundary, after)) = from.split_first() else { break };
            rest = self.boundary(&boundary.token, after);
        }
    }

    fn is_boundary(&self, tokens: &[Spanned<'_>], at: usize) -> bool {
        match tokens.get(at).map(|spanned| &spanned.token) {
            Some(Token::Open(element)) => matches!(element.name.as_str(), "details" | "summary"),
            Some(Token::Close(name)) => name == "details" || name == "summary",
            Some(Token::Comment(comment)) => {
                // A comment in the middle of a line has properties of an inline node.
                let before = at.checked_sub(1).and_then(|before| tokens.get(before));
                let begins_line = before.is_none_or(|before| before.source.ends_with('\n'));
                self.tags_in(comment).is_some() || (begins_line && Properties::read(comment).is_some())
            }
            Some(Token::Text(_) | Token::Parsed(_)) | None => false,
        }
    }

    fn tags_in<'c>(&self, comment: &'c str) -> Option<&'c str> {
        self.source.placeholders.and_then(|placeholders| placeholders.tags_in(comment))
    }

    /// Handles a boundary and returns the tokens after it.
    fn boundary<'t>(&mut self, token: &Token<'_>, after: &'t [Spanned<'t>]) -> &'t [Spanned<'t>] {
        match token {
            Token::Open(element) if element.name == "summary" => return self.summary(after),
            Token::Open(element) => self.open_details(element),
            Token::Close(name) if name == "details" => self.close_details(),
            Token::Comment(comment) => {
                if let Some(line) = self.tags_in(comment) {
                    let line = self.source.restore(line).into_owned();
                    self.tag_line(&line);
                } else if let Some(properties) = Properties::read(&self.source.restore(comment)) {
                    self.settle();
                    self.stated.push(properties);
                }
            }
            Token::Close(_) | Token::Text(_) | Token::Parsed(_) => {}
        }
        after
    }

    fn summary<'t>(&mut self, after: &'t [Spanned<'t>]) -> &'t [Spanned<'t>] {
        let end = after.iter().position(|spanned| spanned.token == Token::Close("summary".to_owned()));
        let (inside, rest) = after.split_at_checked(end.unwrap_or(after.len())).unwrap_or((after, &[]));
        let inside: Vec<Spanned<'_>> = inside.to_vec();
        if !Flow::knows(&inside) {
            self.segment(&inside);
            return rest;
        }
        let depth = self.depth();
        let inlines = self.restored(Flow::new(&inside, self.source.refs).inlines_until("summary", depth + 1));
        match self.frames.last_mut() {
            Some(Frame { opened: Opened::Details { title, .. }, content, .. })
                if title.is_empty() && content.is_empty() =>
            {
                *title = inlines;
            }
            _ => {
                if let Some(block) = crate::markdown_html::block_of(inlines) {
                    self.push(block);
                }
            }
        }
        rest
    }

    fn open_details(&mut self, element: &Element) {
        targets(element, self.source.refs);
        self.settle();
        if self.depth() < MAX_BLOCK_NESTING {
            let opened = Opened::Details { title: Vec::new(), expanded: element.has("open") };
            let stated = std::mem::take(&mut self.stated);
            self.frames.push(Frame { opened, content: Vec::new(), stated });
        }
    }

    fn close_details(&mut self) {
        let is_details = |frame: &Frame| matches!(frame.opened, Opened::Details { .. });
        if let Some(at) = self.frames.iter().rposition(is_details) {
            self.close_to(at);
        }
    }

    /// Adds HTML without boundaries.
    fn segment(&mut self, tokens: &[Spanned<'_>]) {
        let is_blank = |token: &Token<'_>| match token {
            Token::Text(text) => text.trim().is_empty(),
            Token::Comment(_) => true,
            Token::Open(_) | Token::Close(_) | Token::Parsed(_) => false,
        };
        if tokens.iter().all(|spanned| is_blank(&spanned.token)) {
            return;
        }
        let source: String = tokens.iter().map(|spanned| spanned.source).collect();
        let source = self.source.restore(&source).into_owned();
        let tokens = crate::markdown_html::tokens(&source);
        if !Flow::knows(&tokens) || self.depth() >= MAX_BLOCK_NESTING {
            self.push(html_code(&source, self.source.refs));
            return;
        }
        for spanned in &tokens {
            if let Token::Open(element) = &spanned.token {
                targets(element, self.source.refs);
            }
        }
        let mut rest = tokens.as_slice();
        while !rest.is_empty() {
            rest = self.known(rest);
        }
    }

    /// Adds HTML with known elements only, and returns the tokens after an element that ends in it.
    fn known<'t>(&mut self, tokens: &'t [Spanned<'t>]) -> &'t [Spanned<'t>] {
        if let Some(at) = self.spanning(tokens) {
            while self.frames.len() > at + 1 {
                self.abandon();
            }
            let Some(Frame { opened: Opened::Html(spanning), .. }) = self.frames.last_mut() else {
                return &[];
            };
            let Some(taken) = spanning.take(tokens) else { return &[] };
            self.close_to(at);
            return tokens.get(taken..).unwrap_or_default();
        }
        let begins = Spanning::begins(tokens);
        let (flow, rest) = tokens.split_at_checked(begins.unwrap_or(tokens.len())).unwrap_or((tokens, &[]));
        self.flow(flow);
        if !rest.is_empty() {
            let stated = std::mem::take(&mut self.stated);
            self.frames.push(Frame {
                opened: Opened::Html(Spanning::default()),
                content: Vec::new(),
                stated,
            });
        }
        rest
    }

    /// Adds HTML without unclosed elements.
    fn flow(&mut self, tokens: &[Spanned<'_>]) {
        let is_blank = |token: &Token<'_>| matches!(token, Token::Text(text) if text.trim().is_empty());
        let mut visible = tokens.iter().map(|spanned| &spanned.token).filter(|token| !is_blank(token));
        if let (Some(Token::Open(element)), None) = (visible.next(), visible.next())
            && let Some(drawing) = tag_blocks::drawing(element, self.source.refs)
        {
            return self.push(drawing);
        }
        let depth = self.depth();
        let mut flow = Flow::new(tokens, self.source.refs);
        let blocks = flow.all(depth);
        self.has_title |= flow.begins_with_title && self.is_empty();
        blocks.into_iter().for_each(|block| self.push(block));
        let anchor = flow.anchor.take();
        self.anchor(anchor);
    }

    /// Returns the index of the element that these tokens belong to: the innermost open one, or an enclosing one that
    /// they close.
    fn spanning(&self, tokens: &[Spanned<'_>]) -> Option<usize> {
        let last = self.frames.len().checked_sub(1)?;
        let is_it = |at: &usize| match self.frames.get(*at).map(|frame| &frame.opened) {
            Some(Opened::Html(spanning)) => *at == last || spanning.is_closed_by(tokens),
            _ => false,
        };
        (0..=last).rev().find(is_it)
    }

    /// Returns whether indented text continues the open element.
    pub(super) fn is_continued_by(&self, text: &str) -> bool {
        match self.frames.last().map(|frame| &frame.opened) {
            Some(Opened::Html(spanning)) => spanning.is_continued_by(&tokens(&self.source.restore(text))),
            _ => false,
        }
    }

    fn restored(&self, mut inlines: Vec<Inline>) -> Vec<Inline> {
        for inline in &mut inlines {
            if let Inline::Text(text) = inline {
                for leaf in &mut text.leaves {
                    leaf.text = self.source.restore(&leaf.text).into_owned();
                }
            }
        }
        inlines
    }

    fn tag_line(&mut self, line: &str) {
        for piece in pieces(line) {
            match piece {
                Piece::Text(text) => {
                    for block in super::line(text, self.source.refs, self.depth()) {
                        self.push(block);
                    }
                }
                Piece::Tag(tag) => match tag.name.strip_prefix("end") {
                    Some(name) => self.close(name, &tag),
                    None => self.open(tag),
                },
            }
        }
    }

    fn open(&mut self, tag: Tag) {
        self.settle();
        if let Some(block) = tag_blocks::single(&tag, self.source.refs) {
            self.push(block);
            return;
        }
        let parent = self.frames.last().and_then(|frame| match &frame.opened {
            Opened::Tag(tag) => Some(tag.name.as_str()),
            Opened::Details { .. } | Opened::Html(_) => None,
        });
        let fits = tag_blocks::parent_of(&tag.name).is_none_or(|wanted| parent == Some(wanted));
        let may_stay_open = tag_blocks::may_stay_open(&tag, self.source.refs);
        if fits
            && tag_blocks::is_known(&tag, self.source.refs)
            && (may_stay_open || self.depth() < MAX_BLOCK_NESTING)
        {
            let stated = std::mem::take(&mut self.stated);
            self.frames.push(Frame { opened: Opened::Tag(tag), content: Vec::new(), stated });
        } else {
            self.push(verbatim(&tag.source));
        }
    }

    fn close(&mut self, name: &str, tag: &Tag) {
        let is_it = |frame: &Frame| matches!(&frame.opened, Opened::Tag(open) if open.name == name);
        match self.frames.iter().rposition(is_it) {
            Some(at) => self.close_to(at),
            None => self.push(verbatim(&tag.source)),
        }
    }

    /// Closes the frame at an index. Frames above it were never closed.
    fn close_to(&mut self, at: usize) {
        while self.frames.len() > at + 1 {
            self.abandon();
        }
        if let Some(frame) = self.frames.pop() {
            let is_tag = matches!(frame.opened, Opened::Tag(_));
            let blocks = frame.build(self.source, self.depth());
            self.add(if is_tag { tag_blocks::captioned(blocks) } else { blocks });
        }
    }

    /// Closes the last frame before another tag, if it needs no end tag.
    fn settle(&mut self) {
        if self.frames.last().is_some_and(Frame::may_stay_open) {
            self.abandon();
        }
    }

    /// Abandons the last frame: its tag becomes text, unless it needs no end tag.
    fn abandon(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let depth = self.depth();
        let may_stay_open = frame.may_stay_open();
        let blocks = match frame {
            Frame { opened: Opened::Tag(tag), content, .. } if !may_stay_open => {
                let mut blocks = vec![verbatim(&tag.source)];
                blocks.extend(groups::ungroup(content));
                blocks
            }
            // The pieces of an unclosed element are read separately.
            Frame { opened: Opened::Html(spanning), content, stated } => {
                let pieces = spanning.pieces(content).into_iter().flat_map(|(html, block)| {
                    let tokens = tokens(&html);
                    Flow::new(&tokens, self.source.refs).all(depth).into_iter().chain(block)
                });
                let mut blocks: Vec<Block> = pieces.collect();
                if let Some(first) = blocks.first_mut() {
                    stated.into_iter().for_each(|properties| state(first, properties));
                }
                blocks
            }
            frame => frame.build(self.source, depth),
        };
        self.add(blocks);
    }
}

impl Frame {
    fn may_stay_open(&self) -> bool {
        matches!(&self.opened, Opened::Tag(tag) if tag_blocks::needs_no_end(&tag.name))
    }

    /// Returns the number of levels that the frame adds to its content.
    fn levels(&self) -> usize {
        match &self.opened {
            Opened::Html(spanning) => spanning.levels(),
            _ if self.may_stay_open() => 0,
            _ => 2,
        }
    }

    fn build(self, source: Source<'_>, depth: usize) -> Vec<Block> {
        let stated = self.stated;
        let mut blocks = match self.opened {
            Opened::Html(spanning) => {
                let mixed = spanning.mixed(self.content);
                let tokens = mixed.tokens();
                Flow::mixed(&tokens, &mixed.parsed, source.refs).all(depth)
            }
            Opened::Tag(tag) => tag_blocks::build(&tag, self.content, source.refs),
            Opened::Details { title, expanded } => {
                let title = Fragment::with_role("expandable-title", vec![Block::paragraph(title)]);
                let body = Fragment::with_role("expandable-body", self.content);
                let mut block = Block::void(BlockKind::Expandable);
                block.fragments = vec![title, body].into();
                if expanded {
                    block.data.insert("defaultExpanded".to_owned(), true.into());
                }
                vec![block]
            }
        };
        if let Some(first) = blocks.first_mut() {
            stated.into_iter().for_each(|properties| state(first, properties));
        }
        blocks
    }
}

/// Sets the properties of a block that a comment specifies.
fn state(block: &mut Block, Properties { part, patch }: Properties) {
    match (part, &mut block.children) {
        (None, _) => block.patch(patch),
        (Some(part), Children::Blocks(parts)) => {
            if let Some(part) = parts.get_mut(part) {
                part.patch(patch);
            }
        }
        (Some(_), Children::Inlines(_) | Children::Void) => {}
    }
}
