//! The parts that routes at one path share.

use super::object::Object;
use super::tag::Tag;

/// A path with its tag and its object: no route can be declared without them.
#[derive(Clone, Copy, Debug)]
pub struct Resource {
    pub(super) tag: Tag,
    pub(super) path: &'static str,
    pub(super) object: Option<Object>,
}

impl Tag {
    /// A resource of this group. `object` is the one that entries of the audit log name; `None` where no entry is left,
    /// or where the
    /// path has no parameter.
    #[must_use]
    pub const fn at(self, path: &'static str, object: Option<Object>) -> Resource {
        Resource { tag: self, path, object }
    }
}
