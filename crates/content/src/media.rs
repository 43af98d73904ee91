//! Metadata of a file from its name, its bytes and its declared type.

use mime_guess::mime::{self, Mime};
use quire_domain::bounds::{CONTENT_TYPE_MAX, FILE_NAME_MAX};
use quire_domain::direction::is_direction_control;
use quire_importer::svg::is_svg;
use quire_markup::svg_size;
use quire_revision::Dimensions;

/// Checks the name of a file. It must not be a path, and must be valid in headers and URLs.
///
/// # Errors
/// A sentence without its subject.
pub fn check_file_name(name: &str) -> Result<(), String> {
    let length = u64::try_from(name.chars().count()).unwrap_or(u64::MAX);
    if !(1..=FILE_NAME_MAX).contains(&length) {
        return Err(format!("must have 1 to {FILE_NAME_MAX} characters, has {length}"));
    }
    if name.contains(['/', '\\']) || matches!(name.trim(), "" | "." | "..") {
        return Err("must be a name, not a path".to_owned());
    }
    if name.chars().any(char::is_control) {
        return Err("must not contain control characters".to_owned());
    }
    if name.contains(is_direction_control) {
        return Err("must not contain characters that change the text direction".to_owned());
    }
    Ok(())
}

/// Parses a media type. `None` if it is invalid.
#[must_use]
pub fn media_type(written: &str) -> Option<Mime> {
    let short = u64::try_from(written.len()).is_ok_and(|length| length <= CONTENT_TYPE_MAX);
    let mime: Mime = written.trim().parse().ok()?;
    (short && mime.type_() != mime::STAR && mime.subtype() != mime::STAR).then_some(mime)
}

/// Returns the declared type of a file if it is specific, and otherwise the type of its extension.
#[must_use]
pub fn type_of(declared: Option<&Mime>, name: &str) -> String {
    let says_something = |mime: &&Mime| mime.essence_str() != mime::APPLICATION_OCTET_STREAM.essence_str();
    match declared.filter(says_something) {
        Some(mime) => mime.to_string(),
        None => mime_guess::from_path(name).first_or_octet_stream().to_string(),
    }
}

/// Returns the dimensions of an image in a common format, and of an SVG image that declares them in pixels.
#[must_use]
pub fn dimensions(content_type: &str, bytes: &[u8]) -> Option<Dimensions> {
    if !content_type.starts_with("image/") {
        return None;
    }
    if is_svg(content_type) {
        let (width, height) = svg_size(std::str::from_utf8(bytes).ok()?)?;
        return Some(Dimensions { width, height });
    }
    let size = imagesize::blob_size(bytes).ok()?;
    Some(Dimensions { width: size.width.try_into().ok()?, height: size.height.try_into().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_path() {
        for good in ["a.png", "мой файл.pdf", ".env", "a..b", &"a".repeat(256)] {
            assert_eq!(check_file_name(good), Ok(()), "{good}");
        }
        for bad in ["", " ", ".", "..", "a/b", "a\\b", "a\0", "a\nb", "é\u{202E}gpj.exe", &"a".repeat(257)] {
            assert!(check_file_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_sender_is_believed_unless_it_says_nothing() {
        let says = |text: &str| media_type(text);
        assert_eq!(type_of(says("image/webp").as_ref(), "a.png"), "image/webp");
        assert_eq!(type_of(says("text/plain; charset=utf-8").as_ref(), "a"), "text/plain; charset=utf-8");
        assert_eq!(type_of(says("application/octet-stream").as_ref(), "a.png"), "image/png");
        assert_eq!(type_of(None, "a.unheard-of"), "application/octet-stream");
        for bad in ["", "png", "image/*", "a/b\r\nx: y", &format!("a/{}", "b".repeat(255))] {
            assert_eq!(media_type(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn only_images_have_a_size() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";
        assert_eq!(dimensions("image/png", png), Some(Dimensions { width: 3, height: 2 }));
        assert_eq!(dimensions("text/plain", png), None);
        let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"></svg>"#;
        assert_eq!(dimensions("image/svg+xml", svg), Some(Dimensions { width: 40, height: 30 }));
        assert_eq!(dimensions("image/png", b"no image"), None);
    }
}
