//! API tokens: their records. The secret is returned once, on creation.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::bounds::TOKEN_ORGANIZATIONS_MAX;
use crate::clock::Timestamp;
use crate::ids::{OrganizationId, TokenId};
use crate::object::ApiTokenTag;
use crate::{patch, text_checks, texts};

/// API token of the caller.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiToken {
    /// Always `api-token`.
    pub object: ApiTokenTag,
    /// Id of the token. It is not the secret.
    pub id: TokenId,
    /// Label of the token.
    pub label: String,
    /// `true` if the token allows only requests that change nothing.
    pub read_only: bool,
    /// Organizations that the token is limited to. Absent for a token without this limit.
    pub organizations: Option<Vec<OrganizationId>>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Expiry. Absent for a token without expiry.
    pub expires_at: Option<Timestamp>,
    /// Approximate time of the last use. Absent if never used.
    pub last_used_at: Option<Timestamp>,
    /// Secret. Present only in the response that creates the token.
    pub token: Option<String>,
}

/// Request body to create an API token.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiTokenCreate {
    /// Label of the token.
    #[validate(custom(function = "texts::TokenLabel::check"))]
    pub label: texts::TokenLabel,
    /// `true` to allow only requests that change nothing. Default: `false`.
    #[serde(default)]
    pub read_only: bool,
    /// Organizations to limit the token to, 1 to 100. Default: all organizations of the user.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "text_checks::count::<1, TOKEN_ORGANIZATIONS_MAX, _>"))]
    #[schema(nullable = false, min_items = 1, max_items = 100)]
    pub organizations: Option<Vec<OrganizationId>>,
    /// Expiry. Default: none.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub expires_at: Option<Timestamp>,
}
