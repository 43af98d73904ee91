//! Settings of a deployment.

use std::time::Duration;

use quire_storage::CacheBudget;
use quire_storage::sites::HostnameRules;

use crate::proxies::Proxies;
use crate::urls::base_host;

/// Bounds and switches of a deployment.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Public base URL without a trailing slash, optionally with a path.
    pub base_url: String,
    /// Commit from which the service was built.
    pub build: String,
    /// Maximum size of a body in bytes.
    pub max_body: usize,
    /// Maximum size of an upload in bytes.
    pub max_upload: usize,
    /// Memory budget for all request bodies, in bytes.
    pub max_bodies: usize,
    /// Memory budget for unsent response bytes of all requests.
    pub max_unread: usize,
    /// Memory budget of the caches.
    pub caches: CacheBudget,
    /// Part of the cache budget for response bodies, in bytes; `None` for the default share.
    pub answer_cache: Option<u64>,
    /// Maximum number of requests that use the database concurrently. It equals the number of connections.
    pub concurrency: usize,
    /// Maximum pause while a body is received.
    pub body_pause: Duration,
    /// Minimum average rate at which a body must be received, in bytes per second.
    pub body_rate: u64,
    /// Maximum wait of a request for a permit.
    pub wait: Duration,
    /// Requests per minute and user; 0 means no bound.
    pub rate_limit: u32,
    /// Requests per minute and client address without a valid token; 0 means no bound.
    pub peer_rate_limit: u32,
    /// Origins from which browsers may send cross-origin requests.
    pub cors_origins: Vec<String>,
    /// Trusted proxies, which pass the client address.
    pub proxies: Proxies,
    /// Host names of the service, in addition to the host of the base URL.
    pub own_hostnames: Vec<String>,
    /// `true` to accept host names of sites without proof of ownership; `None` to do so while there is one
    /// organization.
    pub trust_hostnames: Option<bool>,
    /// `true` if mail can be sent. Otherwise pages offer no sign-in links by mail.
    pub mail: bool,
}

impl Settings {
    /// Returns the rules for host names of sites.
    #[must_use]
    pub fn hostname_rules(&self) -> HostnameRules {
        let base = base_host(&self.base_url);
        let own = base.into_iter().chain(self.own_hostnames.iter().cloned()).collect();
        HostnameRules { own, trust: self.trust_hostnames }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            base_url: "http://127.0.0.1:8080".to_owned(),
            build: "unknown".to_owned(),
            max_body: 4 << 20,
            max_upload: 32 << 20,
            max_bodies: 256 << 20,
            max_unread: 64 << 20,
            caches: CacheBudget::default(),
            answer_cache: None,
            concurrency: 6,
            body_pause: Duration::from_secs(20),
            body_rate: 64 << 10,
            wait: Duration::from_secs(5),
            rate_limit: 6_000,
            peer_rate_limit: 6_000,
            cors_origins: Vec::new(),
            proxies: Proxies::default(),
            own_hostnames: Vec::new(),
            trust_hostnames: None,
            mail: false,
        }
    }
}
