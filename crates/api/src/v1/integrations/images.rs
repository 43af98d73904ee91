//! Images in request bodies.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use imagesize::ImageType;
use quire_domain::bounds::INTEGRATION_IMAGE_MAX;
use quire_storage::operations::integrations::Image;

use crate::prelude::*;

/// Decodes the image in a field: base64 of a PNG, JPEG, GIF or WebP file, detected by content. Vector graphics are
/// refused, because they can contain scripts.
///
/// # Errors
/// 400 that names the field.
pub fn read(field: &str, text: &str) -> ApiResult<Image> {
    let wrong = |message: &str| ApiError::invalid_field(field, message);
    let bytes = STANDARD.decode(text).map_err(|_| wrong("must be base64"))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > INTEGRATION_IMAGE_MAX {
        return Err(wrong(&format!("must have at most {INTEGRATION_IMAGE_MAX} bytes")));
    }
    let media_type = match imagesize::image_type(&bytes) {
        Ok(ImageType::Png) => "image/png",
        Ok(ImageType::Jpeg) => "image/jpeg",
        Ok(ImageType::Gif) => "image/gif",
        Ok(ImageType::Webp) => "image/webp",
        _ => return Err(wrong("must be a PNG, JPEG, GIF or WebP image")),
    };
    if imagesize::blob_size(&bytes).is_err() {
        return Err(wrong("is not a complete image"));
    }
    Ok(Image { media_type, bytes })
}

#[cfg(test)]
mod tests {
    use super::read;

    const PNG: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    #[test]
    fn pictures_are_known_by_their_bytes() {
        assert_eq!(read("icon", PNG).unwrap().media_type, "image/png");
        for text in ["", "!", "AAAA", "PHN2Zz48L3N2Zz4=", &PNG[..16]] {
            assert!(format!("{:?}", read("icon", text).unwrap_err()).contains("icon"), "{text}");
        }
    }
}
