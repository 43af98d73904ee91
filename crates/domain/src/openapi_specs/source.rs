//! Sources of specifications.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use validator::{Validate, ValidationErrors};

use crate::{patch, texts};

/// Source of a specification: `{"url": "…"}` or `{"text": "…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = OpenAPISpecSource)]
pub enum SpecSource {
    /// The specification is fetched.
    Url {
        /// `http` or `https` URL of the specification.
        url: texts::Url,
    },
    /// The specification is in the body.
    Text {
        /// Text of the specification, in JSON or YAML.
        #[schema(value_type = String, min_length = 1)]
        text: texts::SpecText,
    },
}

/// Sources are read through this struct, because errors of an untagged enum do not name the problem.
#[derive(Deserialize)]
struct Keys {
    #[serde(default, deserialize_with = "patch::present")]
    url: Option<texts::Url>,
    #[serde(default, deserialize_with = "patch::present")]
    text: Option<texts::SpecText>,
}

impl<'de> Deserialize<'de> for SpecSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Keys { url, text } = Keys::deserialize(deserializer)?;
        match (url, text) {
            (Some(url), None) => Ok(Self::Url { url }),
            (None, Some(text)) => Ok(Self::Text { text }),
            (None, None) => Err(serde::de::Error::custom("must have `url` or `text`")),
            (Some(_), Some(_)) => Err(serde::de::Error::custom("must not have both `url` and `text`")),
        }
    }
}

impl Validate for SpecSource {
    /// Checks the bounds and the scheme of the URL.
    fn validate(&self) -> Result<(), ValidationErrors> {
        let (key, result) = match self {
            Self::Url { url } => ("url", texts::Url::check(url)),
            Self::Text { text } => ("text", texts::SpecText::check(text)),
        };
        result.map_err(|error| {
            let mut errors = ValidationErrors::new();
            errors.add(key, error);
            errors
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(json: Value) -> Result<SpecSource, String> {
        serde_json::from_value(json).map_err(|error| error.to_string())
    }

    #[test]
    fn a_source_is_a_url_or_a_text() {
        for source in [json!({"url": "https://a.example/openapi.json"}), json!({"text": "openapi: 3.1.0"})] {
            let read = read(source.clone()).unwrap();
            assert!(read.validate().is_ok());
            assert_eq!(serde_json::to_value(read).unwrap(), source);
        }
        assert_eq!(read(json!({})).unwrap_err(), "must have `url` or `text`");
        assert!(
            read(json!({"url": "https://a.example", "text": "x"})).unwrap_err().contains("not have both")
        );
        assert!(read(json!({"url": null, "text": "x"})).is_err());
    }

    #[test]
    fn only_addresses_of_the_web_are_taken() {
        for url in [
            "",
            "a.example",
            "ftp://a.example",
            "https://",
            "https:///x",
            "http://a b",
            "file:///etc/passwd",
            "https://user:pw@h/",
        ] {
            assert!(read(json!({ "url": url })).unwrap().validate().is_err(), "{url}");
        }
        assert!(read(json!({"text": ""})).unwrap().validate().is_err());
    }
}
