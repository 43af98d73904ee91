#![doc = include_str!("../README.md")]

mod api;
mod app;
mod event_streams;
mod listing;
mod openapi;
mod pdf_poll;
mod prelude;
mod present;
pub mod route;
mod saml;
mod scim;
mod service;
mod v1;
mod visitors;
mod visits;

// Re-exports of the serving kernel, under the paths that handlers use.
use quire_server::{
    audit_rule, body_budget, error, extract, idempotency, jwt, middleware, own_user, preconditions,
    preferences, respond, session_cookie, sign_in, signing, state, urls,
};

pub use api::{Api, ApiData, ApiSettings};
pub use app::configure;
pub use openapi::document_json;
pub use present::SignedAddresses;
pub use v1::routes;
