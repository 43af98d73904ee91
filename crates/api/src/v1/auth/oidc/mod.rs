//! Signing in with OpenID Connect.
//!
//! A browser visits the provider between two requests. What is needed of the first is in a signed cookie of ten
//! minutes.

pub mod callback;
mod client;
pub mod providers;
pub mod start;

use quire_domain::ids::OidcProviderId;
use quire_server::oidc::Pending;

use crate::visits::{self, Protocol};

/// Cookie of a visit.
const PROTOCOL: Protocol = Protocol {
    cookie: "quire-oidc",
    secure_cookie: "__Host-quire-oidc",
    signed: "visit to an OpenID Connect provider ",
};

/// Visit of a browser to a provider.
type Visit = visits::Visit<OidcProviderId, Pending>;
