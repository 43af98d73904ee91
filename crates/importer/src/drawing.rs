//! Drawings: SVG can run scripts and reach other places, so it is stored as it is written anew, with what draws alone.

use quire_markup::svg::{SvgError, neutralize};

use crate::encoding;

/// The largest drawing that is read, in bytes: its tree takes many times its size in memory.
pub const DRAWING_MAX: usize = 8 * 1024 * 1024;

/// Why a drawing can't be shown.
#[derive(Debug, thiserror::Error)]
pub enum DrawingError {
    /// It is larger than [`DRAWING_MAX`].
    #[error("it is larger than {DRAWING_MAX} bytes")]
    TooLarge,
    /// It isn't SVG that can be read with certainty.
    #[error("it can't be read as SVG")]
    Unreadable(#[source] SvgError),
}

/// Whether a media type is that of a drawing.
#[must_use]
pub fn is_drawing(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("image/svg+xml")
}

/// The drawing with what draws alone, in UTF-8. What is written anew once stays the same.
///
/// # Errors
/// [`DrawingError`] when it is too large, or can't be read with certainty.
///
/// ```
/// use quire_importer::drawing::neutralized;
/// let safe = neutralized(br#"<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><path d="M0 0"/></svg>"#)?;
/// assert_eq!(safe, r#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>"#);
/// assert!(neutralized(b"<script>x()</script>").is_err());
/// # Ok::<(), quire_importer::drawing::DrawingError>(())
/// ```
pub fn neutralized(bytes: &[u8]) -> Result<String, DrawingError> {
    if bytes.len() > DRAWING_MAX {
        return Err(DrawingError::TooLarge);
    }
    neutralize(&encoding::decode(bytes).text).map_err(DrawingError::Unreadable)
}
