//! Running text → the block that shows it: the common end of the readers of HTML and DOCX.

use crate::document::{Block, ContentRef, Inline, InlineKind};
use serde_json::Value;

/// Images that are lower than this, in pixels, are part of the line they stand in.
const LINE_HEIGHT: u64 = 32;

/// The block of a line: images that stand alone are a block of images; nothing at all is no block.
pub(crate) fn paragraph(mut nodes: Vec<Inline>) -> Option<Block> {
    for node in &mut nodes {
        unlink_own_image(node);
    }
    let is_blank = |inline: &Inline| matches!(inline, Inline::Text(text) if text.leaves.iter().all(|leaf| leaf.text.trim().is_empty()));
    if nodes.iter().all(is_blank) {
        return None;
    }
    let is_image =
        |inline: &Inline| matches!(inline, Inline::Node(node) if node.kind == InlineKind::InlineImage);
    if nodes.iter().all(|inline| is_blank(inline) || is_image(inline)) {
        return crate::markdown_html::block_of(nodes);
    }
    in_line(&mut nodes);
    Some(Block::paragraph(nodes))
}

/// Images between words have no measures of their own, but low ones are as high as the line.
fn in_line(nodes: &mut [Inline]) {
    for inline in nodes {
        let Inline::Node(node) = inline else { continue };
        in_line(&mut node.nodes);
        if node.kind == InlineKind::InlineImage {
            let is_low = |size: &Value| size.as_u64().is_some_and(|height| height <= LINE_HEIGHT);
            node.data.remove("width");
            if node.data.remove("height").is_some_and(|height| is_low(&height)) {
                node.data.insert("size".to_owned(), "line".into());
            }
        }
    }
}

/// An image that links to itself, as blogs and wikis do, to be seen larger: the link says nothing.
fn unlink_own_image(inline: &mut Inline) {
    let Inline::Node(link) = inline else { return };
    if link.kind != InlineKind::Link {
        return;
    }
    let is_image_link = match link.reference() {
        Some(ContentRef::File { .. }) => true,
        Some(ContentRef::Url { url }) => {
            let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
            [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"].iter().any(|ending| path.ends_with(ending))
        }
        _ => false,
    };
    if let ([Inline::Node(image)], true) = (link.nodes.as_slice(), is_image_link)
        && image.kind == InlineKind::InlineImage
    {
        *inline = Inline::Node(image.clone());
    }
}

/// Text with its white space made single spaces.
pub(crate) fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
