//! Roles that are granted on a space or collection, to users and to teams.

use serde::{Deserialize, Serialize};

use crate::bounds::PEOPLE_MAX;
use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::{TeamId, UserId};
use crate::patch::{self, Patch};
use crate::role::Role;
use crate::teams::Team;
use crate::text;
use crate::users::User;

/// What a user may do with a space or collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserPermission {
    /// The role.
    pub permission: Role,
    /// The user.
    pub user: User,
}

/// What a team may do with a space or collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamPermission {
    /// The role.
    pub permission: Role,
    /// The team.
    pub team: Team,
}

/// The body that grants a role to users and teams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PermissionGrant {
    /// Members of the organization.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "text::count::<1, PEOPLE_MAX, _>"))]
    #[schema(nullable = false, min_items = 1, max_items = 1000)]
    pub users: Option<Vec<UserId>>,
    /// Teams of the organization.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "text::count::<1, PEOPLE_MAX, _>"))]
    #[schema(nullable = false, min_items = 1, max_items = 1000)]
    pub teams: Option<Vec<TeamId>>,
    /// The role; `null` takes a grant back, so that what holds above counts again.
    #[serde(deserialize_with = "patch::nullable")]
    #[schema(required)]
    pub role: Option<Role>,
}

/// Request body to update a grant. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PermissionUpdate {
    /// The role; `null` takes the grant back.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Role>)]
    pub role: Patch<Role>,
}

/// The query parameter of a list of everyone's roles, in addition to those of every list.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PermissionQuery {
    /// Only those with this role.
    #[param(inline, nullable = false)]
    pub role: Option<Role>,
}
