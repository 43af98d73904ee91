//! Host names of sites.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::dev::ServiceRequest;
use actix_web::http::header;
use quire_cache::Cache;
use quire_server::State;
use quire_storage::lookup::Credentials;

/// Time for which a host name is known to be one of a site or not.
const KNOWN: Duration = Duration::from_secs(5);
/// Host names that are known at a time. Requests choose them, so the number is bounded.
const MOST: u64 = 10_000;
/// Longest host name (RFC 1035, 2.3.4).
const LONGEST: usize = 253;

/// Host names that requests were sent to.
#[derive(Debug)]
pub(crate) struct Hosts {
    own: String,
    known: Cache<String, bool>,
}

impl Hosts {
    /// Returns the host names of a deployment with this base URL, which is no site's.
    pub(crate) fn new(base_url: &str) -> Self {
        let authority = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
        let authority = authority.split('/').next().unwrap_or_default();
        Self {
            own: name(authority).unwrap_or_default(),
            known: Cache::builder().max_capacity(MOST).time_to_live(KNOWN).build(),
        }
    }

    /// Returns the host name of a request if it may be that of a site.
    pub(crate) fn foreign(&self, request: &ServiceRequest) -> Option<String> {
        let host = request.headers().get(header::HOST)?.to_str().ok()?;
        let host = name(host)?;
        let is_name = host.contains('.') && host.parse::<IpAddr>().is_err();
        (is_name && host != self.own).then_some(host)
    }

    /// Returns `true` for the host name of a site. A failed lookup counts as one, so that the site answers with it.
    pub(crate) async fn has(&self, state: &State, host: &str) -> bool {
        let host = host.to_owned();
        if let Some(known) = self.known.get(&host) {
            return known;
        }
        let asked = host.clone();
        let look = move |reader: &mut quire_storage::Reader<'_>| Ok(reader.has_site_at(&asked)?);
        match state.read(Credentials::ANONYMOUS, look).await {
            Ok(found) => {
                self.known.insert(host, found);
                found
            }
            Err(_) => true,
        }
    }
}

/// Returns the host name of an authority in lower case, without its port.
fn name(authority: &str) -> Option<String> {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let host =
        authority.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(authority, |(host, _)| host);
    let host = host.trim_end_matches('.');
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    ((1..=LONGEST).contains(&host.len()) && host.bytes().all(is_name)).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_are_lower_case_and_have_no_port() {
        for (authority, expected) in [
            ("Docs.Example.com:8080", Some("docs.example.com")),
            ("docs.example.com.", Some("docs.example.com")),
            ("docs.example.com/x", None),
            ("docs.example.com@evil.example", None),
            ("[::1]:80", None),
            ("", None),
        ] {
            assert_eq!(name(authority).as_deref(), expected, "{authority}");
        }
    }
}
