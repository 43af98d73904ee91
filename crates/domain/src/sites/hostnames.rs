//! Host names of sites, and addresses behind a proxy.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::bounded::{IntoText, OutOfBounds};
use crate::error::path;
use crate::features::ToSchema;
use crate::text_checks::Text;
use crate::texts::ProxyOrigin;

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

/// Returns the host and path.
impl IntoText for ProxyInput {
    type Text = String;

    fn into_text(self) -> Result<String, OutOfBounds> {
        match self {
            Self::Address(origin) | Self::Object { origin } => origin.into_text(),
        }
    }
}

/// For validation.
impl Text for ProxyInput {
    fn text(&self) -> Option<&str> {
        self.origin().text()
    }
}
