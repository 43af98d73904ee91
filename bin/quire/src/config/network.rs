//! Addresses of the service, trusted proxies and trusted host names.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use quire_server::urls::host_name;
use quire_server::{ForwardedHeader, Proxies, Proxy};
use url::Url;

use super::values::{CommaSeparated, address, words};
use crate::usage::WrongInput;

/// Addresses of the service.
#[derive(Args, Debug)]
pub struct ListenOptions {
    /// The address and port to listen on; port 0 selects a free one
    #[arg(long, env = "QUIRE_BIND", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = address)]
    pub bind: SocketAddr,
    /// The public URL; everything is served below its path [default: http:// and the address]
    #[arg(long, env = "QUIRE_BASE_URL", value_name = "URL", value_parser = base_url)]
    base_url: Option<String>,
    /// Host names of the service besides that of the public URL, separated by commas; no site gets one of them
    #[arg(long, env = "QUIRE_OWN_HOSTNAMES", value_name = "HOSTNAMES", default_value = "", hide_default_value = true, value_parser = host_names)]
    pub own_hostnames: CommaSeparated<String>,
    /// Host names of sites count without a proof (true or false) [default: while there is one organization]
    #[arg(long, env = "QUIRE_TRUST_HOSTNAMES", value_name = "BOOL", num_args = 0..=1, default_value = "", hide_default_value = true, default_missing_value = "true", value_parser = trust)]
    trust_hostnames: Trust,
    /// Origins allowed for browsers (CORS), separated by commas
    #[arg(long, env = "QUIRE_CORS_ORIGINS", value_name = "ORIGINS", default_value = "", hide_default_value = true, value_parser = origins)]
    pub cors_origins: CommaSeparated<String>,
    /// Seconds after SIGTERM for which /readyz answers 503 and requests are still accepted, for load balancers
    #[arg(long, env = "QUIRE_DRAIN_SECONDS", value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=600))]
    drain_seconds: u64,
    /// Addresses and networks of trusted proxies, separated by commas: the client address is read from their header
    #[arg(long, env = "QUIRE_TRUSTED_PROXIES", value_name = "ADDRESSES", default_value = "", hide_default_value = true, value_parser = words::<Proxy>)]
    trusted_proxies: CommaSeparated<Proxy>,
    /// The header in which the proxies pass the client address: x-forwarded-for or forwarded
    #[arg(long, env = "QUIRE_FORWARDED_HEADER", value_name = "HEADER", default_value = "x-forwarded-for", value_parser = header)]
    forwarded_header: ForwardedHeader,
    /// Replaced option; refused so that no deployment silently loses the client addresses that it relies on
    #[arg(long, env = "QUIRE_TRUST_FORWARDED", hide = true, num_args = 0..=1, default_missing_value = "true", value_parser = replaced)]
    trust_forwarded: Option<Infallible>,
}

impl ListenOptions {
    /// Returns whether host names of sites count without a proof; `None`: while there is one organization.
    pub fn trust_hostnames(&self) -> Option<bool> {
        self.trust_hostnames.0
    }

    /// Returns the trusted proxies.
    pub fn proxies(&self) -> Proxies {
        Proxies { trusted: self.trusted_proxies.0.clone(), header: self.forwarded_header }
    }

    /// Returns the time for which requests are accepted after the signal to stop.
    pub fn drain(&self) -> Duration {
        Duration::from_secs(self.drain_seconds)
    }

    /// Returns the configured base URL.
    pub fn configured_base_url(&self) -> Option<&str> {
        self.base_url.as_deref()
    }

    /// Binds the address.
    ///
    /// # Errors
    /// A sentence that names the variable if the address does not belong to this machine or is in use.
    pub fn bind(&self) -> anyhow::Result<TcpListener> {
        let listener = TcpListener::bind(self.bind);
        listener
            .map_err(|error| WrongInput(format!("QUIRE_BIND: can't listen on {}: {error}", self.bind)).into())
    }

    /// Returns the base URL for the bound address. A server that listens on all addresses gets the URL of the local
    /// host.
    pub fn base_url(&self, listener: &TcpListener) -> anyhow::Result<String> {
        if let Some(url) = &self.base_url {
            return Ok(url.clone());
        }
        let address = listener.local_addr().context("the address to listen on can't be read")?;
        Ok(match address.ip().is_unspecified() {
            true => format!("http://localhost:{}", address.port()),
            false => format!("http://{address}"),
        })
    }
}

/// Trust in host names of sites; `None` to trust them while there is one organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust(Option<bool>);

fn header(text: &str) -> Result<ForwardedHeader, &'static str> {
    text.parse()
}

fn replaced(_: &str) -> Result<Infallible, &'static str> {
    Err("it was replaced by QUIRE_TRUSTED_PROXIES, the addresses of the trusted proxies")
}

/// Parses a URL without query and fragment, and removes its trailing slash.
pub fn base_url(text: &str) -> Result<String, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.ok_or("it must be a URL such as https://docs.example.com/quire")?;
    if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() {
        return Err("it must have only a host and a path".to_owned());
    }
    if url.path().contains(['{', '}']) {
        return Err("its path must not contain braces".to_owned());
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// Parses host names of the service.
fn host_names(text: &str) -> Result<CommaSeparated<String>, String> {
    let CommaSeparated(names) = words::<String>(text)?;
    let read = |name: &String| match host_name(name) {
        Some(host) => Ok(host),
        None => Err(format!("`{name}` is not a host name such as docs.example.com")),
    };
    names.iter().map(read).collect::<Result<_, _>>().map(CommaSeparated)
}

fn trust(text: &str) -> Result<Trust, String> {
    match text {
        "" => Ok(Trust(None)),
        "true" => Ok(Trust(Some(true))),
        "false" => Ok(Trust(Some(false))),
        _ => Err("it must be true or false".to_owned()),
    }
}

/// Parses origins as sent by browsers.
fn origins(text: &str) -> Result<CommaSeparated<String>, String> {
    let CommaSeparated(origins) = words::<String>(text)?;
    let is_origin =
        |text: &&String| Url::parse(text).is_ok_and(|url| url.origin().ascii_serialization() == **text);
    match origins.iter().find(|origin| !is_origin(origin)) {
        None => Ok(CommaSeparated(origins)),
        Some(other) => Err(format!("`{other}` is not an origin such as https://app.example.com")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_have_a_host_and_a_path() {
        for (text, expected) in [
            ("https://docs.example.com", Some("https://docs.example.com")),
            ("https://docs.example.com/", Some("https://docs.example.com")),
            ("http://127.0.0.1:8080/quire/", Some("http://127.0.0.1:8080/quire")),
            ("docs.example.com", None),
            ("ftp://docs.example.com", None),
            ("https://ada@docs.example.com", None),
            ("https://docs.example.com/?a=b", None),
            ("", None),
        ] {
            assert_eq!(base_url(text).ok().as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn host_names_are_lower_case_and_trust_has_a_default() {
        let names = host_names("Quire.Internal.Example:8443, docs.example.").unwrap();
        assert_eq!(names.0, ["quire.internal.example", "docs.example"]);
        assert!(host_names("https://docs.example").is_err());
        assert_eq!([trust("").unwrap().0, trust("true").unwrap().0], [None, Some(true)]);
        assert!(trust("yes").is_err());
    }

    #[test]
    fn origins_are_as_browsers_send_them() {
        assert_eq!(origins("https://a.example, http://b.example:81").unwrap().0.len(), 2);
        for other in ["a.example", "https://a.example/", "https://a.example/path", "*"] {
            assert!(origins(other).is_err(), "{other}");
        }
    }
}
