//! Members of an organization.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::ids::UserId;
use crate::object::MemberTag;
use crate::role::Role;
use crate::users::User;

/// A user's membership in an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Always `member`.
    pub object: MemberTag,
    /// The user's id.
    pub id: UserId,
    /// The role in the organization; null for a guest.
    #[schema(required)]
    pub role: Option<Role>,
    /// The user.
    pub user: User,
    /// Whether the member has no access for now.
    pub disabled: bool,
    /// When the user became a member.
    pub joined_at: Timestamp,
    /// When the member was last active; left out when never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_seen_at: Option<Timestamp>,
    /// Whether the member may log in with single sign-on.
    pub sso: bool,
    /// How many spaces are granted to the member.
    pub spaces: u64,
    /// How many teams the member is in.
    pub teams: u64,
}
