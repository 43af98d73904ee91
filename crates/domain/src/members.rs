//! Members of an organization.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::clock::Timestamp;
use crate::ids::UserId;
use crate::list::Order;
use crate::object::MemberTag;
use crate::patch::Patch;
use crate::role::Role;
use crate::spaces::Space;
use crate::texts;
use crate::users::User;

/// A user's membership in an organization.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Always `member`.
    pub object: MemberTag,
    /// Id of the user.
    pub id: UserId,
    /// Role in the organization; `null` for a guest.
    #[schema(required)]
    #[serialize_always]
    pub role: Option<Role>,
    /// The user.
    pub user: User,
    /// `true` if the member's access is disabled.
    pub disabled: bool,
    /// Time of joining.
    pub joined_at: Timestamp,
    /// Time of the last activity. Absent if there was no activity.
    #[schema(nullable = false)]
    pub last_seen_at: Option<Timestamp>,
    /// `true` if the member may log in with single sign-on.
    pub sso: bool,
    /// `true` if the member has an authenticator app or a passkey. Visible to administrators only.
    #[schema(nullable = false)]
    pub second_factor: Option<bool>,
    /// Number of spaces that the member may read, of those that the caller may see.
    pub spaces: u64,
    /// Number of teams of the member.
    pub teams: u64,
    /// Number of sites that the member sees in the organization: all of them with a role, none as a guest.
    pub sites: u64,
}

/// Request body to update a member. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MemberUpdate {
    /// Role in the organization; `null` for a guest.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
}

/// Filter by role; `guest` for members without one.
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
    /// Returns the role to filter by; `None` for guests.
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

/// Sort key of a list of members.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum MemberSort {
    /// Time of joining.
    #[default]
    JoinedAt,
    /// Time of the last activity. Returns only members with activity.
    LastSeenAt,
}

/// Query parameters of a list of members, in addition to those of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Hash, Deserialize, Validate, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct MemberListQuery {
    /// Sort direction: `asc` for oldest first, `desc` for newest first.
    #[param(inline, required = false, default = "desc")]
    pub order: Order,
    /// Returns only members with this role; `guest` for members without one.
    #[param(inline, nullable = false)]
    pub role: Option<RoleFilter>,
    /// Returns only members whose name or e-mail address contains this text, ignoring case.
    #[validate(custom(function = "texts::PeopleSearch::check"))]
    #[param(value_type = texts::PeopleSearch, inline, required = false)]
    pub search: texts::PeopleSearch,
    /// Sort key.
    #[param(inline, required = false, default = "joinedAt")]
    pub sort: MemberSort,
}

/// Query parameters of a list of a member's spaces, in addition to those of every list.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct OrderQuery {
    /// Sort direction: `asc` for oldest first, `desc` for newest first.
    #[param(inline, required = false, default = "desc")]
    pub order: Order,
}

/// Space that a member may read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberSpace {
    /// Effective role of the member on the space.
    pub permission: Role,
    /// Space.
    pub space: Space,
}

/// Result of a ping.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PingResult {
    /// Claims about the caller for the organization's own services: a JSON Web Token (RFC 7519), signed with HS256 and
    /// the organization's visitor key, valid for one hour.
    pub service_visitor_claims: String,
}
