#![doc = include_str!("../README.md")]

use proc_macro::TokenStream;

/// Accepts the attributes of `utoipa::ToSchema`.
#[proc_macro_derive(ToSchema, attributes(schema))]
pub fn to_schema(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Accepts the attributes of `utoipa::IntoParams`.
#[proc_macro_derive(IntoParams, attributes(into_params, param))]
pub fn into_params(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Accepts the attributes of `validator::Validate`.
#[proc_macro_derive(Validate, attributes(validate))]
pub fn validate(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}
