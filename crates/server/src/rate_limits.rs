//! Request counts for the rate limits.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use quire_cache::Cache;
use quire_domain::ids::{GitInstallationId, UserId};
use quire_storage::lookup::Credentials;
use sha2::{Digest as _, Sha256};

use crate::settings::Settings;
use crate::urls::base_path;

/// Maximum number of cached users, addresses and tokens. An entry expires when its quota is full again.
const REMEMBERED: u64 = 100_000;
const REST: Duration = Duration::from_secs(120);
/// Sign-in attempts per minute and account.
const TRIES_OF_ACCOUNT: u32 = 5;
/// Sign-in attempts per minute and client address.
const TRIES_OF_ADDRESS: u32 = 20;
/// Webhook deliveries per minute and connected repository.
const DELIVERIES: u32 = 10;
/// Paths without a limit, so that a probe does not fail because of other requests from its address. Their cost is
/// bounded.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// Request counts of this node.
pub struct RateLimits {
    users: Counts<UserId>,
    addresses: Counts<IpAddr>,
    /// Users of verified tokens, used only for counting: every request still looks up its token, so a revoked token is
    /// refused at once. Unknown tokens are never inserted, so other clients cannot evict entries.
    owners: Cache<Credentials, UserId>,
    /// Sign-in attempts, by the hash of the account's name.
    accounts: Counts<[u8; 32]>,
    /// Sign-in attempts, by client address.
    signing_in: Counts<IpAddr>,
    /// Webhook deliveries, by connected repository.
    hooks: Counts<GitInstallationId>,
    probes: [String; 2],
}

impl RateLimits {
    /// Applies the bounds of the deployment.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let base = base_path(&settings.base_url);
        Self {
            users: Counts::new(settings.rate_limit),
            addresses: Counts::new(settings.peer_rate_limit),
            owners: remembered(),
            accounts: Counts::new(TRIES_OF_ACCOUNT),
            signing_in: Counts::new(TRIES_OF_ADDRESS),
            hooks: Counts::new(DELIVERIES),
            probes: PROBES.map(|path| format!("{base}{path}")),
        }
    }

    /// Returns whether a path has no limit.
    pub(crate) fn is_probe(&self, path: &str) -> bool {
        self.probes.iter().any(|probe| probe == path)
    }

    /// Returns the user of a token, if the token was verified before.
    pub(crate) fn owner(&self, credentials: &Credentials) -> Option<UserId> {
        self.owners.get(credentials)
    }

    /// Caches the user of a valid token.
    pub(crate) fn remember_owner(&self, credentials: Credentials, user: UserId) {
        self.owners.insert(credentials, user);
    }

    /// Removes a refused token.
    pub(crate) fn forget_owner(&self, credentials: &Credentials) {
        self.owners.invalidate(credentials);
    }

    /// Counts a request of a user, or returns the time to wait if it exceeds the bound.
    pub(crate) fn count_user(&self, user: UserId) -> Option<Duration> {
        self.users.count(user)
    }

    /// Counts a request from an address, or returns the time to wait if it exceeds the bound.
    pub(crate) fn count_address(&self, address: IpAddr) -> Option<Duration> {
        self.addresses.count(address)
    }

    /// Counts a sign-in attempt from an address, or returns the time to wait if it exceeds the bound.
    pub(crate) fn count_address_signing_in(&self, address: IpAddr) -> Option<Duration> {
        self.signing_in.count(address)
    }

    /// Counts a webhook delivery of a connected repository, or returns the time to wait if it exceeds the bound.
    pub(crate) fn count_hook(&self, id: GitInstallationId) -> Option<Duration> {
        self.hooks.count(id)
    }

    /// Counts a sign-in attempt for an account from an address, or returns the time to wait if it exceeds a bound. The
    /// account need not exist.
    pub(crate) fn count_sign_in(&self, account: &str, address: Option<IpAddr>) -> Option<Duration> {
        let account = Sha256::digest(account.to_lowercase().as_bytes()).into();
        address.and_then(|address| self.signing_in.count(address)).or_else(|| self.accounts.count(account))
    }
}

/// Request counts by key.
struct Counts<K> {
    quota: Option<Quota>,
    counts: Cache<K, Arc<DefaultDirectRateLimiter>>,
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static> Counts<K> {
    /// Allows `per_minute` requests per minute and key; 0 means no bound.
    fn new(per_minute: u32) -> Self {
        Self { quota: NonZeroU32::new(per_minute).map(Quota::per_minute), counts: remembered() }
    }

    /// Counts a request, or returns the time to wait if it exceeds the bound.
    fn count(&self, key: K) -> Option<Duration> {
        let quota = self.quota?;
        let limiter = self.counts.get_with(key, || Arc::new(RateLimiter::direct(quota)));
        limiter.check().err().map(|until| until.wait_time_from(DefaultClock::default().now()))
    }
}

fn remembered<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static>() -> Cache<K, V> {
    Cache::builder().max_capacity(REMEMBERED).time_to_idle(REST).build()
}
