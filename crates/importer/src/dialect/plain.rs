//! Folders of files that no product is known to have made, and books of GitBook and mdBook: what these do their own way, the
//! [layout](crate::layout), the [table of contents](crate::summary) and the [includes](crate::include) know, as anybody's files may be so.

use super::Dialect;

/// Files as they are.
#[derive(Debug)]
pub(crate) struct Plain;

impl Dialect for Plain {}
