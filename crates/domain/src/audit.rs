//! The audit log: who changed what, when, and from where; and who tried what only administrators may do.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::{AuditEntryId, OrganizationId, SpaceId, TokenId, UserId};
use crate::object::{AuditEntryTag, SystemTag};
use crate::users::User;
use crate::{list, text};

/// A request or a command that changed something or took content away in bulk, or a request of an administrative kind that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// Always `audit-entry`.
    pub object: AuditEntryTag,
    /// The entry's id.
    pub id: AuditEntryId,
    /// The organization that it concerns.
    pub organization: OrganizationId,
    /// The space in which it changed; left out when the change was in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub space: Option<SpaceId>,
    /// The actor.
    pub actor: AuditActor,
    /// The token it was done with, which may be revoked by now. Commands have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub token: Option<TokenId>,
    /// The id of the operation in the API, such as `mergeChangeRequest`, or the name of a command, such as
    /// `admin.create-user`.
    pub operation: String,
    /// The HTTP method; left out for a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub method: Option<String>,
    /// The path of the request, which names what was changed, without its query; left out for a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
    /// What was changed, or what was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub target: Option<AuditTarget>,
    /// The address that the request came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub address: Option<String>,
    /// The id of the request, as in the log of the service; left out for a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub request_id: Option<String>,
    /// The outcome.
    pub outcome: AuditOutcome,
    /// When it was done.
    pub created_at: Timestamp,
}

/// The actor of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum AuditActor {
    /// A user.
    User(User),
    /// The operator of the deployment, by a command.
    System(SystemActor),
}

/// The operator of the deployment, who has no user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SystemActor {
    /// Always `system`.
    pub object: SystemTag,
    /// The program that was used, such as `quire admin`.
    pub display_name: String,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AuditOutcome {
    /// It was done.
    Done,
    /// The actor may not do it: 403.
    Refused,
}

impl AuditOutcome {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused",
        }
    }
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
    /// Only what was done, or only what was refused.
    #[param(inline, nullable = false)]
    pub outcome: Option<AuditOutcome>,
    /// Only what was done at this time or later.
    #[param(inline, nullable = false)]
    pub from: Option<Timestamp>,
    /// Only what was done before this time.
    #[param(inline, nullable = false)]
    pub to: Option<Timestamp>,
}
