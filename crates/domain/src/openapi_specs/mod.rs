//! OpenAPI specifications: what an organization keeps of the descriptions of its APIs.

mod slug;
mod source;
mod state;
mod version;

use serde::{Deserialize, Serialize};

pub use self::slug::{InvalidSpecSlug, SpecSlug};
pub use self::source::SpecSource;
pub use self::state::{ProcessError, ProcessingState};
pub use self::version::{OpenApiSpecVersion, SpecContent, SpecFormat, SpecVersionUrls};
use crate::clock::Timestamp;
use crate::features::{ToSchema, Validate};
use crate::ids::{OpenApiSpecId, OpenApiSpecVersionId};
use crate::object::OpenApiSpecTag;
use crate::strict;

/// An OpenAPI specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OpenAPISpec)]
pub struct OpenApiSpec {
    /// Always `openapi-spec`.
    pub object: OpenApiSpecTag,
    /// Id of the specification.
    pub id: OpenApiSpecId,
    /// When it was added.
    pub created_at: Timestamp,
    /// When its source was last set.
    pub updated_at: Timestamp,
    /// Name of the specification in addresses, unique in its organization.
    #[schema(value_type = SpecSlug)]
    pub slug: SpecSlug,
    /// Where it is fetched from. Absent when its text was sent.
    #[serde(rename = "sourceURL", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub source_url: Option<String>,
    /// How far the last source has come.
    pub processing_state: ProcessingState,
    /// The last version that could be read; it stays when a later source can't be.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = OpenApiSpecVersionId, required = false)]
    pub last_version: Option<OpenApiSpecVersionId>,
    /// When a source was last processed to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_processed_at: Option<Timestamp>,
    /// Why the source that was processed last gave no version. Absent when it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ProcessError, required = false)]
    pub last_process_error_code: Option<ProcessError>,
    /// Permissions of the caller on the specification.
    pub permissions: SpecPermissions,
    /// URLs of the specification.
    pub urls: SpecUrls,
}

/// Permissions of the caller on a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPISpecPermissions)]
pub struct SpecPermissions {
    /// See it.
    pub view: bool,
    /// Give it another source, and delete it.
    pub edit: bool,
}

/// URLs of a specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OpenAPISpecUrls)]
pub struct SpecUrls {
    /// In the API.
    pub location: String,
    /// In the app.
    pub app: String,
}

/// Request body to add a specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[schema(as = OpenAPISpecCreate)]
pub struct OpenApiSpecCreate {
    /// Name of the specification in addresses, unique in its organization.
    pub slug: SpecSlug,
    /// Where it comes from.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    pub source: SpecSource,
}

/// The body that gives a specification a source, and adds it if it isn't there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[schema(as = OpenAPISpecPut)]
pub struct OpenApiSpecPut {
    /// Where it comes from.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    pub source: SpecSource,
}
