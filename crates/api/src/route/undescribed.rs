//! Shapes without schemas, for builds that do not make the OpenAPI document.

/// Shape of a body or a response.
pub struct Shape;

#[expect(clippy::extra_unused_type_parameters, reason = "the same functions as in builds with schemas")]
impl Shape {
    /// Returns the shape of a type.
    #[must_use]
    pub fn of<T>() -> Self {
        Self
    }

    /// Returns the shape of a list with its envelope.
    pub(super) fn of_list<T>() -> Self {
        Self
    }

    /// Returns the shape of an array without an envelope.
    pub(super) fn of_array<T>() -> Self {
        Self
    }
}
