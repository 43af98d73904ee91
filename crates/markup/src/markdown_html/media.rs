//! Frames, video and audio; scripts and style sheets, which are left out.

use super::{Element, Flow, Token};
use crate::document::{Block, BlockKind, ContentRef};
use crate::html::address;
use crate::markdown::{HrefKind, RefResolver};

impl Flow<'_, '_> {
    /// Reads a media element after its start tag, with all of its content.
    pub(super) fn media(&mut self, element: &Element) -> Option<Block> {
        let mut source = element.get("src").map(str::to_owned);
        while let Some(token) = self.peek() {
            self.advance();
            match token {
                Token::Close(name) if *name == element.name => break,
                Token::Open(inner) if inner.name == "source" => {
                    source = source.or_else(|| inner.get("src").map(str::to_owned));
                }
                _ => {}
            }
        }
        if matches!(element.name.as_str(), "script" | "style") {
            self.refs.left(&element.name);
            return None;
        }
        let source = source.filter(|source| !source.trim().is_empty());
        let block = source.and_then(|source| block(self.refs, element, source.trim()));
        if block.is_none() {
            self.refs.left(&element.name);
        }
        block
    }
}

/// Returns the block of an address: a file of the content, or an embed.
fn block(refs: &dyn RefResolver, element: &Element, source: &str) -> Option<Block> {
    if element.name != "iframe"
        && let Some(file) =
            refs.resolve(source, HrefKind::File).filter(|file| matches!(file, ContentRef::File { .. }))
    {
        return Some(Block::void(BlockKind::File).with("ref", file.to_value()));
    }
    let source =
        source.strip_prefix("//").map_or_else(|| source.to_owned(), |rest| format!("https://{rest}"));
    let is_remote = source.starts_with("https://") || source.starts_with("http://");
    if is_remote && address::is_embed(&source) {
        return Some(Block::void(BlockKind::Embed).with("url", source));
    }
    let is_file = element.name != "iframe" && address::runs_no_script(&source);
    is_file.then(|| Block::void(BlockKind::File).with("ref", ContentRef::url(source).to_value()))
}
