//! Versions: what a specification said when it was processed.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::clock::Timestamp;
use crate::features::ToSchema;
use crate::ids::OpenApiSpecVersionId;
use crate::object::OpenApiSpecVersionTag;

/// A version of a specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OpenAPISpecVersion)]
pub struct OpenApiSpecVersion {
    /// Always `openapi-spec-version`.
    pub object: OpenApiSpecVersionTag,
    /// Id of the version.
    pub id: OpenApiSpecVersionId,
    /// Creation time.
    pub created_at: Timestamp,
    /// Where its content is.
    pub url: String,
    /// URLs of the version.
    pub urls: SpecVersionUrls,
}

/// URLs of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPISpecVersionUrls)]
pub struct SpecVersionUrls {
    /// In the API.
    pub location: String,
}

/// The notation of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OpenAPISpecFormat)]
pub enum SpecFormat {
    /// JSON.
    Json,
    /// YAML.
    Yaml,
}

impl SpecFormat {
    /// Returns the wire form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Yaml => "yaml",
        }
    }
}

/// What a version says.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPISpecContent)]
pub struct SpecContent {
    /// The address of the specification, which is its key in `filesystem`.
    pub url: String,
    /// The specification as JSON, by its address: one file, since references to other files are not followed.
    #[schema(value_type = Object)]
    pub filesystem: Box<RawValue>,
    /// The notation that it was sent in.
    pub format: SpecFormat,
    /// The text as it was sent.
    pub text: String,
}
