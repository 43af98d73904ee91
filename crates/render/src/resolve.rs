//! Data about the references of a document, provided by the caller.

use quire_markup::openapi::Json;
use quire_markup::{ContentRef, Document};
use std::collections::HashMap;

/// Target of a reference: a page, file, user or other object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// Address: relative to the rendered page, or absolute. Empty for a target without a page of its own.
    pub address: String,
    /// Title of a page, name of a file, or display name of a user.
    pub title: String,
    /// Description in one sentence.
    pub description: Option<String>,
    /// Emoji of a page, as its code points in hexadecimal.
    pub emoji: Option<String>,
    /// Name of the icon of a page.
    pub icon: Option<String>,
    /// Size of a file in bytes.
    pub bytes: Option<u64>,
    /// Width and height of a picture in pixels.
    pub size: Option<(u32, u32)>,
}

/// Piece of an OpenAPI specification: the body of one of its pages, and the parts that it refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiPiece {
    /// Body, in the form of [`quire_markup::openapi::Page::body`].
    pub body: Json,
    /// Address of the service in examples of requests: the first server of the specification.
    pub server: Option<String>,
    /// Parts that the piece refers to, by JSON pointer.
    pub parts: HashMap<String, Json>,
    /// Ids of the pages of models, by JSON pointer. The caller resolves these pages, too.
    pub pages: HashMap<String, String>,
}

/// Provider of data about the references of a document. [`references`](crate::references) lists them, so that a caller
/// can fetch all data at once; [`Resolved`] implements the trait with maps.
pub trait Resolver {
    /// Returns the target of a reference; `None` if it is broken or hidden from the reader. Not called for addresses.
    fn target(&self, reference: &ContentRef) -> Option<&Target>;

    /// Returns the document of a reusable content; `None` if it does not exist or is hidden from the reader.
    fn reusable_content(&self, reference: &ContentRef) -> Option<&Document>;

    /// Returns the piece of a specification at a JSON pointer, such as `/paths/~1pets/get`.
    fn api(&self, specification: &ContentRef, pointer: &str) -> Option<&ApiPiece>;

    /// Returns whether the reader may see content under a condition.
    fn shows(&self, expression: &str) -> bool;

    /// Returns the value of an expression in running text. For `None`, the expression itself is shown.
    fn value(&self, expression: &str) -> Option<&str>;
}

/// Resolver with maps. Content under a condition without an entry is hidden, unless `shows_all` is set.
#[derive(Debug, Clone, Default)]
pub struct Resolved {
    /// Targets of references.
    pub targets: HashMap<ContentRef, Target>,
    /// Documents of reusable contents.
    pub reusable_contents: HashMap<ContentRef, Document>,
    /// Pieces of specifications, by the specification and the JSON pointer.
    pub apis: HashMap<ContentRef, HashMap<String, ApiPiece>>,
    /// Values of conditions.
    pub conditions: HashMap<String, bool>,
    /// Values of expressions.
    pub values: HashMap<String, String>,
    /// Shows the content of every condition.
    pub shows_all: bool,
}

impl Resolver for Resolved {
    fn target(&self, reference: &ContentRef) -> Option<&Target> {
        self.targets.get(reference)
    }

    fn reusable_content(&self, reference: &ContentRef) -> Option<&Document> {
        self.reusable_contents.get(reference)
    }

    fn api(&self, specification: &ContentRef, pointer: &str) -> Option<&ApiPiece> {
        self.apis.get(specification)?.get(pointer)
    }

    fn shows(&self, expression: &str) -> bool {
        self.shows_all || self.conditions.get(expression).copied().unwrap_or(false)
    }

    fn value(&self, expression: &str) -> Option<&str> {
        self.values.get(expression).map(String::as_str)
    }
}
