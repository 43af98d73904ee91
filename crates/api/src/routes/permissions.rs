//! Grants of roles on spaces and collections.

use quire_domain::ids::{CollectionId, SpaceId, TeamId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::permissions::{
    PermissionGrant, PermissionQuery, PermissionUpdate, TeamPermission, UserPermission,
};
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

/// Routes of grants: path, object, and suffix of the operation ids.
macro_rules! permission_routes {
    ($path:literal, $object:ident, $of:literal, $id:ty, $administer:ident) => {{
        use v1::permissions::{aggregate, grant, list_teams, list_users, remove, update};
        const ALL: Resource = Tag::Permissions.at(concat!($path, "/permissions"), Some(Object::$object));
        const AGGREGATE: Resource = Tag::Permissions.at(concat!($path, "/permissions/aggregate"), None);
        const USERS: Resource = Tag::Permissions.at(concat!($path, "/permissions/users"), None);
        const USER: Resource =
            Tag::Permissions.at(concat!($path, "/permissions/users/{userId}"), Some(Object::Member));
        const TEAMS: Resource = Tag::Permissions.at(concat!($path, "/permissions/teams"), None);
        const TEAM: Resource =
            Tag::Permissions.at(concat!($path, "/permissions/teams/{teamId}"), Some(Object::Team));
        let (see, change) = (Needs(Action::ViewInviteLinks), Needs(Action::$administer));
        vec![
            Route::post(
                ALL,
                concat!("inviteTo", $of),
                change,
                "Grant roles to users and teams",
                grant::grant_role::<$id>,
            )
            .body::<PermissionGrant>()
            .answers_nothing(),
            Route::get(
                AGGREGATE,
                concat!("listPermissionsAggregateIn", $of),
                see,
                "List users by effective role",
                aggregate::list_member_permissions::<$id>,
            )
            .query::<PageQuery>()
            .query::<PermissionQuery>()
            .lists::<UserPermission>(),
            Route::get(
                USERS,
                concat!("listUserPermissionsIn", $of),
                see,
                "List user grants",
                list_users::list_user_grants::<$id>,
            )
            .query::<PageQuery>()
            .lists::<UserPermission>(),
            Route::patch(
                USER,
                concat!("updateUserPermissionIn", $of),
                change,
                "Update a user's grant",
                update::update_grant::<$id, UserId>,
            )
            .body::<PermissionUpdate>()
            .answers_nothing(),
            Route::delete(
                USER,
                concat!("removeUserFrom", $of),
                change,
                "Revoke a user's grant",
                remove::remove_grant::<$id, UserId>,
            )
            .answers_nothing(),
            Route::get(
                TEAMS,
                concat!("listTeamPermissionsIn", $of),
                see,
                "List team grants",
                list_teams::list_team_grants::<$id>,
            )
            .query::<PageQuery>()
            .lists::<TeamPermission>(),
            Route::patch(
                TEAM,
                concat!("updateTeamPermissionIn", $of),
                change,
                "Update a team's grant",
                update::update_grant::<$id, TeamId>,
            )
            .body::<PermissionUpdate>()
            .answers_nothing(),
            Route::delete(
                TEAM,
                concat!("removeTeamFrom", $of),
                change,
                "Revoke a team's grant",
                remove::remove_grant::<$id, TeamId>,
            )
            .answers_nothing(),
        ]
    }};
}

pub(super) fn routes() -> Vec<Route> {
    let mut routes = permission_routes!("/v1/spaces/{spaceId}", Space, "Space", SpaceId, AdministerSpace);
    routes.extend(permission_routes!(
        "/v1/collections/{collectionId}",
        Collection,
        "Collection",
        CollectionId,
        AdministerCollection
    ));
    routes
}
