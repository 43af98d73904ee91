//! Images of a book.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use quire_domain::pdf::Book;
use typst::foundations::{Bytes, Smart};
use typst::visualize::{ImageFormat, RasterImage, SvgImage, VectorFormat};

/// Maximum number of pixels of a decoded image: a few bytes can declare any number of pixels.
const PIXELS: usize = 40_000_000;

/// Images by name.
pub type Images = HashMap<String, Bytes>;

/// Reads the images of a book. Missing and broken images are left out, and the book says so in their place.
pub fn load(book: &Book, folder: &Path) -> Images {
    let names = book.files.values().filter_map(|file| file.image.as_deref());
    let names = names.chain(book.pictures.values().map(String::as_str));
    // Names must not contain a path.
    let names = names.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric()));
    let read = |name: &str| Some((name.to_owned(), Bytes::new(fs::read(folder.join(name)).ok()?)));
    names.filter_map(read).filter(|(_, bytes)| can_be_shown(bytes)).collect()
}

/// Returns whether an image can be decoded. An undecodable image would fail the whole book. Decoding results are
/// cached.
fn can_be_shown(bytes: &Bytes) -> bool {
    match ImageFormat::detect(bytes) {
        Some(ImageFormat::Raster(format)) => {
            let bounded = imagesize::blob_size(bytes)
                .is_ok_and(|size| size.width.saturating_mul(size.height) <= PIXELS);
            bounded && RasterImage::new(bytes.clone(), format, Smart::Auto).is_ok()
        }
        Some(ImageFormat::Vector(VectorFormat::Svg)) => SvgImage::new(bytes.clone()).is_ok(),
        _ => false,
    }
}
