//! The settings of a deployment.

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
    /// Commit that the service was built from.
    pub build: String,
    /// Largest body in bytes.
    pub max_body: usize,
    /// Largest upload in bytes.
    pub max_upload: usize,
    /// Memory for the bodies of all requests, in bytes.
    pub max_bodies: usize,
    /// Memory for the bytes of all responses that wait for their readers, in bytes.
    pub max_unread: usize,
    /// Bytes that caches take in memory.
    pub caches: CacheBudget,
    /// Bytes of the finished answers among them; `None` for their share.
    pub answer_cache: Option<u64>,
    /// Requests that use the database at the same time: as many as it has connections.
    pub concurrency: usize,
    /// Longest pause while a body is received.
    pub body_pause: Duration,
    /// Least average rate at which a body is received, in bytes per second.
    pub body_rate: u64,
    /// Longest wait of a request for a permit.
    pub wait: Duration,
    /// Requests per minute and user; 0 for no bound.
    pub rate_limit: u32,
    /// Requests per minute and client address without a valid token; 0 for no bound.
    pub peer_rate_limit: u32,
    /// Origins that browsers may send requests from.
    pub cors_origins: Vec<String>,
    /// Trusted proxies, which pass the client address.
    pub proxies: Proxies,
    /// Host names under which the service is reached, besides that of the base URL.
    pub own_hostnames: Vec<String>,
    /// Host names of sites count without a proof; `None`: while there is one organization.
    pub trust_hostnames: Option<bool>,
    /// True if mail can be sent. Otherwise pages offer no links by mail.
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
