//! Access of an identity provider to an organization.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::clock::Timestamp;
use crate::object::ScimTag;
use crate::role::Role;

/// Access of an identity provider to the users and teams of an organization. Only the response that creates the token
/// contains it.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scim {
    /// Always `scim`.
    pub object: ScimTag,
    /// `true` if the organization has a token.
    pub enabled: bool,
    /// Role of new users; `null` for guests.
    #[schema(required)]
    #[serialize_always]
    #[serde_with(skip_apply)]
    pub default_role: Option<Role>,
    /// Creation time of the token. Absent without one.
    pub created_at: Option<Timestamp>,
    /// URLs.
    pub urls: ScimUrls,
}

/// URLs of the access of an identity provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScimUrls {
    /// URL of the access in this API.
    pub location: String,
    /// Base URL of the SCIM service, to enter at the identity provider.
    pub service: String,
}

/// New token of an identity provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScimToken {
    /// Access that the token gives.
    #[serde(flatten)]
    pub scim: Scim,
    /// Token. It cannot be read again.
    pub token: String,
}

/// Request body to create the token of an identity provider.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ScimTokenCreate {
    /// Role of new users; absent or `null` for guests.
    pub default_role: Option<Role>,
}
