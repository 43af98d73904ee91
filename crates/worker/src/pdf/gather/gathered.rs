//! Result of gathering a book.

use std::collections::BTreeSet;

use quire_domain::pdf::Book;
use quire_revision::BlobHash;

/// Book with its images.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The book.
    pub book: Book,
    /// Stored images of the book.
    pub images: Vec<GatheredImage>,
    /// URLs of external images of the book.
    pub pictures: BTreeSet<String>,
}

/// A stored image.
#[derive(Clone, Debug)]
pub struct GatheredImage {
    /// File name in the folder of the book.
    pub name: String,
    /// Hash of the bytes in the store.
    pub blob: BlobHash,
    /// Size in bytes.
    pub size: u64,
}
