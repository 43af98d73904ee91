//! Limits of the reader and the printer of Markdown, and of the translation of other dialects.

use super::document::MAX_NODES;

/// Characters of Markdown that may begin a node, since comrak allocates up to two nodes of about 250 bytes for each
/// before they can be counted: a text with more is refused.
pub(crate) const MAX_SPECIAL_CHARS: usize = 2 * MAX_NODES;

/// Non-blank lines of Markdown. comrak allocates up to three nodes of about 250 bytes for each before they can be
/// counted; the largest page allowed by its size has half as many lines if wrapped at 80 columns. A text with more is
/// refused.
pub(crate) const MAX_LINES: usize = 2 * MAX_NODES;

/// Bytes of repeated notes in addition to the length of the text, since a note is copied to each reference: further
/// references become text.
pub(crate) const MAX_REPEATED_NOTE_BYTES: usize = 64 * 1024;

/// Open HTML elements that are tracked across blocks, more than can become blocks: deeper ones are ignored.
pub(crate) const MAX_OPEN_ELEMENTS: usize = 200;

/// Length of a run of `>` that comrak sees. For each, comrak 0.59 scans the rest of the run for an alert marker
/// (`alert_start`), which is quadratic. The rest of a longer run is text.
pub(crate) const MAX_QUOTE_RUN: usize = 200;

/// Searches of a line for the next tag, since each reads the rest of the line: after the last, the line is text.
pub(crate) const MAX_TAG_SEARCHES: usize = 64;

/// Bytes, nodes and levels of a front matter: a larger one is not read. Aliases count at each use.
pub(crate) const MAX_FRONT_MATTER_BYTES: usize = 256 * 1024;
/// See [`MAX_FRONT_MATTER_BYTES`].
pub(crate) const MAX_FRONT_MATTER_NODES: usize = 10_000;
/// See [`MAX_FRONT_MATTER_BYTES`].
pub(crate) const MAX_FRONT_MATTER_LEVELS: usize = 32;

/// Characters of the reason for an unreadable front matter.
pub(crate) const MAX_REASON_CHARS: usize = 200;

/// Number that a list may begin with, the maximum of CommonMark (nine digits): a higher one is written as a property.
pub(crate) const MAX_LIST_START: u64 = 999_999_999;

/// Bytes that are searched for the end of a character reference in an address to write, more than the longest name has:
/// a `&` without an end needs no escape.
pub(crate) const MAX_WRITTEN_REFERENCE: usize = 40;

/// Bytes of a character reference, the length of `&CounterClockwiseContourIntegral;`: a longer one is text.
pub(crate) const MAX_REFERENCE: usize = 33;

/// Depth of call-outs, tabs and directives of other dialects. Each level is indented again. Deeper ones stay text.
pub(crate) const MAX_DIALECT_DEPTH: usize = 8;

/// Depth of the elements of an MDX page, each level of which is copied once: deeper elements are replaced by their
/// content.
pub(crate) const MAX_ELEMENT_DEPTH: usize = 32;

/// Bytes of an expression in MDX, so that one without an end costs little: a longer one is text.
pub(crate) const MAX_EXPRESSION_BYTES: usize = 16_000;

/// Depth of elements in expressions in elements, each level of which is parsed again: deeper ones are left out.
pub(crate) const MAX_EXPRESSION_DEPTH: usize = 8;

/// Kinds of untranslated syntax that are reported for a text, enough to show what is missing: further ones are left
/// out.
pub(crate) const MAX_REPORTED_SYNTAX: usize = 20;

/// Characters that are reported for untranslated syntax, about a line: the rest is truncated.
pub(crate) const MAX_REPORTED_SYNTAX_CHARS: usize = 60;

/// Bytes of the tag of a component, so that one without an end costs little: a longer one is text.
pub(crate) const MAX_TAG_BYTES: usize = 16_000;

/// Tags of components that may fail to parse in one stretch, since each costs up to [`MAX_TAG_BYTES`]: the rest of the
/// stretch is text.
pub(crate) const MAX_FAILED_TAGS: usize = 1_000;

/// Bytes of the name of a role, longer than any in use: a longer one is text.
pub(crate) const MAX_ROLE_NAME: usize = 40;

/// Bytes of the content of a role, so that one without an end costs little: a longer one is text.
pub(crate) const MAX_ROLE_CONTENT: usize = 2_000;

/// Lines of an `import` or `export`. More lines come from an unclosed bracket: a longer statement is text.
pub(crate) const MAX_STATEMENT_LINES: usize = 400;

/// Bytes of the constants that a page of MDX uses, since it may use one at many positions.
pub(crate) const MAX_CONSTANT_BYTES: usize = 4 << 20;
