//! Schema of a site's visitor claims.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use validator::Validate;

use crate::clock::Timestamp;
use crate::described::AdaptiveJsonSchema;
use crate::object::AdaptiveSchemaTag;

/// Schema of a site's visitor claims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveSchema {
    /// Always `site-adaptive-schema`.
    pub object: AdaptiveSchemaTag,
    /// JSON schema (draft-07) of the claims.
    #[schema(value_type = AdaptiveJsonSchema)]
    pub json_schema: Value,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Request body to replace the schema of a site's visitor claims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveSchemaUpdate {
    /// JSON schema (draft-07) of the claims: an object without additional properties at any level.
    #[schema(value_type = AdaptiveJsonSchema)]
    pub json_schema: Map<String, Value>,
}
