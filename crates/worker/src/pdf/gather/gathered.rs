//! The result of gathering a book.

use std::collections::BTreeSet;

use quire_domain::pdf::Book;
use quire_revision::BlobHash;

/// A book, and the bytes that belong to it.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The book.
    pub book: Book,
    /// Its images.
    pub images: Vec<GatheredImage>,
    /// The URLs of its images that other services serve.
    pub pictures: BTreeSet<String>,
}

/// An image that the store has.
#[derive(Clone, Debug)]
pub struct GatheredImage {
    /// File name next to the book.
    pub name: String,
    /// Its bytes in the store.
    pub blob: BlobHash,
    /// Size in bytes.
    pub size: u64,
}
