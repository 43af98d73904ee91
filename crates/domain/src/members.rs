//! Members of an organization.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::comments::Order;
use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::UserId;
use crate::object::MemberTag;
use crate::patch::Patch;
use crate::role::Role;
use crate::spaces::Space;
use crate::texts;
use crate::users::User;

/// A user's membership in an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Always `member`.
    pub object: MemberTag,
    /// Id of the user.
    pub id: UserId,
    /// The role in the organization; `null` for a guest.
    #[schema(required)]
    pub role: Option<Role>,
    /// The user.
    pub user: User,
    /// Whether the member has no access for now.
    pub disabled: bool,
    /// When the user became a member.
    pub joined_at: Timestamp,
    /// When the member was last active. Absent when never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_seen_at: Option<Timestamp>,
    /// Whether the member may log in with single sign-on.
    pub sso: bool,
    /// The number of spaces that the member may read, of those that the caller sees.
    pub spaces: u64,
    /// How many teams the member is in.
    pub teams: u64,
}

/// Request body to update a member. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MemberUpdate {
    /// The role in the organization; `null` for a guest.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
}

/// Which members a list shows: a role, or `guest` for those without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the roles have their own documentation")]
pub enum RoleFilter {
    Read,
    Comment,
    Edit,
    Review,
    Create,
    Admin,
    /// Members without a role.
    Guest,
}

impl RoleFilter {
    /// The role that is asked for; `None` for guests.
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::Read => Some(Role::Read),
            Self::Comment => Some(Role::Comment),
            Self::Edit => Some(Role::Edit),
            Self::Review => Some(Role::Review),
            Self::Create => Some(Role::Create),
            Self::Admin => Some(Role::Admin),
            Self::Guest => None,
        }
    }
}

/// By what members are ordered.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum MemberSort {
    /// By when they became members.
    #[default]
    JoinedAt,
    /// By when they were last active; only those who ever were.
    LastSeenAt,
}

/// The query parameters of a list of members, in addition to those of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Hash, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct MemberListQuery {
    /// Sort direction: `asc` for oldest first, `desc` for newest first.
    #[param(inline, required = false, default = "desc")]
    pub order: Order,
    /// Only members with this role; `guest` for those without one.
    #[param(inline, nullable = false)]
    pub role: Option<RoleFilter>,
    /// Only members whose name or e-mail address holds this, in any case.
    #[validate(custom(function = "texts::PeopleSearch::check"))]
    #[param(value_type = texts::PeopleSearch, inline, required = false)]
    pub search: texts::PeopleSearch,
    /// Sort key.
    #[param(inline, required = false, default = "joinedAt")]
    pub sort: MemberSort,
}

/// The query parameters of a list of a member's spaces, in addition to those of every list.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct OrderQuery {
    /// Sort direction: `asc` for oldest first, `desc` for newest first.
    #[param(inline, required = false, default = "desc")]
    pub order: Order,
}

/// A space that a member may read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberSpace {
    /// The member's role on it, wherever it comes from.
    pub permission: Role,
    /// The space, as the caller sees it.
    pub space: Space,
}

/// What a ping answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PingResult {
    /// Claims about the caller for the organization's own services: a JSON Web Token (RFC 7519), signed with HS256 and the
    /// organization's visitor key, that holds for an hour.
    pub service_visitor_claims: String,
}
