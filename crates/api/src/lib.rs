#![doc = include_str!("../README.md")]

mod api;
mod app;
#[cfg(any(test, not(feature = "openapi")))]
mod committed;
mod described;
mod listing;
#[cfg(feature = "openapi")]
mod openapi;
mod pdf_poll;
mod present;
pub mod route;
mod routes;
mod service;
mod space_texts;
mod v1;
mod visitors;

// Re-exports of the serving kernel under the paths that handlers use.
use quire_server::{
    body_room, error, extract, idempotency, jwt, middleware, preconditions, preferences, recordings, respond,
    signing, state, urls,
};

pub use api::{Api, ApiData, ApiSettings};
pub use app::configure;
#[cfg(not(feature = "openapi"))]
pub use committed::document_json;
#[cfg(feature = "openapi")]
pub use openapi::document_json;
pub use present::SignedAddresses;
pub use routes::routes;
