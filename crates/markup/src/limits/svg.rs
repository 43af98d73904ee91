//! Limits of the SVG sanitizer.

/// XML nodes of a drawing, which bounds the memory of the parser: a drawing with more is refused.
pub(crate) const MAX_XML_NODES: u32 = 1_000_000;
