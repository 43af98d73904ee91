//! SVG images. They can contain scripts and external references, so a sanitized copy is stored.

use quire_markup::svg::{SvgError, sanitize};

use crate::encoding;

/// Maximum size of an SVG image in bytes, since its tree takes many times as much memory.
pub const SVG_MAX: usize = 8 * 1024 * 1024;

/// Reason why an SVG image cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum RefusedSvg {
    /// The image is larger than [`SVG_MAX`].
    #[error("it is larger than {SVG_MAX} bytes")]
    TooLarge,
    /// The image cannot be parsed safely as SVG.
    #[error("it is not valid SVG")]
    Unreadable(#[source] SvgError),
}

/// Returns whether this is the media type of SVG.
#[must_use]
pub fn is_svg(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("image/svg+xml")
}

/// Returns the sanitized SVG in UTF-8. Sanitizing is idempotent.
///
/// # Errors
/// [`RefusedSvg`] if it is too large, or cannot be parsed safely.
///
/// ```
/// use quire_importer::svg::sanitized;
/// let safe = sanitized(br#"<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><path d="M0 0"/></svg>"#)?;
/// assert_eq!(safe, r#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>"#);
/// assert!(sanitized(b"<script>x()</script>").is_err());
/// # Ok::<(), quire_importer::svg::RefusedSvg>(())
/// ```
pub fn sanitized(bytes: &[u8]) -> Result<String, RefusedSvg> {
    if bytes.len() > SVG_MAX {
        return Err(RefusedSvg::TooLarge);
    }
    sanitize(&encoding::decode(bytes).text).map_err(RefusedSvg::Unreadable)
}
