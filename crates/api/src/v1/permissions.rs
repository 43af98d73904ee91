//! Grants of roles on spaces and collections.

use quire_domain::permissions::{
    PermissionGrant, PermissionQuery, PermissionUpdate, TeamPermission, UserPermission,
};
use quire_storage::content::collections::CollectionRecord;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::lookup::Actor;
use quire_storage::people::permissions::{Grantee, Shared, TeamGrant, UserGrant};
use serde::de::DeserializeOwned;

use crate::prelude::*;

/// Routes of grants: path, object and suffix of the operation ids.
macro_rules! permission_routes {
    ($path:literal, $object:ident, $of:literal, $id:ty, $administer:ident) => {{
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
            Route::post(ALL, change, "Grant roles to users and teams", grant_role::<$id>)
                .operation(concat!("inviteTo", $of))
                .body::<PermissionGrant>()
                .answers_nothing(),
            Route::get(AGGREGATE, see, "List users by effective role", list_member_permissions::<$id>)
                .operation(concat!("listPermissionsAggregateIn", $of))
                .query::<PageQuery>()
                .query::<PermissionQuery>()
                .lists::<UserPermission>(),
            Route::get(USERS, see, "List user grants", list_grants::<$id, UserId>)
                .operation(concat!("listUserPermissionsIn", $of))
                .query::<PageQuery>()
                .lists::<UserPermission>(),
            Route::patch(USER, change, "Update a user's grant", update_grant::<$id, UserId>)
                .operation(concat!("updateUserPermissionIn", $of))
                .body::<PermissionUpdate>()
                .answers_nothing(),
            Route::delete(USER, change, "Revoke a user's grant", remove_grant::<$id, UserId>)
                .operation(concat!("removeUserFrom", $of))
                .answers_nothing(),
            Route::get(TEAMS, see, "List team grants", list_grants::<$id, TeamId>)
                .operation(concat!("listTeamPermissionsIn", $of))
                .query::<PageQuery>()
                .lists::<TeamPermission>(),
            Route::patch(TEAM, change, "Update a team's grant", update_grant::<$id, TeamId>)
                .operation(concat!("updateTeamPermissionIn", $of))
                .body::<PermissionUpdate>()
                .answers_nothing(),
            Route::delete(TEAM, change, "Revoke a team's grant", remove_grant::<$id, TeamId>)
                .operation(concat!("removeTeamFrom", $of))
                .answers_nothing(),
        ]
    }};
}

/// Returns the routes.
pub fn routes() -> Vec<Route> {
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

async fn grant_role<P: GrantTarget>(
    Caller(caller): Caller,
    Path(container): Path<P>,
    Json(body): Json<PermissionGrant>,
    state: State,
) -> ApiResult<HttpResponse> {
    let PermissionGrant { users, teams, role } = body;
    let names_no_grantee = users.is_none() && teams.is_none();
    let (users, teams) = (users.unwrap_or_default(), teams.unwrap_or_default());
    state
        .transact(caller, move |tx| {
            let opened = container.open(tx, Intent::Change)?;
            if names_no_grantee {
                return Err(ApiError::invalid_field("users", "is required if `teams` is absent"));
            }
            let unknown = tx.grant(opened.shared(), &users, &teams, role)?;
            let users = unknown.users.iter().map(|index| FieldError {
                field: format!("users[{index}]"),
                message: "is not a member of the organization".to_owned(),
            });
            let teams = unknown.teams.iter().map(|index| FieldError {
                field: format!("teams[{index}]"),
                message: "is not a team of the organization".to_owned(),
            });
            let details: Vec<_> = users.chain(teams).collect();
            if details.is_empty() {
                return Ok(());
            }
            Err(ApiError::new(Reason::InvalidBody).with_details(details))
        })
        .await?;
    Ok(respond::no_content())
}

async fn list_member_permissions<P: GrantTarget>(
    Caller(caller): Caller,
    Path(container): Path<P>,
    Query(page): Query<PageQuery>,
    Query(PermissionQuery { role }): Query<PermissionQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<UserId>::new(
        format!("users with {} on {container}", role.map_or("any role", Role::as_str)),
        &page,
    )?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let opened = container.open(reader, Intent::See)?;
            Ok(reader.roles_on(opened.shared(), role, after, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |grant| grant.user.id(),
        |grant| Ok(UserPermission { permission: grant.role, user: present::user(&state.urls, &grant.user) }),
    )
}

async fn list_grants<P: GrantTarget, G: GranteeId>(
    Caller(caller): Caller,
    Path(container): Path<P>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<GrantId>::new(format!("{} with a grant on {container}", G::PLURAL), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let opened = container.open(reader, Intent::See)?;
            Ok(G::grants(reader, &opened, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, G::grant_id, |grant| Ok(G::present(&state.urls, grant)))
}

async fn update_grant<P: GrantTarget, G: GranteeId>(
    Caller(caller): Caller,
    Path((container, grantee)): Path<(P, G)>,
    OptionalJson(PermissionUpdate { role }): OptionalJson<PermissionUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let opened = container.open(tx, Intent::Change)?;
            if_match.check_untagged()?;
            let (shared, grantee) = (opened.shared(), grantee.grantee());
            match role {
                Patch::Keep => tx.require_grant(shared, grantee)?,
                Patch::Clear => tx.revoke_grant(shared, grantee)?,
                Patch::Set(role) => tx.change_grant(shared, grantee, role)?,
            }
            Ok(())
        })
        .await?;
    Ok(respond::no_content())
}

async fn remove_grant<P: GrantTarget, G: GranteeId>(
    Caller(caller): Caller,
    Path((container, grantee)): Path<(P, G)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let opened = container.open(tx, Intent::Change)?;
            Ok(tx.revoke_grant(opened.shared(), grantee.grantee())?)
        })
        .await?;
    Ok(respond::no_content())
}

/// Space or collection whose grants the caller may see or change.
enum Opened {
    Space(Authorized<SpaceRecord>),
    Collection(Authorized<CollectionRecord>),
}

/// Intended access to the grants.
#[derive(Clone, Copy)]
enum Intent {
    See,
    Change,
}

/// Id of a space or collection.
trait GrantTarget: Copy + Display + DeserializeOwned + Send + 'static {
    /// Returns the target, if the caller may see or change its grants.
    ///
    /// # Errors
    /// 404 and 403.
    fn open(self, reader: &mut Reader<'_>, intent: Intent) -> ApiResult<Opened>;
}

impl Opened {
    /// Returns the target for storage.
    pub fn shared(&self) -> Shared<'_> {
        match self {
            Self::Space(space) => Shared::Space(space),
            Self::Collection(collection) => Shared::Collection(collection),
        }
    }

    /// Returns the authorized actor.
    pub fn actor(&self) -> Actor {
        match self {
            Self::Space(space) => space.actor(),
            Self::Collection(collection) => collection.actor(),
        }
    }
}

impl GrantTarget for SpaceId {
    fn open(self, reader: &mut Reader<'_>, intent: Intent) -> ApiResult<Opened> {
        let action = match intent {
            Intent::See => Action::ViewInviteLinks,
            Intent::Change => Action::AdministerSpace,
        };
        Ok(Opened::Space(reader.space(self)?.authorize(action)?))
    }
}

impl GrantTarget for CollectionId {
    fn open(self, reader: &mut Reader<'_>, intent: Intent) -> ApiResult<Opened> {
        let action = match intent {
            Intent::See => Action::ViewInviteLinks,
            Intent::Change => Action::AdministerCollection,
        };
        Ok(Opened::Collection(reader.collection(self)?.authorize(action)?))
    }
}

/// Id of a user or team.
trait GranteeId: Copy + DeserializeOwned + Send + 'static {
    /// Plural of this kind of recipients, for the names of cursors.
    const PLURAL: &str;
    /// Stored form of a grant.
    type Grant: Send + 'static;
    /// Grant in lists.
    type Permission: Serialize;

    /// Returns the recipient for storage.
    fn grantee(self) -> Grantee;

    /// Reads a page of the grants on a space or collection, last first.
    fn grants(
        reader: &mut Reader<'_>,
        opened: &Opened,
        after: Option<GrantId>,
        limit: u16,
    ) -> quire_storage::Result<Slice<Self::Grant>>;

    /// Returns the id of a grant.
    fn grant_id(grant: &Self::Grant) -> GrantId;

    /// Returns the wire form of a grant.
    fn present(urls: &Urls, grant: Self::Grant) -> Self::Permission;
}

impl GranteeId for UserId {
    const PLURAL: &str = "users";
    type Grant = UserGrant;
    type Permission = UserPermission;

    fn grantee(self) -> Grantee {
        Grantee::User(self)
    }

    fn grants(
        reader: &mut Reader<'_>,
        opened: &Opened,
        after: Option<GrantId>,
        limit: u16,
    ) -> quire_storage::Result<Slice<UserGrant>> {
        reader.user_grants(opened.shared(), after, limit)
    }

    fn grant_id(grant: &UserGrant) -> GrantId {
        grant.id
    }

    fn present(urls: &Urls, grant: UserGrant) -> UserPermission {
        UserPermission { permission: grant.role, user: present::user(urls, &grant.user) }
    }
}

impl GranteeId for TeamId {
    const PLURAL: &str = "teams";
    type Grant = TeamGrant;
    type Permission = TeamPermission;

    fn grantee(self) -> Grantee {
        Grantee::Team(self)
    }

    fn grants(
        reader: &mut Reader<'_>,
        opened: &Opened,
        after: Option<GrantId>,
        limit: u16,
    ) -> quire_storage::Result<Slice<TeamGrant>> {
        reader.team_grants(opened.shared(), opened.actor(), after, limit)
    }

    fn grant_id(grant: &TeamGrant) -> GrantId {
        grant.id
    }

    fn present(_: &Urls, grant: TeamGrant) -> TeamPermission {
        let manages = grant.actor.allows(Action::ManageTeam);
        TeamPermission { permission: grant.role, team: present::team(grant.team, manages) }
    }
}
