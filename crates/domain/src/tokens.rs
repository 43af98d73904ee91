//! API tokens: the records of them. The secret itself is shown once, when it is made.

use serde::{Deserialize, Serialize};

use crate::bounds::TOKEN_ORGANIZATIONS_MAX;
use crate::clock::Timestamp;
use crate::features::{ToSchema, Validate};
use crate::ids::{OrganizationId, TokenId};
use crate::object::ApiTokenTag;
use crate::{patch, text, texts};

/// An API token of the caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiToken {
    /// Always `api-token`.
    pub object: ApiTokenTag,
    /// Id of the record. It opens nothing.
    pub id: TokenId,
    /// What the owner calls it.
    pub label: String,
    /// Whether only requests that change nothing are allowed.
    pub read_only: bool,
    /// The organizations that it is limited to. Absent when it reaches all of its user's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub organizations: Option<Vec<OrganizationId>>,
    /// Creation time.
    pub created_at: Timestamp,
    /// When it stops working. Absent when never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expires_at: Option<Timestamp>,
    /// When it was last used, about. Absent when never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_used_at: Option<Timestamp>,
    /// The secret: only in the answer that made the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub token: Option<String>,
}

/// Request body to create an API token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiTokenCreate {
    /// What the owner calls it.
    #[validate(custom(function = "texts::TokenLabel::check"))]
    pub label: texts::TokenLabel,
    /// Allow only requests that change nothing.
    #[serde(default)]
    pub read_only: bool,
    /// Limit it to these organizations.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "text::count::<1, TOKEN_ORGANIZATIONS_MAX, _>"))]
    #[schema(nullable = false, min_items = 1, max_items = 100)]
    pub organizations: Option<Vec<OrganizationId>>,
    /// When it stops working.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expires_at: Option<Timestamp>,
}
