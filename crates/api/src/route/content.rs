//! Content of bodies and responses.

use super::Shape;

/// Function that returns a shape. Only the OpenAPI document needs shapes, so a route holds the function.
pub type MakeShape = fn() -> Shape;

/// Content of a body or a response.
#[derive(Clone, Copy)]
pub enum Content {
    /// JSON of this shape.
    Json(MakeShape),
    /// Form whose parts are the keys of this shape.
    Form(MakeShape),
    /// Other media type.
    Media(&'static str),
}
