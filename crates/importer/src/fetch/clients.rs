//! The HTTP clients of a fetcher.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::allow::AllowRule;
use super::names::Names;
use super::resolver::{self, GuardedResolver};

/// Age at which a client is replaced, so that certificates added by the operator apply without a restart.
const MAX_AGE: Duration = Duration::from_secs(60);

/// Targets that can share a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Target {
    /// The scheme is https.
    pub(super) is_encrypted: bool,
    /// The operator trusts the host by name, with any address.
    pub(super) is_trusted: bool,
}

/// A client and the time at which it was built.
#[derive(Debug, Clone)]
struct Built {
    client: reqwest::Client,
    at: Instant,
}

/// Clients by target.
///
/// A client for https parses all certificates of the system when it is built, which takes longer than most fetches, so
/// clients are kept for [`MAX_AGE`]. They keep no connection: each fetch resolves and checks its name.
#[derive(Debug, Clone)]
pub(super) struct Clients {
    rules: Arc<[AllowRule]>,
    names: Names,
    connect_timeout: Duration,
    built: Arc<Mutex<HashMap<Target, Built>>>,
}

impl Clients {
    /// Creates an empty set of clients with these exceptions to the guard, this DNS configuration, and this time limit
    /// for connections.
    pub(super) fn new(rules: Arc<[AllowRule]>, names: Names, connect_timeout: Duration) -> Self {
        Self { rules, names, connect_timeout, built: Arc::default() }
    }

    /// Returns the client for a target.
    ///
    /// # Errors
    /// The system has no certificates, for https.
    pub(super) fn of(&self, target: Target) -> Result<reqwest::Client, reqwest::Error> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Built { client, at }) = built.get(&target)
            && at.elapsed() < MAX_AGE
        {
            return Ok(client.clone());
        }
        let client = self.build(target)?;
        built.insert(target, Built { client: client.clone(), at: Instant::now() });
        Ok(client)
    }

    fn build(&self, target: Target) -> Result<reqwest::Client, reqwest::Error> {
        // Fails if the process already has a cryptography provider, which is then used.
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("quire/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .http1_only()
            // A connection must not be reused after the check of its address.
            .pool_max_idle_per_host(0)
            .connect_timeout(self.connect_timeout);
        if !target.is_encrypted {
            // A machine without certificates can still fetch over plain HTTP.
            builder = builder.tls_certs_only([]);
        }
        let resolver = GuardedResolver {
            rules: Arc::clone(&self.rules),
            is_trusted: target.is_trusted,
            lookup: resolver::system,
            names: self.names.clone(),
        };
        builder.dns_resolver(Arc::new(resolver)).build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_kept_for_its_kind_of_target() {
        let clients = Clients::new(Arc::from([]), Names::of_system(), Duration::from_secs(1));
        let plain = Target { is_encrypted: false, is_trusted: false };
        let built_at = |target| {
            clients.of(target).unwrap();
            clients.built.lock().unwrap()[&target].at
        };
        let first = built_at(plain);
        let trusted = built_at(Target { is_trusted: true, ..plain });
        assert_eq!(built_at(plain), first);
        assert!(trusted > first);
    }

    #[test]
    fn an_old_client_is_replaced() {
        let clients = Clients::new(Arc::from([]), Names::of_system(), Duration::from_secs(1));
        let plain = Target { is_encrypted: false, is_trusted: false };
        clients.of(plain).unwrap();
        let Some(old) = Instant::now().checked_sub(MAX_AGE) else { return };
        clients.built.lock().unwrap().get_mut(&plain).unwrap().at = old;
        clients.of(plain).unwrap();
        assert!(clients.built.lock().unwrap()[&plain].at > old);
    }
}
