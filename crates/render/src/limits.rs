//! Limits of what is written for a document.

/// Blocks within blocks that are written with their form, more than the document schema allows a page and the reusable
/// contents in it: the content of deeper ones follows as plain text.
pub(crate) const MAX_DEPTH: usize = 96;

/// Reusable contents within each other: a deeper one is a link to itself.
pub(crate) const MAX_INCLUDES: usize = 4;

/// Blocks that are written, twice the nodes of a document, as reusable contents multiply: the rest is left out, and the
/// page says so.
pub(crate) const MAX_BLOCKS: usize = 100_000;

/// Bytes of HTML, four times the text of the largest document: the rest is left out, and the page says so.
pub(crate) const MAX_BYTES: usize = 16 << 20;

/// Bytes of HTML for each byte of a short text, from measured pages, to size the buffer.
pub(crate) const BYTES_A_BLOCK: usize = 160;

/// Bytes of a listing that is highlighted: a longer one is plain.
pub(crate) const MAX_HIGHLIGHTED_BYTES: usize = 200_000;

/// Bytes of a line of a listing that is highlighted, as the time of a grammar can grow with the square of the line:
/// a listing with a longer one is plain.
pub(crate) const MAX_HIGHLIGHTED_LINE: usize = 1_000;

/// Milliseconds of highlighting one listing, which is checked after each line: the rest is plain.
pub(crate) const MAX_LISTING_MILLIS: u64 = 100;

/// Milliseconds of highlighting a listing that is the first to use a grammar, whose expressions are compiled then,
/// which takes 4 to 50 ms of CPU.
pub(crate) const MAX_GRAMMAR_MILLIS: u64 = 1_000;

/// Grammars that one page may use for the first time: listings in others are plain.
pub(crate) const MAX_NEW_GRAMMARS: usize = 8;

/// Milliseconds of highlighting one page, first uses of grammars aside: later listings are plain.
pub(crate) const MAX_PAGE_MILLIS: u64 = 400;

/// Grammars that stay compiled in memory while pages need them, 1 to 14 MB each: one more empties the set.
pub(crate) const MAX_GRAMMARS: usize = 16;

/// Bytes of a formula, far more than a line holds: a longer one is shown as it is written.
pub(crate) const MAX_FORMULA: usize = 4_000;

/// Commands and groups within groups of a formula, for each of which the parser may recurse, twice those of the largest
/// displays in textbooks: a formula with more is shown as it is written.
pub(crate) const MAX_FORMULA_DEPTH: usize = 300;

/// Stack that the parser of formulas needs for each of them in a build without optimization.
pub(crate) const FORMULA_FRAME: usize = 32 << 10;

/// Free stack below which a block gets a new one, and the size of that.
pub(crate) const STACK: (usize, usize) = (256 << 10, 2 << 20);

/// Depth of the properties of a schema that are written as a tree: deeper ones are named by their type.
pub(crate) const MAX_SCHEMA_DEPTH: usize = 8;

/// Properties of all schemas of an operation: later ones are left out, and the tree says so.
pub(crate) const MAX_PROPERTIES: usize = 600;

/// Bytes of the body in an example of a request: a longer one is cut.
pub(crate) const MAX_EXAMPLE_BYTES: usize = 8 << 10;
