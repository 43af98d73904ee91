//! Files that no product is known to have made.

use super::Dialect;

/// Files as they are.
#[derive(Debug)]
pub(super) struct Plain;

impl Dialect for Plain {
    fn product(&self) -> &'static str {
        "GitBook or mdBook"
    }
}
