//! Answers of a caller about the references of a document.

use quire_markup::openapi::Json;
use quire_markup::{ContentRef, Document};
use std::collections::HashMap;

/// A page, file, user or other thing that a document refers to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// Its address: relative to the page that is rendered, or absolute. Empty for a thing without a page of its own.
    pub address: String,
    /// Its title: of a page, the name of a file, the display name of a user.
    pub title: String,
    /// A sentence about it.
    pub description: Option<String>,
    /// The emoji of a page, by its code points in hexadecimal.
    pub emoji: Option<String>,
    /// The icon of a page, by its name.
    pub icon: Option<String>,
    /// Bytes of a file.
    pub bytes: Option<u64>,
    /// Width and height of a picture in pixels.
    pub size: Option<(u32, u32)>,
}

/// A piece of an OpenAPI specification: the body of one of its pages, and what it refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiPiece {
    /// The piece, as [`quire_markup::openapi::Page::body`] has it.
    pub body: Json,
    /// The address of the service, to which examples of requests go: the first server of the specification.
    pub server: Option<String>,
    /// Parts that it refers to, by their JSON pointers.
    pub parts: HashMap<String, Json>,
    /// The ids of the pages of models, by their JSON pointers. The caller resolves these pages, too.
    pub pages: HashMap<String, String>,
}

/// Answers what rendering asks about the references of a document. [`references`](crate::references) lists these, so
/// that the answers can be fetched in one go; [`Resolved`] is a ready-made implementation over maps.
pub trait Resolver {
    /// The target of a reference; `None` for one that is broken or hidden from the reader. Not asked for addresses.
    fn target(&self, reference: &ContentRef) -> Option<&Target>;

    /// The document of a reusable content; `None` for one that is not there or hidden.
    fn reusable_content(&self, reference: &ContentRef) -> Option<&Document>;

    /// The piece of a specification at a JSON pointer, such as `/paths/~1pets/get`.
    fn api(&self, specification: &ContentRef, pointer: &str) -> Option<&ApiPiece>;

    /// Returns whether the reader may see content under a condition.
    fn shows(&self, expression: &str) -> bool;

    /// The value of an expression in running text; `None` shows the expression.
    fn value(&self, expression: &str) -> Option<&str>;
}

/// Answers from maps. Conditions without an entry are hidden, unless `shows_all`.
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
