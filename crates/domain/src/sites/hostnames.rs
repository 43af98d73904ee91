//! Host names of sites, and addresses behind a proxy.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::bounded::{IntoText, OutOfBounds};
use crate::error::path;
use crate::ids::OrganizationId;
use crate::text_checks::Text;
use crate::texts::ProxyOrigin;

/// Returns the host of a host name or of a proxy address.
#[must_use]
pub fn host_of(address: &str) -> &str {
    address.split_once('/').map_or(address, |(host, _)| host)
}

/// Host name of a site, or of the proxy in front of it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HostnameState {
    /// Host name.
    pub hostname: String,
    /// State of the proof that the host name is the organization's.
    pub status: HostnameStatus,
    /// DNS record that proves it. Absent if it is proven.
    #[schema(nullable = false)]
    pub record: Option<HostnameRecord>,
}

/// State of the proof of a host name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum HostnameStatus {
    /// Proven. The site is served at the host name.
    Verified,
    /// Not proven. The site keeps the address that it had.
    Pending,
}

/// DNS record that proves a host name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HostnameRecord {
    /// Type of the record: always `TXT`.
    #[serde(rename = "type")]
    pub record_type: String,
    /// Name of the record.
    pub name: String,
    /// Value of the record.
    pub value: String,
}

impl HostnameRecord {
    /// Returns the record that proves that a host name belongs to an organization.
    #[must_use]
    pub fn proving(hostname: &str, organization: OrganizationId) -> Self {
        Self {
            record_type: "TXT".to_owned(),
            name: format!("_quire.{hostname}"),
            value: format!("quire-organization={organization}"),
        }
    }
}

impl HostnameState {
    /// Returns the state of a host name of an organization.
    #[must_use]
    pub fn new(hostname: &str, is_verified: bool, organization: OrganizationId) -> Self {
        let record = (!is_verified).then(|| HostnameRecord::proving(hostname, organization));
        let status = if is_verified { HostnameStatus::Verified } else { HostnameStatus::Pending };
        Self { hostname: hostname.to_owned(), status, record }
    }
}

/// Proxy address: a text, or the object of a site in a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ProxyInput {
    /// Host and path, such as `example.com/docs`.
    #[schema(value_type = String)]
    Address(ProxyOrigin),
    /// Proxy object of a response. Its `target` is ignored.
    Object {
        /// Host and path, such as `example.com/docs`.
        #[schema(value_type = String)]
        origin: ProxyOrigin,
    },
}

impl ProxyInput {
    fn origin(&self) -> &ProxyOrigin {
        match self {
            Self::Address(origin) | Self::Object { origin } => origin,
        }
    }
}

#[derive(Deserialize)]
struct ProxyObject {
    origin: ProxyOrigin,
}

impl<'de> Deserialize<'de> for ProxyInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(origin) => Ok(Self::Address(ProxyOrigin::unchecked(origin))),
            value @ Value::Object(_) => serde_path_to_error::deserialize(value)
                .map(|ProxyObject { origin }| Self::Object { origin })
                .map_err(|error| {
                    D::Error::custom(path::with_path(&error.path().to_string(), &error.inner().to_string()))
                }),
            _ => Err(D::Error::custom("must be a string, or an object with `origin`")),
        }
    }
}

/// Returns the host and path, with the host in lower case.
impl IntoText for ProxyInput {
    type Text = String;

    fn into_text(self) -> Result<String, OutOfBounds> {
        let origin = match self {
            Self::Address(origin) | Self::Object { origin } => origin.into_text()?,
        };
        let (host, path) = origin.split_at(host_of(&origin).len());
        Ok(format!("{}{path}", host.to_ascii_lowercase()))
    }
}

/// Access to the text for validation.
impl Text for ProxyInput {
    fn text(&self) -> Option<&str> {
        self.origin().text()
    }
}
