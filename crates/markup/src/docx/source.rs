//! Shared state of a document and the files inserted into it.

use crate::document::Meter;
use crate::markdown::RefResolver;

/// Links and bounds shared by all parts of a document, and by the files inserted into it.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) refs: &'a dyn RefResolver,
    pub(super) meter: &'a Meter<'a>,
}
