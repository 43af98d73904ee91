//! OpenAPI specifications of an organization.

mod slug;
mod source;
mod state;
mod version;

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

pub use self::slug::{InvalidSpecSlug, SpecSlug};
pub use self::source::SpecSource;
pub use self::state::{ProcessError, ProcessingState};
pub use self::version::{
    OpenApiSpecVersion, SpecContent, SpecContentRaw, SpecContentUrls, SpecFile, SpecFormat, SpecVersionUrls,
};
use crate::clock::Timestamp;
use crate::ids::{OpenApiSpecId, OpenApiSpecVersionId};
use crate::object::OpenApiSpecTag;
use crate::object_only;

/// An OpenAPI specification.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OpenAPISpec)]
pub struct OpenApiSpec {
    /// Always `openapi-spec`.
    pub object: OpenApiSpecTag,
    /// Id of the specification.
    pub id: OpenApiSpecId,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change of the source.
    pub updated_at: Timestamp,
    /// Slug of the specification, unique in its organization.
    #[schema(value_type = SpecSlug)]
    pub slug: SpecSlug,
    /// URL that the specification is fetched from. Absent if its text was uploaded.
    #[serde(rename = "sourceURL")]
    pub source_url: Option<String>,
    /// Processing state of the current source.
    pub processing_state: ProcessingState,
    /// Latest version that was parsed. It is kept when a later source cannot be processed.
    #[schema(value_type = OpenApiSpecVersionId, required = false)]
    pub last_version: Option<OpenApiSpecVersionId>,
    /// Time at which processing last ended.
    pub last_processed_at: Option<Timestamp>,
    /// Error code of the last processing. Absent if it succeeded.
    #[schema(value_type = ProcessError, required = false)]
    pub last_process_error_code: Option<ProcessError>,
    /// Number of errors of the last processing, which ends at the first one.
    pub last_processed_error_count: u32,
    /// Permissions of the caller on the specification.
    pub permissions: SpecPermissions,
    /// URLs of the specification.
    pub urls: SpecUrls,
}

/// Permissions of the caller on a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPISpecPermissions)]
pub struct SpecPermissions {
    /// `true` if the caller may see the specification.
    pub view: bool,
    /// `true` if the caller may replace the source and delete the specification.
    pub edit: bool,
}

/// URLs of a specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPISpecUrls)]
pub struct SpecUrls {
    /// URL of the specification in this API.
    pub location: String,
    /// URL of the specification in the app.
    pub app: String,
}

/// Request body to create a specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[schema(as = OpenAPISpecCreate)]
pub struct OpenApiSpecCreate {
    /// Slug of the specification, unique in its organization.
    pub slug: SpecSlug,
    /// Source of the specification.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub source: SpecSource,
}

/// Request body to set the source of a specification, which is created if it does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[schema(as = OpenAPISpecPut)]
pub struct OpenApiSpecPut {
    /// Source of the specification.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub source: SpecSource,
}
