//! Files of no known product.

use super::Dialect;

/// Files without product-specific rules.
#[derive(Debug)]
pub(super) struct Plain;

impl Dialect for Plain {
    fn product(&self) -> &'static str {
        "GitBook or mdBook"
    }
}
