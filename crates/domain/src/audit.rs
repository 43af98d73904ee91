//! The audit log: who changed what, when, and from where.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::clock::Timestamp;
use crate::ids::{AuditEntryId, OrganizationId, SpaceId, TokenId, UserId};
use crate::object::AuditEntryTag;
use crate::users::User;
use crate::{list, text};

/// One request that changed something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// Always `audit-entry`.
    pub object: AuditEntryTag,
    /// The entry's id.
    pub id: AuditEntryId,
    /// The organization in which something changed.
    pub organization: OrganizationId,
    /// The space in which it changed; left out when the change was in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub space: Option<SpaceId>,
    /// Who did it.
    pub actor: User,
    /// The token it was done with. It may be revoked by now.
    pub token: TokenId,
    /// What was done: the id of the operation in the API, such as `mergeChangeRequest`.
    pub operation: String,
    /// The HTTP method.
    pub method: String,
    /// The path of the request, which names what was changed; without its query.
    pub path: String,
    /// What was changed, or what was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub target: Option<AuditTarget>,
    /// The address that the request came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub address: Option<String>,
    /// The id of the request, as it stands in the log of the service.
    pub request_id: String,
    /// When it was done.
    pub created_at: Timestamp,
}

/// What a request changed or made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditTarget {
    /// What it is, such as `space` or `site-section`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its id, or the slug or name that it is addressed by.
    pub id: String,
}

/// The query parameters of the audit log, beside those of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// Only what this user did.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub actor: Option<UserId>,
    /// Only what changed in this space.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub space: Option<SpaceId>,
    /// Only this operation, such as `mergeChangeRequest`.
    #[validate(custom(function = "text::no_nul"))]
    #[param(nullable = false)]
    pub operation: Option<String>,
    /// Only what was done to the thing with this id.
    #[validate(custom(function = "text::no_nul"))]
    #[param(nullable = false)]
    pub target: Option<String>,
    /// Only what was done at this time or later.
    #[param(inline, nullable = false)]
    pub from: Option<Timestamp>,
    /// Only what was done before this time.
    #[param(inline, nullable = false)]
    pub to: Option<Timestamp>,
}
