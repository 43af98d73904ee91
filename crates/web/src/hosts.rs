//! Host names of sites.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::dev::ServiceRequest;
use actix_web::http::header;
use quire_cache::Cache;
use quire_server::State;
use quire_server::urls::host_name;
use quire_storage::lookup::Credentials;

/// Time for which the result of a lookup is cached.
const KNOWN: Duration = Duration::from_secs(5);
/// Maximum number of cached host names. Clients choose them, so the number must be bounded.
const MOST: u64 = 10_000;

/// Host names in requests.
#[derive(Debug)]
pub(crate) struct Hosts {
    own: Vec<String>,
    known: Cache<String, bool>,
}

impl Hosts {
    /// Creates the lookup. `own` are the host names of the deployment, which no site has.
    pub(crate) fn new(own: Vec<String>) -> Self {
        Self { own, known: Cache::builder().max_capacity(MOST).time_to_live(KNOWN).build() }
    }

    /// Returns the host name of a request if it may belong to a site.
    pub(crate) fn foreign(&self, request: &ServiceRequest) -> Option<String> {
        let host = request.headers().get(header::HOST)?.to_str().ok()?;
        let host = host_name(host)?;
        let is_name = host.contains('.') && host.parse::<IpAddr>().is_err();
        (is_name && !self.own.contains(&host)).then_some(host)
    }

    /// Returns whether a site has this host name. A failed lookup counts as true, so that the site reports the failure.
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

/// Returns the origin of a URL in the form that browser policies use.
pub(crate) fn origin(address: &str) -> Option<String> {
    let origin = url::Url::parse(address).ok()?.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}
