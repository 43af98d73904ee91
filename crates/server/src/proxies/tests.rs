use std::net::IpAddr;

use actix_web::http::header::{FORWARDED, HeaderMap, HeaderName, HeaderValue, X_FORWARDED_FOR};
use proptest::prelude::*;

use super::{ForwardedHeader, Proxies, Proxy};

/// Returns the client address of a request from `peer` with these header lines.
fn client(header: ForwardedHeader, trusted: &str, peer: &str, name: HeaderName, lines: &[&str]) -> String {
    let trusted = trusted.split(' ').filter(|text| !text.is_empty()).map(|text| text.parse().unwrap());
    let proxies = Proxies { trusted: trusted.collect(), header };
    let mut headers = HeaderMap::new();
    for line in lines {
        headers.append(name.clone(), HeaderValue::from_bytes(line.as_bytes()).unwrap());
    }
    proxies.client(Some(peer.parse().unwrap()), &headers).unwrap().to_string()
}

const PROXIES: &str = "10.0.0.0/8 fd00::/8 127.0.0.1";

#[test]
fn the_nearest_address_that_is_no_proxy_is_the_caller() {
    // The peer is 10.0.0.1, a trusted proxy.
    for (lines, expected) in [
        (vec![], "10.0.0.1"),
        (vec![""], "10.0.0.1"),
        (vec!["192.0.2.1"], "192.0.2.1"),
        (vec!["6.6.6.6, 7.7.7.7, 192.0.2.1"], "192.0.2.1"),
        (vec!["6.6.6.6, 192.0.2.1, 10.0.0.9,10.0.0.8"], "192.0.2.1"),
        (vec!["6.6.6.6", "7.7.7.7, 192.0.2.1", "10.0.0.9"], "192.0.2.1"),
        // If all hops are trusted proxies, the farthest one is the client.
        (vec!["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        (vec!["192.0.2.1:4711"], "192.0.2.1"),
        (vec!["[2001:db8::1]:4711"], "2001:db8::1"),
        (vec!["[2001:db8::1]"], "2001:db8::1"),
        (vec!["2001:db8::1, fd00::7"], "2001:db8::1"),
        (vec!["192.0.2.1, ::ffff:10.0.0.2"], "192.0.2.1"),
        (vec!["::ffff:192.0.2.1"], "192.0.2.1"),
        (vec!["192.0.2.1,, ,"], "192.0.2.1"),
        // An entry that cannot be parsed ends the search at the last trusted proxy.
        (vec!["192.0.2.1, unknown"], "10.0.0.1"),
        (vec!["192.0.2.1, x, 10.0.0.2"], "10.0.0.2"),
        (vec!["192.0.2.1:99999"], "10.0.0.1"),
        (vec!["[192.0.2.1]"], "10.0.0.1"),
        (vec!["192.0.2.1 192.0.2.2"], "10.0.0.1"),
        (vec!["192.0.2.1", "\u{fc}"], "10.0.0.1"),
    ] {
        let seen = client(ForwardedHeader::XForwardedFor, PROXIES, "10.0.0.1", X_FORWARDED_FOR, &lines);
        assert_eq!(seen, expected, "{lines:?}");
    }
}

#[test]
fn the_elements_of_forwarded_are_read_alike() {
    for (lines, expected) in [
        (vec!["for=192.0.2.1"], "192.0.2.1"),
        (vec!["For=\"192.0.2.1:4711\";proto=https; by=10.0.0.1"], "192.0.2.1"),
        (vec!["for=\"[2001:db8::1]:4711\""], "2001:db8::1"),
        (vec!["for=6.6.6.6;host=\"a,b;for=7.7.7.7\", for=192.0.2.1, for=10.0.0.2"], "192.0.2.1"),
        (vec!["for=6.6.6.6", "for=192.0.2.1;host=\"a\\\",for=7.7.7.7\""], "192.0.2.1"),
        // An unterminated string of the client does not hide the element of the proxy.
        (vec!["for=6.6.6.6, for=\", for=192.0.2.1"], "192.0.2.1"),
        (vec!["for=6.6.6.6;host=\"\\, for=192.0.2.1"], "192.0.2.1"),
        (vec!["for=unknown"], "10.0.0.1"),
        (vec!["for=_hidden"], "10.0.0.1"),
        (vec!["proto=https"], "10.0.0.1"),
        (vec!["for=192.0.2.1;for=192.0.2.2"], "10.0.0.1"),
        (vec!["for=\"192.0.2.1"], "10.0.0.1"),
        (vec!["192.0.2.1"], "10.0.0.1"),
    ] {
        let seen = client(ForwardedHeader::Forwarded, PROXIES, "10.0.0.1", FORWARDED, &lines);
        assert_eq!(seen, expected, "{lines:?}");
    }
}

#[test]
fn nothing_but_the_named_header_of_a_trusted_peer_is_believed() {
    let (own, forwarded) = (ForwardedHeader::XForwardedFor, ForwardedHeader::Forwarded);
    assert_eq!(client(own, "", "10.0.0.1", X_FORWARDED_FOR, &["6.6.6.6"]), "10.0.0.1");
    assert_eq!(client(own, PROXIES, "192.0.2.9", X_FORWARDED_FOR, &["6.6.6.6"]), "192.0.2.9");
    assert_eq!(client(own, PROXIES, "10.0.0.1", FORWARDED, &["for=6.6.6.6"]), "10.0.0.1");
    assert_eq!(client(forwarded, PROXIES, "10.0.0.1", X_FORWARDED_FOR, &["6.6.6.6"]), "10.0.0.1");
    // A dual-stack socket shows IPv4 peers as mapped IPv6 addresses.
    assert_eq!(client(own, PROXIES, "::ffff:10.0.0.1", X_FORWARDED_FOR, &["192.0.2.1"]), "192.0.2.1");
    assert_eq!(Proxies::default().client(None, &HeaderMap::new()), None);
}

#[test]
fn proxies_are_addresses_and_blocks() {
    for text in ["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"] {
        assert!(text.parse::<Proxy>().is_ok(), "{text}");
    }
    for text in ["", "proxy.internal", "10.0.0.0/99", "10.0.0.1:80", "*"] {
        assert!(text.parse::<Proxy>().unwrap_err().to_string().contains(text), "{text}");
    }
    assert_eq!("X-Forwarded-For".parse(), Ok(ForwardedHeader::XForwardedFor));
    assert_eq!("forwarded".parse(), Ok(ForwardedHeader::Forwarded));
    assert!("x-real-ip".parse::<ForwardedHeader>().is_err());
}

/// Returns an address that is not a trusted proxy.
fn stranger() -> impl Strategy<Value = IpAddr> {
    prop_oneof![
        any::<[u8; 3]>().prop_map(|[a, b, c]| IpAddr::from([192, a, b, c])),
        any::<[u16; 4]>().prop_map(|[a, b, c, d]| IpAddr::from([0x2001, 0xdb8, a, b, c, d, 0, 1])),
    ]
}

fn element(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => format!("for={address}"),
        IpAddr::V6(address) => format!("for=\"[{address}]\""),
    }
}

proptest! {
    #[test]
    fn what_callers_send_never_decides_their_address(
        sent in "[ -~]{0,60}",
        caller in stranger(),
        proxies in proptest::collection::vec(any::<[u8; 3]>(), 0..4),
    ) {
        let proxies = proxies.into_iter().map(|[a, b, c]| IpAddr::from([10, a, b, c]));
        let hops: Vec<IpAddr> = [caller].into_iter().chain(proxies).collect();
        let plain: Vec<String> = hops.iter().map(ToString::to_string).collect();
        let elements: Vec<String> = hops.iter().copied().map(element).collect();
        for (header, name, added) in [
            (ForwardedHeader::XForwardedFor, X_FORWARDED_FOR, plain.join(", ")),
            (ForwardedHeader::Forwarded, FORWARDED, elements.join(", ")),
        ] {
            let one = format!("{sent}, {added}");
            for lines in [vec![one.as_str()], vec![sent.as_str(), added.as_str()]] {
                prop_assert_eq!(client(header, PROXIES, "10.0.0.1", name.clone(), &lines), caller.to_string());
            }
        }
    }
}
