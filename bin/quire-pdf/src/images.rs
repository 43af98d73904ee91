//! The images of a book, as far as they can be shown.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use quire_domain::pdf::Book;
use typst::foundations::{Bytes, Smart};
use typst::visualize::{ImageFormat, RasterImage, SvgImage, VectorFormat};

/// An image with more pixels than this isn't unpacked: a few bytes can claim any number of them.
const PIXELS: usize = 40_000_000;

/// The images by their names.
pub type Images = HashMap<String, Bytes>;

/// Reads the images of a book. One that is missing or broken is left out, which the book then says in its place.
pub fn load(book: &Book, folder: &Path) -> Images {
    let names = book.files.values().filter_map(|file| file.image.as_deref());
    let names = names.chain(book.pictures.values().map(String::as_str));
    // A name is a name, and no way to other folders.
    let names = names.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric()));
    let read = |name: &str| Some((name.to_owned(), Bytes::new(fs::read(folder.join(name)).ok()?)));
    names.filter_map(read).filter(|(_, bytes)| can_be_shown(bytes)).collect()
}

/// Whether an image can be decoded: one that can't would end the whole book. What is decoded here is remembered.
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
