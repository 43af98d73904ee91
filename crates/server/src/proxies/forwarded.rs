//! Parsers of `X-Forwarded-For` and `Forwarded`.
//!
//! Both headers are parsed from their end, which the nearest proxy wrote: earlier parts from the client, such as an
//! unterminated quoted string, cannot hide the elements of the proxies.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use super::ForwardedHeader;

/// Returns the hops of one header line, nearest first; `None` for a hop that cannot be parsed.
pub fn hops(header: ForwardedHeader, line: &str) -> Vec<Option<IpAddr>> {
    match header {
        ForwardedHeader::XForwardedFor => written(line.rsplit(',')).map(address).collect(),
        ForwardedHeader::Forwarded => written(pieces(line, ',').into_iter()).map(named_for).collect(),
    }
}

/// Removes empty list elements (RFC 9110, 5.6.1).
fn written<'a>(elements: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    elements.map(str::trim).filter(|element| !element.is_empty())
}

/// Returns the address in the parameter `for` of an element of `Forwarded`; `None` for `unknown` and obfuscated names
/// (RFC 7239, 6).
fn named_for(element: &str) -> Option<IpAddr> {
    let mut values = pieces(element, ';').into_iter().filter_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("for").then_some(value.trim())
    });
    let value = values.next()?;
    if values.next().is_some() {
        return None;
    }
    match value.strip_prefix('"') {
        Some(quoted) => address(quoted.strip_suffix('"')?),
        None => address(value),
    }
}

/// Splits at unquoted separators, last part first.
fn pieces(text: &str, separator: char) -> Vec<&str> {
    let (mut pieces, mut end, mut is_quoted) = (Vec::new(), text.len(), false);
    for (start, character) in text.char_indices().rev() {
        if character == '"' && !is_escaped(text.get(..start).unwrap_or_default()) {
            is_quoted = !is_quoted;
        } else if character == separator && !is_quoted {
            pieces.extend(text.get(start.saturating_add(1)..end));
            end = start;
        }
    }
    pieces.extend(text.get(..end));
    pieces
}

/// Returns whether `before` ends with an odd number of backslashes.
fn is_escaped(before: &str) -> bool {
    let backslashes = before.bytes().rev().take_while(|byte| *byte == b'\\').count();
    !backslashes.is_multiple_of(2)
}

/// Parses an address with an optional port. An IPv6 address may have brackets, which are required before a port.
fn address(text: &str) -> Option<IpAddr> {
    if let Some(bare) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return bare.parse().ok().map(|address: Ipv6Addr| address.into());
    }
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    text.parse().ok().or_else(with_port)
}
