#![doc = include_str!("../README.md")]

mod analyzer;
mod app;
mod body_room;
mod content;
mod error;
mod exports;
mod extract;
mod import_turns;
mod jwt;
mod metrics;
pub mod middleware;
pub mod openapi;
mod pdf_waits;
mod preconditions;
mod preferences;
mod present;
mod proxies;
mod readiness;
mod respond;
pub mod route;
mod routes;
mod service;
mod signing;
mod state;
mod urls;
mod v1;

pub use analyzer::MarkupAnalyzer;
pub use app::configure;
pub use error::{ApiError, ApiResult};
pub use present::SignedAddresses;
pub use proxies::{ForwardedHeader, Proxies, Proxy};
pub use routes::routes;
pub use signing::UrlSigner;
pub use state::{ApiState, Settings, State};
