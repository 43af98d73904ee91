//! Audit log: changes with their actor, time and origin, and refused attempts at administrative actions.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::clock::Timestamp;
use crate::ids::{AuditEntryId, OrganizationId, SpaceId, TokenId, UserId};
use crate::object::{AuditEntryTag, SystemTag};
use crate::users::User;
use crate::{list, text_checks};

/// Audit log entry: a request or command that changed something or exported content in bulk, or a refused
/// administrative request.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditEntry)]
pub struct AuditEntry<A = AuditActor> {
    /// Always `audit-entry`.
    pub object: AuditEntryTag,
    /// Id of the entry.
    pub id: AuditEntryId,
    /// Organization that the entry concerns.
    pub organization: OrganizationId,
    /// Space of the change. Absent if the change was not in a space.
    pub space: Option<SpaceId>,
    /// The actor.
    #[schema(value_type = AuditActor)]
    pub actor: A,
    /// Token that authenticated the request. It may have been revoked since. Absent for commands, and for identity
    /// providers.
    pub token: Option<TokenId>,
    /// Operation id in the API, such as `mergeChangeRequest`, or name of a command, such as `admin.create-user`.
    pub operation: String,
    /// HTTP method. Absent for commands.
    pub method: Option<String>,
    /// Path of the request without its query. Absent for commands.
    pub path: Option<String>,
    /// Resource that was changed or created.
    pub target: Option<AuditTarget>,
    /// IP address of the client.
    pub address: Option<String>,
    /// Id of the request, as in the `X-Request-Id` header and the server log. Absent for commands.
    pub request_id: Option<String>,
    /// Outcome of the attempt.
    pub outcome: AuditOutcome,
    /// Time of the attempt.
    pub created_at: Timestamp,
}

impl<A> AuditEntry<A> {
    /// Returns the entry with its actor in another form.
    pub fn map_actor<B>(self, form: impl FnOnce(A) -> B) -> AuditEntry<B> {
        AuditEntry {
            object: self.object,
            id: self.id,
            organization: self.organization,
            space: self.space,
            actor: form(self.actor),
            token: self.token,
            operation: self.operation,
            method: self.method,
            path: self.path,
            target: self.target,
            address: self.address,
            request_id: self.request_id,
            outcome: self.outcome,
            created_at: self.created_at,
        }
    }
}

/// Actor of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum AuditActor {
    /// A user.
    User(User),
    /// Operator of the deployment, through a command, or the identity provider of the organization, with SCIM.
    System(SystemActor),
}

/// Actor without a user account: the operator of the deployment, or an identity provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SystemActor {
    /// Always `system`.
    pub object: SystemTag,
    /// Program that was used, `quire admin`, or protocol, `SCIM`.
    pub display_name: String,
}

/// Outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AuditOutcome {
    /// The action succeeded.
    Done,
    /// The action was refused: with status 403, or with 401 for a sign-in or an invitation.
    Refused,
}

impl AuditOutcome {
    /// Returns the wire form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused",
        }
    }
}

/// Resource that a request changed or created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditTarget {
    /// Resource type, such as `space` or `site-section`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Id of the resource, or its slug or name if it is addressed by that.
    pub id: String,
}

/// Query parameters of the audit log, in addition to those of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// Returns only actions of this user.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub actor: Option<UserId>,
    /// Returns only changes in this space.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub space: Option<SpaceId>,
    /// Returns only this operation, such as `mergeChangeRequest`.
    #[validate(custom(function = "text_checks::no_nul"))]
    #[param(nullable = false)]
    pub operation: Option<String>,
    /// Returns only entries whose target has this id.
    #[validate(custom(function = "text_checks::no_nul"))]
    #[param(nullable = false)]
    pub target: Option<String>,
    /// Returns only entries with this outcome.
    #[param(inline, nullable = false)]
    pub outcome: Option<AuditOutcome>,
    /// Returns only entries at or after this time.
    #[param(inline, nullable = false)]
    pub from: Option<Timestamp>,
    /// Returns only entries before this time.
    #[param(inline, nullable = false)]
    pub to: Option<Timestamp>,
}
