//! Limits of the reader of Word documents (section numbers are of ECMA-376, part 1).

/// Uncompressed bytes of XML in a package; a thousand pages of text are about 20 MB: a package with more is refused.
pub(crate) const MAX_XML_BYTES: u64 = 48 * 1024 * 1024;

/// Uncompressed bytes of all images in a package, so that a small file can't fill the memory: further images are not
/// read.
pub(crate) const MAX_MEDIA_BYTES: u64 = 200 * 1024 * 1024;

/// Parts of a package, each of which is a file in the archive: a package with more is refused.
pub(crate) const MAX_PARTS: usize = 10_000;

/// XML nodes of a part, which bounds the memory of the parser: a part with more is refused.
pub(crate) const MAX_XML_NODES: u32 = 3_000_000;

/// Attributes of an XML element, since the parser compares each with all previous ones: a part with more is refused.
pub(crate) const MAX_ATTRIBUTES: usize = 500;

/// Prefixes of XML namespaces in a part, which the parser searches for each name: a part with more is refused.
pub(crate) const MAX_NAMESPACE_PREFIXES: usize = 100;

/// Declarations of XML namespaces in a part, which the parser compares with one another: a part with more is refused.
pub(crate) const MAX_NAMESPACE_DECLARATIONS: usize = 100_000;

/// Bytes of all texts and web pages that are inserted into a document (17.17.2): a further one is left out.
pub(crate) const MAX_INSERTED_BYTES: usize = 4 * 1024 * 1024;

/// Bytes of the pictures of an inserted web page, since they count as text of the document: further ones are left out.
pub(crate) const MAX_INSERTED_PICTURE_BYTES: usize = 1024 * 1024;

/// Depth of elements around paragraphs, which bounds the stack: deeper elements are reduced to their text.
pub(crate) const MAX_BODY_DEPTH: usize = 120;

/// Depth of elements in a paragraph, in addition to those around it, which bounds the stack: deeper elements are
/// reduced to their text.
pub(crate) const MAX_RUN_DEPTH: usize = 150;

/// Depth of text boxes, each of which counts as ten elements: a deeper one is left out.
pub(crate) const MAX_TEXT_BOX_DEPTH: usize = 40;

/// Depth of an equation, which bounds the stack: deeper parts are reduced to their text.
pub(crate) const MAX_EQUATION_DEPTH: usize = 60;

/// Styles that a style inherits from, more than Word creates: a longer chain, or a cycle, is cut off.
pub(crate) const MAX_STYLE_PARENTS: usize = 20;

/// Digits of the id of a list (17.9.18), which is copied to each paragraph of a style: a longer id is ignored.
pub(crate) const MAX_LIST_ID_DIGITS: usize = 20;

/// Levels of a list in WordprocessingML (17.9.6): a deeper item is put on the last level.
pub(crate) const LIST_LEVELS: usize = 9;
