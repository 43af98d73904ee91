//! Host names of sites.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::dev::ServiceRequest;
use actix_web::http::header;
use quire_cache::Cache;
use quire_server::State;
use quire_server::urls::host_name;
use quire_storage::lookup::Credentials;

/// Time for which a host name is known to be one of a site or not.
const KNOWN: Duration = Duration::from_secs(5);
/// Host names that are known at a time. Requests choose them, so the number is bounded.
const MOST: u64 = 10_000;

/// Host names that requests were sent to.
#[derive(Debug)]
pub(crate) struct Hosts {
    own: Vec<String>,
    known: Cache<String, bool>,
}

impl Hosts {
    /// Returns the host names of a deployment with these names of its own, which no site has.
    pub(crate) fn new(own: Vec<String>) -> Self {
        Self { own, known: Cache::builder().max_capacity(MOST).time_to_live(KNOWN).build() }
    }

    /// Returns the host name of a request if it may be that of a site.
    pub(crate) fn foreign(&self, request: &ServiceRequest) -> Option<String> {
        let host = request.headers().get(header::HOST)?.to_str().ok()?;
        let host = host_name(host)?;
        let is_name = host.contains('.') && host.parse::<IpAddr>().is_err();
        (is_name && !self.own.contains(&host)).then_some(host)
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

/// Returns the origin of a URL, as policies of browsers name it.
pub(crate) fn origin(address: &str) -> Option<String> {
    let origin = url::Url::parse(address).ok()?.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}
