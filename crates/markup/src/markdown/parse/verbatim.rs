//! Source text that is kept unchanged.

use crate::document::{Block, Inline};
use crate::markdown::RefResolver;
use crate::markdown_html::{Element, Token, knows_element, tokens};

/// Returns a code block with HTML that has no equivalent, and records the unknown elements.
pub(super) fn html_code(literal: &str, refs: &dyn RefResolver) -> Block {
    let tokens = tokens(literal);
    let names = tokens.iter().filter_map(|spanned| match &spanned.token {
        Token::Open(Element { name, .. }) | Token::Close(name) => Some(name.as_str()),
        Token::Text(_) | Token::Comment(_) | Token::Parsed(_) => None,
    });
    let names: Vec<&str> = names.collect();
    let unknown: Vec<&str> = names.iter().copied().filter(|name| !knows_element(name)).collect();
    if unknown.is_empty() {
        refs.shown(names.first().copied().unwrap_or("html"));
    }
    unknown.into_iter().for_each(|name| refs.shown(name));
    Block::code(Some("html"), literal.trim_matches('\n').split('\n'))
}

/// Returns a paragraph with the source text.
pub(super) fn verbatim(text: &str) -> Block {
    Block::paragraph(vec![Inline::text(text.trim())])
}
