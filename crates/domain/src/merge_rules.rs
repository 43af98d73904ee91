//! Rules for merging change requests.

use serde::{Deserialize, Serialize};

use utoipa::ToSchema;

/// Rules for merging change requests.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum MergeRules {
    /// No rules.
    #[default]
    None,
}
