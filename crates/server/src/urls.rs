//! URLs of resources, in the API and in the app.

use std::fmt::Display;

use quire_domain::ids::{InviteId, OidcProviderId, SamlProviderId, SignInProviderId};
use quire_domain::sign_in::SignInProtocol;

/// Path that receives responses of SAML providers. Their pages, on other sites, post to it.
pub const SAML_RESPONSES: &str = "/saml/{samlProviderId}/acs";

/// Maximum length of a host name (RFC 1035, 2.3.4).
const LONGEST_HOST: usize = 253;

/// Returns the path of the base URL without a trailing slash. Everything is served below it.
#[must_use]
pub fn base_path(base_url: &str) -> String {
    let rest = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
    rest.split_once('/')
        .map_or_else(String::new, |(_, path)| format!("/{}", path.trim_matches('/')))
        .trim_end_matches('/')
        .to_owned()
}

/// Returns the origin of the base URL as browsers send it: scheme and authority in lower case.
#[must_use]
pub fn base_origin(base_url: &str) -> String {
    let (scheme, rest) = base_url.split_once("://").unwrap_or(("http", base_url));
    let authority = rest.split('/').next().unwrap_or_default();
    let default_port = if scheme.eq_ignore_ascii_case("https") { ":443" } else { ":80" };
    let authority = authority.strip_suffix(default_port).unwrap_or(authority);
    format!("{scheme}://{authority}").to_ascii_lowercase()
}

/// Returns the host name of the base URL; `None` for an IPv6 address.
#[must_use]
pub fn base_host(base_url: &str) -> Option<String> {
    let authority = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
    host_name(authority.split('/').next().unwrap_or_default())
}

/// Returns the host name of an authority in lower case, without port and trailing dot.
#[must_use]
pub fn host_name(authority: &str) -> Option<String> {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let host =
        authority.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(authority, |(host, _)| host);
    let host = host.trim_end_matches('.');
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    ((1..=LONGEST_HOST).contains(&host.len()) && host.bytes().all(is_name)).then(|| host.to_ascii_lowercase())
}

/// Builder of URLs from the base URL of the service.
#[derive(Clone, Debug)]
pub struct Urls {
    base: String,
}

impl Urls {
    /// Creates a builder of URLs below `base_url`.
    #[must_use]
    pub fn new(base_url: &str) -> Self {
        Self { base: base_url.trim_end_matches('/').to_owned() }
    }

    /// Returns the base URL.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns the URL of a resource in the API. `path` follows `/v1/`.
    #[must_use]
    pub fn api(&self, path: impl Display) -> String {
        format!("{}/v1/{path}", self.base)
    }

    /// Returns the URL of a resource in the app.
    #[must_use]
    pub fn app(&self, path: impl Display) -> String {
        format!("{}/{path}", self.base)
    }

    /// Returns the URL to which an OpenID Connect provider redirects browsers.
    #[must_use]
    pub fn oidc_callback(&self, id: OidcProviderId) -> String {
        self.api(format_args!("auth/oidc/{id}/callback"))
    }

    /// Returns the URL that starts a sign-in with a provider.
    #[must_use]
    pub fn start_of_sign_in(&self, protocol: SignInProtocol, id: SignInProviderId) -> String {
        match protocol {
            SignInProtocol::Oidc => self.api(format_args!("auth/oidc/{id}/start")),
            SignInProtocol::Saml => self.app(format_args!("saml/{id}/login")),
        }
    }

    /// Returns a URL of this service as a SAML service provider. `id` is the identity provider.
    #[must_use]
    pub fn saml(&self, id: SamlProviderId, part: &str) -> String {
        self.app(format_args!("saml/{id}/{part}"))
    }

    /// Returns the URL of the page that accepts an invite. For an e-mail invite it includes the secret.
    #[must_use]
    pub fn invite(&self, id: InviteId, secret: Option<&str>) -> String {
        match secret {
            Some(secret) => self.app(format_args!("~/invite/{id}?secret={secret}")),
            None => self.app(format_args!("~/invite/{id}")),
        }
    }

    /// Returns the URL of published content: the address itself if it is a URL, or else a path below this service.
    #[must_use]
    pub fn at_address(&self, address: &str) -> String {
        if address.starts_with("https://") { address.to_owned() } else { self.app(address) }
    }
}

#[cfg(test)]
mod tests {
    use super::{base_host, base_origin, base_path, host_name};

    #[test]
    fn host_names_are_lower_case_and_have_no_port() {
        for (authority, expected) in [
            ("Docs.Example.com:8080", Some("docs.example.com")),
            ("docs.example.com.", Some("docs.example.com")),
            ("docs.example.com.:80", Some("docs.example.com")),
            ("docs.example.com/x", None),
            ("docs.example.com@evil.example", None),
            ("[::1]:80", None),
            ("", None),
        ] {
            assert_eq!(host_name(authority).as_deref(), expected, "{authority}");
        }
        assert_eq!(base_host("https://Quire.Example:8443/app").as_deref(), Some("quire.example"));
        assert_eq!(base_host("http://[::1]:8080"), None);
    }

    #[test]
    fn the_origin_has_no_path_and_no_default_port() {
        for (base, expected) in [
            ("http://localhost:8080", "http://localhost:8080"),
            ("https://Docs.Example.com/quire", "https://docs.example.com"),
            ("https://docs.example.com:443/", "https://docs.example.com"),
            ("http://docs.example.com:443", "http://docs.example.com:443"),
            ("http://[::1]:80/a", "http://[::1]"),
        ] {
            assert_eq!(base_origin(base), expected);
        }
    }

    #[test]
    fn the_base_path_is_that_of_the_url() {
        assert_eq!(base_path("http://localhost:8080"), "");
        assert_eq!(base_path("https://example.com/"), "");
        assert_eq!(base_path("https://example.com/quire/"), "/quire");
        assert_eq!(base_path("https://example.com/a/b"), "/a/b");
    }
}
