//! Limits of the pages of OpenAPI specifications.

/// Bytes of a specification, several times the largest public one: a larger one is refused.
pub const MAX_BYTES: usize = 64 << 20;

/// Pages of a specification, one for each operation, tag and model: a specification with more is refused.
pub const MAX_PAGES: usize = 20_000;

/// Bytes kept for all pages together, since each page repeats shared parts such as the security of the whole
/// specification: a specification with more is refused.
pub const MAX_PAGE_BYTES: usize = 2 * MAX_BYTES;

/// Depth of a specification in YAML, equal to the limit for JSON: a deeper one is refused.
pub(crate) const MAX_YAML_DEPTH: usize = 128;

/// Nodes of a specification in YAML, including repetitions by aliases, four times those of the largest public one
/// (GitHub's, 475,000): a specification with more is refused.
pub(crate) const MAX_YAML_NODES: usize = 2_000_000;

/// Bytes of stack for the YAML parser, which recurses once per level in frames of some 16 KiB (unoptimized). The 2 MiB
/// of a thread do not suffice for [`MAX_YAML_DEPTH`]. No input needs more.
pub(crate) const YAML_STACK_BYTES: usize = 8 << 20;

/// References between a page and a part that is kept for it, deeper than a page shows: more distant parts are only
/// named.
pub(crate) const MAX_REFERENCE_HOPS: usize = 8;

/// Parts kept for one page, more than a person reads: further ones are only named.
pub(crate) const MAX_PAGE_PARTS: usize = 400;

/// Length of a chain of references (`$ref` to `$ref`), so that cycles end: the target of a longer chain is not shown.
pub(crate) const MAX_REFERENCE_CHAIN: usize = 16;

/// Schemas, parameters, responses and types visited for a page. Parts that are referenced twice are visited twice, so a
/// few could expand without limit. Later ones are left out.
pub(crate) const MAX_PAGE_VISITS: usize = 50_000;

/// Bytes of texts and examples that a page may show more than once: an ellipsis replaces further repetitions.
pub(crate) const MAX_REPEATED_TEXT: usize = 1 << 20;

/// Bytes of a listing, about a thousand lines: a longer example is truncated at the end of a line.
pub(crate) const MAX_LISTING_BYTES: usize = 32 << 10;

/// Bytes of an example that are written before it is truncated to [`MAX_LISTING_BYTES`].
pub(crate) const MAX_EXAMPLE_BYTES: usize = 2 * MAX_LISTING_BYTES;

/// Variables of a server's URL that are replaced and shown: later ones are left out.
pub(crate) const MAX_VARIABLES: usize = 50;

/// Bytes of a server's URL: variables that would make it longer keep their braces.
pub(crate) const MAX_SERVER_BYTES: usize = 2_000;

/// Examples of a media type that a page shows: later ones are left out.
pub(crate) const MAX_EXAMPLES: usize = 8;

/// Fields of a form or parts of a multipart body in an example, more than a screen shows: later ones are left out.
pub(crate) const MAX_FIELDS: usize = 50;

/// Depth of an example that is generated from a schema, which may refer to itself: deeper values are empty.
pub(crate) const MAX_EXAMPLE_DEPTH: usize = 6;

/// Values of an example that is generated from a schema, more than a screen shows: later ones are empty.
pub(crate) const MAX_EXAMPLE_VALUES: usize = 300;

/// Parameters that a page shows, more than any public operation has: later ones are left out.
pub(crate) const MAX_PARAMETERS: usize = 500;

/// Depth of properties that a page shows, since deeper ones are hard to read in a table: only their types are named.
pub(crate) const MAX_PROPERTY_DEPTH: usize = 4;

/// Rows of a table of properties, more than a person reads: later ones are left out.
pub(crate) const MAX_PROPERTY_ROWS: usize = 300;

/// Values of an enumeration that a page shows, about ten lines: an ellipsis replaces further ones.
pub(crate) const MAX_ENUM_VALUES: usize = 60;

/// Alternatives (`oneOf`, `anyOf`) that a type names, about as many as fit into a cell: later ones are left out.
pub(crate) const MAX_ALTERNATIVES: usize = 20;

/// Characters of a value in a line, about three lines: a longer value is truncated.
pub(crate) const MAX_LITERAL_CHARS: usize = 200;

/// Media types of a body that a page shows, each with its schema: later ones are left out.
pub(crate) const MAX_MEDIA_TYPES: usize = 10;

/// Characters of the title of a page, since the importer allows no more than a line: a longer title is truncated.
pub(crate) const MAX_TITLE_CHARS: usize = 200;

/// Characters of the description of a page, about a paragraph: a longer description is truncated.
pub(crate) const MAX_DESCRIPTION_CHARS: usize = 500;

/// Bytes of the name of an icon, the limit for pages: a longer name is left out.
pub(crate) const MAX_ICON_BYTES: usize = 50;
