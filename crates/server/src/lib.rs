#![doc = include_str!("../README.md")]

mod answers;
mod batches;
pub mod body_room;
mod erased;
pub mod error;
pub mod extract;
pub mod files;
mod gate;
mod held;
pub mod idempotency;
pub mod jwt;
pub mod metrics;
pub mod middleware;
pub mod preconditions;
pub mod preferences;
pub mod preview;
pub mod proxies;
mod rate_limits;
mod readiness;
pub mod recordings;
pub mod respond;
pub mod routing;
mod search_waits;
pub mod settings;
pub mod signing;
pub mod site_token;
pub mod state;
pub mod unread;
pub mod urls;

pub use answers::Answers;
pub use error::{ApiError, ApiResult};
pub use proxies::{ForwardedHeader, Proxies, Proxy};
pub use search_waits::when_indexed;
pub use settings::Settings;
pub use signing::UrlSigner;
pub use state::{ServerState, State};
