//! The result of gathering a book.

use std::collections::BTreeSet;

use quire_domain::pdf::Book;
use quire_revision::BlobHash;

/// A book with its images.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The book.
    pub book: Book,
    /// Its images.
    pub images: Vec<GatheredImage>,
    /// URLs of its external images.
    pub pictures: BTreeSet<String>,
}

/// A stored image.
#[derive(Clone, Debug)]
pub struct GatheredImage {
    /// File name next to the book.
    pub name: String,
    /// The hash of its bytes in the store.
    pub blob: BlobHash,
    /// Size in bytes.
    pub size: u64,
}
