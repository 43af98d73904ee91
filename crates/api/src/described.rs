//! Descriptions of types for the OpenAPI document, or inert replacements without the feature `openapi`.

#[cfg(not(feature = "openapi"))]
pub use inert::{IntoParams, ToSchema};
#[cfg(feature = "openapi")]
pub use utoipa::{IntoParams, ToSchema};

#[cfg(not(feature = "openapi"))]
mod inert {
    pub use quire_inert_derive::{IntoParams, ToSchema};

    /// Type of a body or a response.
    pub trait ToSchema {}

    impl<T: ?Sized> ToSchema for T {}

    /// Type of query parameters.
    pub trait IntoParams {}

    impl<T: ?Sized> IntoParams for T {}
}
