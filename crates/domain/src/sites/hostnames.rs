//! Host names of sites, and the addresses of those that are shown below another.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::error::placed;
use crate::features::{ToSchema, ValidationError};
use crate::patch::Patch;
use crate::{text, texts};

/// The longest label of a host name (RFC 1035, 2.3.4).
const LABEL_MAX: usize = 63;

/// The address that a site is shown below: as a text, or as the object that sites are answered with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ProxyInput {
    /// The address itself.
    Address(String),
    /// The address as it is read; a `target` is ignored.
    Object {
        /// The address.
        origin: String,
    },
}

impl ProxyInput {
    /// The host and path.
    #[must_use]
    pub fn origin(&self) -> &str {
        match self {
            Self::Address(origin) | Self::Object { origin } => origin,
        }
    }
}

#[derive(Deserialize)]
struct ProxyObject {
    origin: String,
}

impl<'de> Deserialize<'de> for ProxyInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(origin) => Ok(Self::Address(origin)),
            value @ Value::Object(_) => serde_path_to_error::deserialize(value)
                .map(|ProxyObject { origin }| Self::Object { origin })
                .map_err(|error| {
                    D::Error::custom(placed::write(&error.path().to_string(), &error.inner().to_string()))
                }),
            _ => Err(D::Error::custom("must be an address, or an object with an `origin`")),
        }
    }
}

/// Checks a host name: at least three labels of small letters, digits and `-`, as the reference's pattern says.
///
/// # Errors
/// A [`ValidationError`] when it is none.
pub(super) fn check_hostname(hostname: &Patch<String>) -> Result<(), ValidationError> {
    let Some(hostname) = hostname.set() else { return Ok(()) };
    texts::SiteHostname::check(hostname)?;
    let labels: Vec<&str> = hostname.split('.').collect();
    let long_enough = labels.last().is_some_and(|last| last.len() >= 2);
    if labels.len() >= 3 && long_enough && labels.iter().all(|label| is_label(label)) {
        return Ok(());
    }
    Err(text::error("hostname", "must be a host name of at least three labels, such as `docs.example.com`"))
}

fn is_label(label: &str) -> bool {
    let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=LABEL_MAX).contains(&label.len())
        && label.chars().all(inside)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// Checks the address of a proxy: a host and at least one segment of a path, as the reference's pattern says.
///
/// # Errors
/// A [`ValidationError`] when it is none.
pub(super) fn check_proxy(proxy: &Patch<ProxyInput>) -> Result<(), ValidationError> {
    let Some(origin) = proxy.set().map(ProxyInput::origin) else { return Ok(()) };
    texts::ProxyOrigin::check(origin)?;
    let mut segments = origin.split('/');
    let host = segments.next().unwrap_or_default();
    let mut path = segments.peekable();
    let word = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    let top = host.rsplit_once('.').is_some_and(|(rest, top)| {
        rest.split('.').all(word) && top.len() >= 2 && top.chars().all(|c| c.is_ascii_alphabetic())
    });
    if top && path.peek().is_some() && path.all(word) {
        return Ok(());
    }
    Err(text::error("proxy", "must be a host with a path, such as `example.com/docs`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_have_three_labels() {
        let check = |name: &str| check_hostname(&Patch::Set(name.to_owned())).is_ok();
        for good in ["docs.example.com", "a.b.co", "my-docs.example.co.uk", "1.2.34"] {
            assert!(check(good), "{good}");
        }
        for bad in [
            "example.com",
            "Docs.example.com",
            "-a.example.com",
            "a..example.com",
            "a.example.c",
            "",
            "a_b.example.com",
        ] {
            assert!(!check(bad), "{bad}");
        }
        assert!(!check(&format!("{}.example.com", "a".repeat(64))));
        assert!(check_hostname(&Patch::Clear).is_ok());
    }

    #[test]
    fn a_proxy_is_a_host_with_a_path() {
        let check = |origin: &str| check_proxy(&Patch::Set(ProxyInput::Address(origin.to_owned()))).is_ok();
        for good in ["example.com/docs", "www.example.com/a/b-c_d", "a-b.example.io/x"] {
            assert!(check(good), "{good}");
        }
        for bad in [
            "example.com",
            "example.com/",
            "https://example.com/docs",
            "/docs",
            "example.c/docs",
            "example.com/a b",
            "example.com/a//b",
        ] {
            assert!(!check(bad), "{bad}");
        }
    }
}
