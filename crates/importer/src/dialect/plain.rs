//! Files of no known product.

use quire_markup::dialects::{self, Translated};

use super::Dialect;

/// Files without product-specific rules.
#[derive(Debug)]
pub(super) struct Plain;

impl Dialect for Plain {
    fn product(&self) -> &'static str {
        "GitBook or mdBook"
    }

    fn translated(&self, _path: &str, text: &str) -> Option<Translated> {
        Some(dialects::book(text))
    }
}
