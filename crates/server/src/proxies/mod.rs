//! Client address behind trusted proxies.

mod forwarded;
#[cfg(test)]
mod tests;

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use actix_web::http::header::{FORWARDED, HeaderMap, HeaderName, X_FORWARDED_FOR};
use ipnet::IpNet;

/// Address or network of trusted proxies: `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proxy(IpNet);

/// Error for a text that is neither an address nor a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyError(String);

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is neither an IP address nor a network such as 10.0.0.0/8", self.0)
    }
}

impl std::error::Error for ProxyError {}

impl FromStr for Proxy {
    type Err = ProxyError;

    fn from_str(text: &str) -> Result<Self, ProxyError> {
        let block = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        block.map(Self).map_err(|_| ProxyError(text.to_owned()))
    }
}

/// Header in which proxies pass the client address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For`, a list of addresses.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239), a list of elements with a parameter `for`.
    Forwarded,
}

impl ForwardedHeader {
    fn name(self) -> HeaderName {
        match self {
            Self::XForwardedFor => X_FORWARDED_FOR,
            Self::Forwarded => FORWARDED,
        }
    }
}

impl FromStr for ForwardedHeader {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        [Self::XForwardedFor, Self::Forwarded]
            .into_iter()
            .find(|header| header.name().as_str().eq_ignore_ascii_case(text))
            .ok_or("it must be `x-forwarded-for` or `forwarded`")
    }
}

/// Trusted proxies and their header. By default no proxy is trusted.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    /// Trusted proxies.
    pub trusted: Vec<Proxy>,
    /// Header of the proxies. Other headers are ignored, because proxies forward them unchanged from the client.
    pub header: ForwardedHeader,
}

impl Proxies {
    /// Returns the client address of a request from `peer`: the nearest address that is not a trusted proxy; `None`
    /// without a peer address, which a TCP connection always has.
    #[must_use]
    pub fn client(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Option<IpAddr> {
        let peer = peer?.to_canonical();
        if !self.trust(peer) {
            return Some(peer);
        }
        let lines: Vec<_> = headers.get_all(self.header.name()).collect();
        // Several lines form one list, and each proxy appends to its end.
        let hops = lines.iter().rev().flat_map(|line| match line.to_str() {
            Ok(line) => forwarded::hops(self.header, line),
            Err(_) => vec![None],
        });
        Some(self.nearest_stranger(peer, hops))
    }

    /// Returns the first hop that is not a trusted proxy, nearest first. A hop that cannot be parsed ends the search.
    fn nearest_stranger(&self, peer: IpAddr, hops: impl Iterator<Item = Option<IpAddr>>) -> IpAddr {
        let mut client = peer;
        for hop in hops {
            match hop {
                Some(address) if self.trust(client) => client = address.to_canonical(),
                _ => break,
            }
        }
        client
    }

    fn trust(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|Proxy(block)| block.contains(&address))
    }
}
