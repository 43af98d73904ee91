//! Limits of the reader of HTML.

use super::document::MAX_NODES;

/// Depth of tags that reach the parser, where browsers stop at 512: deeper tags are dropped, and their content belongs
/// to the enclosing element.
pub(crate) const MAX_OPEN_TAGS: usize = 200;

/// Depth of the tree, which formatting that is opened again in each block makes deeper than [`MAX_OPEN_TAGS`]: a
/// deeper page is read again without formatting.
pub(crate) const MAX_TREE_DEPTH: usize = 400;

/// Tags of a page, end tags included, as the tree takes some 200 bytes for each before the nodes of the document can be
/// counted, while highlighted code has one for each 13 bytes: a page with more is refused.
pub(crate) const MAX_TAGS: usize = 8 * MAX_NODES;

/// Attributes of an element, as the parser compares each with those before it: a tag with more is text.
pub(crate) const MAX_ATTRIBUTES: usize = 500;

/// Depth of elements that the reader recurses into, which bounds its stack: deeper elements are reduced to their text.
pub(crate) const MAX_ELEMENT_DEPTH: usize = 240;

/// Rules of a style sheet that are read, more than any site has: later ones have no effect.
pub(crate) const MAX_CSS_RULES: usize = 20_000;

/// Depth of MathML, which bounds the stack: what is deeper becomes its text.
pub(crate) const MAX_MATHML_DEPTH: usize = 60;

/// Images of a page that are listed for an import, as many as a document has references: the others are linked, not
/// copied.
pub(crate) const MAX_LISTED_IMAGES: usize = 20_000;

/// Links of a page that a crawl follows, more than a site has pages: the others are not found.
pub(crate) const MAX_PAGE_LINKS: usize = 20_000;

/// Nodes read for the label of a navigation entry: a longer one is not used as label.
pub(crate) const MAX_LABEL_NODES: usize = 200;

/// Rows of a table that are read for the alignment of its columns, which are nearly always alike: later rows do not
/// count.
pub(crate) const MAX_ALIGNMENT_ROWS: usize = 20;

/// Bytes of an image in a `data:` address, about the largest photograph: a larger one is left out.
pub(crate) const MAX_DATA_URL_BYTES: usize = 20 * 1024 * 1024;

/// Footnotes of a page.
pub(crate) const MAX_NOTES: usize = 1_000;

/// Nodes of a footnote.
pub(crate) const MAX_NOTE_NODES: usize = 2_000;
