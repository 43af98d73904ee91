//! Exceptions to the guard that an operator grants.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use url::{Host, Url};

/// One exception to the guard: a host, a host with a port, or a block of addresses.
///
/// Written `docs.internal`, `docs.internal:8080`, `127.0.0.1:8080`, `[::1]:8080`, `10.1.0.0/16`. A single address
/// without a port is a block of one. A host or host with port is trusted with any address it resolves to; a block of
/// addresses is trusted under every name and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowRule {
    /// Allowed addresses.
    Network(IpNet),
    /// An allowed host, on every port or on one.
    Host {
        /// Name or address in lower case, with IPv6 addresses in brackets.
        host: String,
        /// The only allowed port, if the rule has one.
        port: Option<u16>,
    },
}

/// A rule that is neither a host, a host with port, nor a block of addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a host, host:port or block of addresses such as 10.0.0.0/8")]
pub struct AllowRuleError(String);

impl FromStr for AllowRule {
    type Err = AllowRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let refused = || AllowRuleError(text.to_owned());
        if let Ok(net) = text.parse::<IpNet>() {
            return Ok(Self::Network(net));
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return Ok(Self::Network(IpNet::from(address)));
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse().map_err(|_| refused())?)),
            None => (text, None),
        };
        let host = Host::parse(host).map_err(|_| refused())?.to_string();
        if host.is_empty() || host.contains('/') {
            return Err(refused());
        }
        Ok(Self::Host { host, port })
    }
}

impl fmt::Display for AllowRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(net) => net.fmt(f),
            Self::Host { host, port: None } => f.write_str(host),
            Self::Host { host, port: Some(port) } => write!(f, "{host}:{port}"),
        }
    }
}

/// Returns whether a rule trusts the host and port of `url` by name.
pub(super) fn trusts_host(rules: &[AllowRule], url: &Url) -> bool {
    let named = url.host_str().unwrap_or_default().trim_end_matches('.');
    let on = url.port_or_known_default();
    rules.iter().any(|rule| match rule {
        AllowRule::Network(_) => false,
        AllowRule::Host { host, port } => {
            host.trim_end_matches('.') == named && port.is_none_or(|port| Some(port) == on)
        }
    })
}

/// Returns whether a rule trusts `address`. An IPv4-mapped IPv6 address counts as the IPv4 address.
pub(super) fn trusts_address(rules: &[AllowRule], address: IpAddr) -> bool {
    let plain = address.to_canonical();
    rules.iter().any(|rule| match rule {
        AllowRule::Network(net) => net.contains(&plain) || net.contains(&address),
        AllowRule::Host { .. } => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Vec<AllowRule> {
        text.split(',').map(|rule| rule.parse().unwrap()).collect()
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_host_rule_trusts_the_name_on_every_port() {
        let rules = rules("Docs.Internal");
        assert!(trusts_host(&rules, &url("http://docs.internal/a")));
        assert!(trusts_host(&rules, &url("https://DOCS.internal.:8443/a")));
        assert!(!trusts_host(&rules, &url("http://evil.docs.internal/")));
        assert!(!trusts_host(&rules, &url("http://docs.internal.evil.example/")));
    }

    #[test]
    fn a_port_rule_trusts_that_port_only() {
        let rules = rules("127.0.0.1:8080,[::1]:8080,plain:80");
        assert!(trusts_host(&rules, &url("http://127.0.0.1:8080/")));
        assert!(trusts_host(&rules, &url("http://[::1]:8080/")));
        assert!(trusts_host(&rules, &url("http://plain/")));
        assert!(!trusts_host(&rules, &url("https://plain/")));
        assert!(!trusts_host(&rules, &url("http://127.0.0.1:5432/")));
    }

    #[test]
    fn a_block_trusts_addresses_under_any_clothes() {
        let rules = rules("10.0.0.0/8,::1,192.168.1.7");
        for trusted in ["10.9.8.7", "::ffff:10.9.8.7", "::1", "192.168.1.7"] {
            assert!(trusts_address(&rules, trusted.parse().unwrap()), "{trusted}");
        }
        for refused in ["11.0.0.1", "::2", "192.168.1.8", "127.0.0.1"] {
            assert!(!trusts_address(&rules, refused.parse().unwrap()), "{refused}");
        }
    }

    #[test]
    fn nonsense_is_named() {
        for text in ["", "http://a/", "a b", "host:99999", "10.0.0.0/99", "a/b"] {
            let error = text.parse::<AllowRule>().unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
    }

    #[test]
    fn rules_print_as_they_are_written() {
        for text in ["docs.internal", "docs.internal:8080", "10.0.0.0/8", "[::1]:80"] {
            assert_eq!(text.parse::<AllowRule>().unwrap().to_string(), text);
        }
    }
}
