//! Direction of a message, which determines whether read-only and write-only properties are included.

use super::super::json::Json;
use super::resolve::Parts;

/// Direction of the message that a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Request, without `readOnly` properties.
    Request,
    /// Response, without `writeOnly` properties.
    Response,
    /// Neither, such as for a model, with all properties.
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
