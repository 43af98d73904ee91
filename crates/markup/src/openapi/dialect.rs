//! Families of specifications.

use super::SpecError;
use super::json::Json;
use super::raw::RawObject;

/// Family of specifications.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    OpenApi3,
    Swagger2,
}

impl Dialect {
    pub(super) fn of(root: &RawObject<'_>) -> Result<Self, SpecError> {
        let dialect = match (root.json("openapi")?, root.json("swagger")?) {
            (Json::Text(version), _) if version.starts_with("3.") => Self::OpenApi3,
            (_, Json::Text(version)) if version == "2.0" => Self::Swagger2,
            // YAML reads an unquoted 2.0 as a number.
            (_, Json::Number(number)) if number.as_f64() == Some(2.0) => Self::Swagger2,
            _ => return Err(SpecError::Version),
        };
        let says_something = ["paths", "webhooks", "components", "definitions"];
        if says_something.iter().all(|key| root.get(key).is_none()) {
            return Err(SpecError::Malformed {
                pointer: String::new(),
                message: "has no `paths`".to_owned(),
            });
        }
        Ok(dialect)
    }

    pub(super) fn models(self) -> &'static str {
        match self {
            Self::OpenApi3 => "/components/schemas",
            Self::Swagger2 => "/definitions",
        }
    }

    pub(super) fn security_schemes(self) -> &'static str {
        match self {
            Self::OpenApi3 => "/components/securitySchemes",
            Self::Swagger2 => "/securityDefinitions",
        }
    }
}
