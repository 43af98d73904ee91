#![doc = include_str!("../README.md")]

pub mod audit_rule;
mod batches;
pub mod body_budget;
mod door;
pub mod error;
pub mod extract;
pub mod files;
mod gate;
mod held_transaction;
pub mod hook_signatures;
pub mod idempotency;
pub mod jwt;
pub mod last_sign_in;
mod lookups;
pub mod metrics;
pub mod middleware;
pub mod own_path;
pub mod own_user;
pub mod passkeys;
mod password_work;
pub mod preconditions;
pub mod preferences;
pub mod preview;
pub mod proxies;
mod rate_limits;
mod readiness;
pub mod respond;
mod response_cache;
pub mod routing;
mod search_waits;
pub mod second_factor;
pub mod session_cookie;
pub mod settings;
pub mod sign_in;
pub mod signing;
pub mod site_token;
pub mod state;
pub mod unread;
pub mod urls;

pub use error::{ApiError, ApiResult};
pub use proxies::{ForwardedHeader, Proxies, Proxy};
/// Codes of authenticator apps.
pub use quire_auth::totp;
/// Sign-ins with OpenID Connect and SAML, for callers that may send requests.
pub use quire_auth::{oidc, saml};
pub use response_cache::Answers;
pub use search_waits::{SEARCH_PROGRESS, when_indexed, with_progress};
pub use settings::Settings;
pub use signing::UrlSigner;
pub use state::{ServerState, State};
