//! Name resolution that returns allowed addresses only.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address;
use super::allow::{self, AllowRule};
use super::names::Names;

/// A refused address, resolved from a name or written in a URL. For the log only: users must not learn internal
/// addresses.
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

/// Resolves a name to addresses.
pub(super) type Lookup = fn(Names, String) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>>;

/// Resolves a name with this machine's configuration.
pub(super) fn system(names: Names, name: String) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
    // Port 0 is replaced by the URL's port when the connection is made.
    let with_port = |address| SocketAddr::new(address, 0);
    Box::pin(async move { Ok(names.addresses(&name).await?.into_iter().map(with_port).collect()) })
}

/// The resolver of the HTTP client.
///
/// The check applies to the same addresses that the connection then uses, so DNS rebinding (a name that changes its
/// address between check and connection) has no effect. One refused address among several refuses the name, because any
/// of them could be used.
pub(super) struct GuardedResolver {
    pub(super) rules: Arc<[AllowRule]>,
    /// The operator trusts the host by name, with any address.
    pub(super) is_trusted: bool,
    pub(super) lookup: Lookup,
    pub(super) names: Names,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (rules, is_trusted) = (Arc::clone(&self.rules), self.is_trusted);
        let found = (self.lookup)(self.names.clone(), name.as_str().to_owned());
        Box::pin(async move {
            let found = found.await?;
            for socket in found.iter().filter(|_| !is_trusted) {
                check(&rules, socket.ip())?;
            }
            Ok::<Addrs, _>(Box::new(found.into_iter()))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::FutureExt as _;

    use super::*;

    fn resolved(lookup: Lookup) -> Result<Vec<IpAddr>, String> {
        let names = Names::without_dns();
        let resolver = GuardedResolver { rules: Arc::new([]), is_trusted: false, lookup, names };
        let answer = resolver.resolve("name.example".parse().unwrap()).now_or_never().unwrap();
        let addresses = answer.map(|found| found.map(|socket| socket.ip()).collect());
        addresses.map_err(|error| error.to_string())
    }

    fn answers(addresses: &[&str]) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        let found = addresses.iter().map(|address| (address.parse::<IpAddr>().unwrap(), 0).into()).collect();
        Box::pin(std::future::ready(Ok(found)))
    }

    #[test]
    fn a_name_that_changes_its_answer_is_checked_by_each() {
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        let rebinding: Lookup = |_, _| match ASKED.fetch_add(1, Ordering::Relaxed) {
            0 => answers(&["93.184.216.34"]),
            _ => answers(&["169.254.169.254"]),
        };
        assert_eq!(resolved(rebinding).unwrap(), ["93.184.216.34".parse::<IpAddr>().unwrap()]);
        assert_eq!(resolved(rebinding).unwrap_err(), "169.254.169.254 is link-local");
    }

    #[test]
    fn one_refused_address_refuses_the_name() {
        for hidden in [
            "127.0.0.1",
            "10.0.0.1",
            "100.64.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "0.0.0.0",
            "fd00::1",
        ] {
            let lookup: Lookup = match hidden {
                "127.0.0.1" => |_, _| answers(&["8.8.8.8", "127.0.0.1"]),
                "10.0.0.1" => |_, _| answers(&["8.8.8.8", "10.0.0.1"]),
                "100.64.0.1" => |_, _| answers(&["8.8.8.8", "100.64.0.1"]),
                "::ffff:10.0.0.1" => |_, _| answers(&["2606:4700::1111", "::ffff:10.0.0.1"]),
                "64:ff9b::a9fe:a9fe" => |_, _| answers(&["2606:4700::1111", "64:ff9b::a9fe:a9fe"]),
                "0.0.0.0" => |_, _| answers(&["8.8.8.8", "0.0.0.0"]),
                _ => |_, _| answers(&["2606:4700::1111", "fd00::1"]),
            };
            assert!(resolved(lookup).unwrap_err().starts_with(hidden), "{hidden}");
        }
    }
}
