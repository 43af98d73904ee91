//! Limits of rendering.

/// Depth of blocks that are rendered with their structure, more than the document schema allows a page with its
/// reusable contents. The content of deeper blocks is rendered as plain text.
pub(crate) const MAX_DEPTH: usize = 96;

/// Depth of reusable contents within each other. A deeper one is reported as missing.
pub(crate) const MAX_INCLUDES: usize = 4;

/// Number of blocks of a page, twice the nodes of a document, since reusable contents multiply. The rest is left out,
/// with a note on the page.
pub(crate) const MAX_BLOCKS: usize = 100_000;

/// Bytes of HTML of a page, four times the text of the largest document. The rest is left out, with a note on the page.
pub(crate) const MAX_BYTES: usize = 16 << 20;

/// Bytes of HTML per block, measured on real pages, to size the buffer.
pub(crate) const BYTES_A_BLOCK: usize = 160;

/// Bytes of a highlighted listing. A longer listing is plain.
pub(crate) const MAX_HIGHLIGHTED_BYTES: usize = 200_000;

/// Bytes of a line of a highlighted listing, as the time of a grammar can grow with the square of the length. A listing
/// with a longer line is plain.
pub(crate) const MAX_HIGHLIGHTED_LINE: usize = 1_000;

/// Milliseconds of highlighting one listing, checked after each line. The remaining lines are plain.
pub(crate) const MAX_LISTING_MILLIS: u64 = 100;

/// Milliseconds of highlighting a listing that is the first to use a grammar. Compiling the grammar's expressions takes
/// 4 to 50 ms of CPU.
pub(crate) const MAX_GRAMMAR_MILLIS: u64 = 1_000;

/// Grammars that one page may use for the first time. Listings in further new languages are plain.
pub(crate) const MAX_NEW_GRAMMARS: usize = 8;

/// Milliseconds of highlighting one page, without first uses of grammars. Later listings are plain.
pub(crate) const MAX_PAGE_MILLIS: u64 = 400;

/// Grammars that stay compiled in memory, 1 to 14 MB each. One more clears the set.
pub(crate) const MAX_GRAMMARS: usize = 16;

/// Bytes of a formula, far more than a line holds. A longer formula is shown as its source.
pub(crate) const MAX_FORMULA: usize = 4_000;

/// Nested groups plus commands of a formula, for each of which the parser may recurse: twice the number of the largest
/// displays in textbooks. A formula with more is shown as its source.
pub(crate) const MAX_FORMULA_DEPTH: usize = 300;

/// Bytes of stack that the parser of formulas needs for each of them in a build without optimization.
pub(crate) const FORMULA_FRAME: usize = 32 << 10;

/// Bytes of free stack below which rendering a block allocates a new stack, and the size of the new stack.
pub(crate) const STACK: (usize, usize) = (256 << 10, 2 << 20);

/// Depth of the properties of a schema that are rendered as a tree. Deeper ones are only named by their type.
pub(crate) const MAX_SCHEMA_DEPTH: usize = 8;

/// Number of properties of all schemas of an operation. Later ones are left out, and an ellipsis marks the end of the
/// tree.
pub(crate) const MAX_PROPERTIES: usize = 600;

/// Bytes of the body in an example of a request. A longer body is truncated.
pub(crate) const MAX_EXAMPLE_BYTES: usize = 8 << 10;
