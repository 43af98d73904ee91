//! The schema of the claims that conditions may ask for.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::clock::Timestamp;
use crate::described::AdaptiveJsonSchema;
use crate::features::{ToSchema, Validate};
use crate::object::AdaptiveSchemaTag;

/// The schema of a site's claims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveSchema {
    /// Always `site-adaptive-schema`.
    pub object: AdaptiveSchemaTag,
    /// A JSON schema of draft-07.
    #[schema(value_type = AdaptiveJsonSchema)]
    pub json_schema: Value,
    /// When it was last stored.
    pub updated_at: Timestamp,
}

/// The body that stores the schema of a site's claims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveSchemaUpdate {
    /// A JSON schema of draft-07: an object of described claims, closed at every level.
    #[schema(value_type = AdaptiveJsonSchema)]
    pub json_schema: Map<String, Value>,
}
