//! Direction of a message, which decides on properties that are only read or only written.

use super::super::json::Json;
use super::resolve::Parts;

/// The direction of the message that a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// A request: it has no `readOnly` properties.
    Request,
    /// A response: it has no `writeOnly` properties.
    Response,
    /// Neither, as for a model: it has all properties.
    Any,
}

impl Direction {
    /// Returns whether messages of this direction have a property with this schema.
    #[must_use]
    pub fn has(self, property: &Json, parts: &Parts<'_>) -> bool {
        let says = |key: &str| property.flag(key) || parts.follow(property).flag(key);
        match self {
            Self::Request => !says("readOnly"),
            Self::Response => !says("writeOnly"),
            Self::Any => true,
        }
    }
}
