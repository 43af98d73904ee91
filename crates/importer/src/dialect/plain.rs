//! Folders of files that no product is known to have made.

use super::Dialect;

/// Files as they are.
#[derive(Debug)]
pub(crate) struct Plain;

impl Dialect for Plain {}
