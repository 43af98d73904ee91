//! Name resolution that refuses to hand out addresses that must not be reached.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address;
use super::allow::{self, AllowRule};

/// An address that the guard refuses, found behind a name or written in a URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{address} is {why}")]
pub(super) struct RefusedAddress {
    pub(super) address: IpAddr,
    pub(super) why: &'static str,
}

/// Checks one address against the guard's table and the operator's exceptions.
pub(super) fn check(rules: &[AllowRule], address: IpAddr) -> Result<(), RefusedAddress> {
    match address::refusal(address) {
        Some(why) if !allow::trusts_address(rules, address) => Err(RefusedAddress { address, why }),
        _ => Ok(()),
    }
}

/// The resolver that the HTTP client connects through.
///
/// The check happens on the very addresses that the connection is then made to, so a name that changes its
/// answer between a check and the connection (DNS rebinding) gains nothing. One refused address among several
/// refuses the name: which one a connection would have used is chance.
pub(super) struct GuardedResolver {
    pub(super) rules: Arc<[AllowRule]>,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let rules = Arc::clone(&self.rules);
        Box::pin(async move {
            // Port 0 is replaced by the URL's port when the connection is made.
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            for socket in &found {
                check(&rules, socket.ip())?;
            }
            Ok::<Addrs, _>(Box::new(found.into_iter()))
        })
    }
}
