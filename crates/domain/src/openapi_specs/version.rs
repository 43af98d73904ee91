//! Versions of specifications, one for each processed source.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::clock::Timestamp;
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
    /// URLs of the specification.
    pub urls: SpecContentUrls,
    /// Files of the specification as JSON. References to other files are not followed, so there is one entry.
    pub filesystem: Vec<SpecFile>,
    /// Format of the source text.
    pub format: SpecFormat,
    /// Source text.
    pub text: String,
}

/// Source text of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPISpecContentRaw)]
pub struct SpecContentRaw {
    /// Source text.
    pub text: String,
    /// Format of the text.
    pub format: SpecFormat,
}

/// URLs of the content of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPISpecContentURLs)]
pub struct SpecContentUrls {
    /// URL of the content in this API.
    #[schema(format = "uri")]
    pub source: String,
    /// URL for requests without a token. Always null, because specifications are private.
    #[schema(format = "uri", required = true)]
    pub public: Option<String>,
}

/// File of a specification.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OpenAPISpecFile)]
pub struct SpecFile {
    /// Folder of the file: `.`.
    pub dir: String,
    /// `true` for the file that the specification begins with.
    pub is_entrypoint: bool,
    /// Files that the file refers to.
    pub references: Vec<String>,
    /// Name of the file.
    pub filename: String,
    /// Contents of the file.
    #[schema(value_type = Object)]
    pub specification: Box<RawValue>,
}
