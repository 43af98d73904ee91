//! A parser whose tree stays bounded.

use super::Node;
use super::sink::{Handle, Sink};
use crate::limits::html::MAX_OPEN_TAGS;
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use std::cell::Cell;

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

/// Builds the tree; `None` when formatting that nobody closed makes far more nodes than there is text.
pub(super) fn build(text: &str, formatting: bool) -> Option<Vec<Node>> {
    let sink = Sink::new(formatting.then(|| 10_000 + text.len() / 3));
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
    (!is_over).then(|| sink.into_nodes())
}

/// Stands before the tree builder and keeps from it what would make the tree too deep or too large.
struct Gate {
    builder: TreeBuilder<Handle, Sink>,
    formatting: bool,
    /// Start tags that were passed over, and whose end tags have not come yet.
    refused: Cell<usize>,
}

impl Gate {
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

impl TokenSink for Gate {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let refused = match &token {
            Token::EOFToken => false,
            // What is built now is thrown away: nothing more is to be spent on it.
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
