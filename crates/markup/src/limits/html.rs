//! Limits of the reader of HTML.

use super::document::MAX_NODES;

/// Depth of tags that reach the parser; browsers stop at 512: deeper tags are dropped, and their content belongs to the
/// enclosing element.
pub(crate) const MAX_OPEN_TAGS: usize = 200;

/// Depth of the tree, which exceeds [`MAX_OPEN_TAGS`] if formatting is reopened in each block: a deeper page is read
/// again without formatting.
pub(crate) const MAX_TREE_DEPTH: usize = 400;

/// Tags of a page including end tags. The tree takes some 200 bytes for each before the nodes of the document can be
/// counted; highlighted code has one per 13 bytes. A page with more is refused.
pub(crate) const MAX_TAGS: usize = 8 * MAX_NODES;

/// Attributes of an element, since the parser compares each with all previous ones: a tag with more becomes text.
pub(crate) const MAX_ATTRIBUTES: usize = 500;

/// Depth of elements that the reader recurses into, which bounds its stack: deeper elements are reduced to their text.
pub(crate) const MAX_ELEMENT_DEPTH: usize = 240;

/// Rules of a style sheet that are read, more than any site has: later ones have no effect.
pub(crate) const MAX_CSS_RULES: usize = 20_000;

/// Depth of MathML, which bounds the stack: deeper parts are reduced to their text.
pub(crate) const MAX_MATHML_DEPTH: usize = 60;

/// Images of a page that are listed for an import, as many as a document has references: further ones are linked, not
/// copied.
pub(crate) const MAX_LISTED_IMAGES: usize = 20_000;

/// Links of a page that a crawl follows, more than a site has pages: further ones are ignored.
pub(crate) const MAX_PAGE_LINKS: usize = 20_000;

/// Nodes read for the label of a navigation entry: a longer one is not used as label.
pub(crate) const MAX_LABEL_NODES: usize = 200;

/// Rows of a table that are read for the alignment of its columns, which rarely differs between rows: later rows are
/// ignored.
pub(crate) const MAX_ALIGNMENT_ROWS: usize = 20;

/// Bytes of an image in a `data:` address, about the largest photograph: a larger one is left out.
pub(crate) const MAX_DATA_URL_BYTES: usize = 20 * 1024 * 1024;

/// Footnotes of a page.
pub(crate) const MAX_NOTES: usize = 1_000;

/// Nodes of a footnote.
pub(crate) const MAX_NOTE_NODES: usize = 2_000;
