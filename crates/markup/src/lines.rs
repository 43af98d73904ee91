//! Conversion of running text to blocks, shared by the readers of HTML and DOCX.

use crate::document::{Block, ContentRef, Inline, InlineKind};
use serde_json::Value;

/// Height in pixels below which an image is part of its line.
const LINE_HEIGHT: u64 = 32;

/// Returns the block of a line. A line of images only becomes a block of images; an empty line gives `None`.
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

/// Removes the size of images between words, unless they fit into the height of the line.
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

/// Removes the link from an image that links to itself. Blogs and wikis add such links to enlarge images.
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

/// Returns text with each run of white space as a single space.
pub(crate) fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
