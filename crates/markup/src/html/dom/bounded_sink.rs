//! HTML parser that builds a tree of bounded size and depth.

use super::Node;
use super::sink::{Handle, Sink};
use crate::limits::html::MAX_OPEN_TAGS;
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use std::cell::Cell;

/// Elements that the parser reopens in the next block if they are left open, so that a few bytes can produce many
/// nodes.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

/// Elements with raw text content. Without their tag, the content would be parsed as markup.
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

/// Builds the tree; `None` if unclosed formatting produces far more nodes than the size of the text justifies.
pub(super) fn build(text: &str, formatting: bool) -> Option<Vec<Node>> {
    let sink = Sink::new(formatting.then(|| 10_000 + text.len() / 3));
    let builder = TreeBuilder::new(sink, TreeBuilderOpts::default());
    let tokenizer =
        Tokenizer::new(BoundedSink { builder, formatting, refused: Cell::new(0) }, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(text));
    // The tokenizer pauses at scripts, which are not executed here.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let sink = tokenizer.sink.builder.sink;
    let is_over = sink.is_over();
    (!is_over).then(|| sink.into_nodes())
}

/// Filter of the tokens for the tree builder, which keeps the tree within its bounds.
struct BoundedSink {
    builder: TreeBuilder<Handle, Sink>,
    formatting: bool,
    /// Number of dropped start tags whose end tags have not occurred yet.
    refused: Cell<usize>,
}

impl BoundedSink {
    fn refuses(&self, tag: &Tag) -> bool {
        let name = &*tag.name;
        if RAW.contains(&name) {
            return false;
        }
        if !self.formatting && FORMATTING.contains(&name) {
            return true;
        }
        match tag.kind {
            TagKind::StartTag if self.builder.sink.open() > MAX_OPEN_TAGS => {
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

impl TokenSink for BoundedSink {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let refused = match &token {
            Token::EOFToken => false,
            // The tree is discarded, so the remaining tokens are skipped.
            _ if self.builder.sink.is_over() => true,
            Token::TagToken(tag) => self.refuses(tag),
            _ => false,
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
