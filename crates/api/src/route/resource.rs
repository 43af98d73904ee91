//! Common part of the routes at one path.

use super::object::Object;
use super::tag::Tag;

/// Path with its tag and its object. Every route has one.
#[derive(Clone, Copy, Debug)]
pub struct Resource {
    pub(super) tag: Tag,
    pub(super) path: &'static str,
    pub(super) object: Option<Object>,
}

impl Tag {
    /// Returns a resource of this group. `object` is the one that audit log entries name; `None` if there are no
    /// entries or the path has no parameter.
    #[must_use]
    pub const fn at(self, path: &'static str, object: Option<Object>) -> Resource {
        Resource { tag: self, path, object }
    }
}
