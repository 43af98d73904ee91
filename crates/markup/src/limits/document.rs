//! Limits of documents and all their readers.

/// Nodes of a document (blocks, inline nodes and text leaves), twenty times the largest page in our sample of
/// documentation (2,400 nodes in 54 kB); each takes some 200 bytes of memory during the parse. A larger document is
/// refused.
pub const MAX_NODES: usize = 50_000;

/// References of a document, each of which is stored as a row: a document with more is refused.
pub const MAX_LINKS: usize = 20_000;

/// Bytes of text of a document, properties included: about two thousand pages. A longer document is refused.
pub const MAX_TEXT: usize = 4 * 1024 * 1024;

/// Depth of nodes below the document (a top-level block is at depth 1, the blocks of a fragment one below its node),
/// which bounds the stack for recursion: a deeper document is refused.
pub const MAX_DEPTH: usize = 64;

/// Levels of JSON from the object of a document to its deepest value. Parsers commonly accept 128, and requests and
/// responses add some. A deeper document is refused; readers turn deeper content into text.
pub const MAX_LEVELS: usize = 120;

/// Steps of a reader between two reads of the clock, which cost more than a step. A deadline is noticed up to this many
/// steps late.
pub(crate) const CLOCK_INTERVAL: usize = 256;

/// Reported errors of one document. Further ones are omitted.
pub(crate) const MAX_ERRORS: usize = 50;

/// Columns of a table, more than a screen shows: a document with more is refused, and a reader puts the content of
/// further columns into the last.
pub(crate) const MAX_COLUMNS: usize = 300;

/// Cells of a table including empty ones, since each is written when the table is printed: a document with more is
/// refused, and a reader splits such a table into several.
pub(crate) const MAX_CELLS: usize = 100_000;

/// Cells that any table may have, even if most of them are empty: a larger table is bounded by
/// [`MAX_CELLS_PER_WRITTEN`].
pub(crate) const MAX_FREE_EMPTY_CELLS: usize = 2_000;

/// Cells of a large table per cell with content, so that spans cannot inflate a small input: a reader splits a sparser
/// table into several.
pub(crate) const MAX_CELLS_PER_WRITTEN: usize = 8;

/// Nesting level of list items, since office programs have nine levels: a deeper item is put on the last level.
pub(crate) const MAX_LIST_LEVEL: usize = 9;

/// Anchors of a source document, far more than a page has: links to further anchors lead to the page.
pub(crate) const MAX_ANCHORS: usize = 100_000;

/// Characters of the preview of a node, about three lines: a longer preview is truncated.
pub(crate) const MAX_PREVIEW_CHARS: usize = 200;

/// Characters of a slug, so that addresses stay readable: a longer slug is truncated.
pub(crate) const MAX_SLUG_CHARS: usize = 100;

/// Depth of blocks that readers create, which leaves room below [`MAX_DEPTH`] for the parts of a block: the content of
/// deeper blocks loses its formatting.
pub(crate) const MAX_BLOCK_NESTING: usize = 48;
