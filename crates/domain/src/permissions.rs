//! Grants of roles on spaces and collections, to users and teams.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::bounds::PEOPLE_MAX;
use crate::ids::{TeamId, UserId};
use crate::patch::{self, Patch};
use crate::role::Role;
use crate::teams::Team;
use crate::text_checks;
use crate::users::User;

/// Role of a user on a space or collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserPermission {
    /// Role of the user.
    pub permission: Role,
    /// User.
    pub user: User,
}

/// Role of a team on a space or collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamPermission {
    /// Role of the team.
    pub permission: Role,
    /// Team.
    pub team: Team,
}

/// Request body to grant a role to users and teams.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PermissionGrant {
    /// Ids of 1 to 1000 members of the organization.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "text_checks::count::<1, PEOPLE_MAX, _>"))]
    #[schema(nullable = false, min_items = 1, max_items = 1000)]
    pub users: Option<Vec<UserId>>,
    /// Ids of 1 to 1000 teams of the organization.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "text_checks::count::<1, PEOPLE_MAX, _>"))]
    #[schema(nullable = false, min_items = 1, max_items = 1000)]
    pub teams: Option<Vec<TeamId>>,
    /// Role to grant. `null` revokes the grants, so that inherited permissions apply again.
    #[serde(deserialize_with = "patch::nullable")]
    #[schema(required)]
    #[serialize_always]
    pub role: Option<Role>,
}

/// Request body to update a grant. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PermissionUpdate {
    /// New role. `null` revokes the grant.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
}

/// Query parameter of a list of users by effective role, in addition to those of every list.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PermissionQuery {
    /// Returns only users with this role.
    #[param(inline, nullable = false)]
    pub role: Option<Role>,
}
