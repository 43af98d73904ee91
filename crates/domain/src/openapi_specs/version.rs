//! Versions of specifications, one for each processed source.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::clock::Timestamp;
use crate::features::ToSchema;
use crate::ids::OpenApiSpecVersionId;
use crate::object::OpenApiSpecVersionTag;

/// Version of a specification.
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
    /// URL of the version's content in this API.
    pub url: String,
    /// URLs of the version.
    pub urls: SpecVersionUrls,
}

/// URLs of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPISpecVersionUrls)]
pub struct SpecVersionUrls {
    /// URL of the version in this API.
    pub location: String,
}

/// Format of a specification.
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

/// Content of a version.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPISpecContent)]
pub struct SpecContent {
    /// URL of the specification, which is its key in `filesystem`.
    pub url: String,
    /// Specification as JSON, by its URL. References to other files are not followed, so there is one entry.
    #[schema(value_type = Object)]
    pub filesystem: Box<RawValue>,
    /// Format of the source text.
    pub format: SpecFormat,
    /// Source text.
    pub text: String,
}
