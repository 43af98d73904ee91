//! Members of organizations.

use quire_domain::members::{Member, MemberListQuery, MemberSpace, MemberUpdate, OrderQuery, PingResult};
use quire_domain::teams::{MemberTeam, TeamMembership, TeamTitleQuery};
use quire_storage::people::members::{MemberFilter, MemberKey, Visit};

use crate::jwt;
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ALL: Resource = Tag::Members.at("/v1/orgs/{organizationId}/members", None);
    const ONE: Resource = Tag::Members.at("/v1/orgs/{organizationId}/members/{userId}", Some(Object::Member));
    const PING: Resource = Tag::Members.at("/v1/orgs/{organizationId}/ping", None);
    const SSO: Resource = Tag::Sso.at("/v1/orgs/{organizationId}/members/{userId}/sso", Some(Object::Member));
    const SPACES: Resource = Tag::Members.at("/v1/orgs/{organizationId}/members/{userId}/spaces", None);
    const TEAMS: Resource = Tag::Members.at("/v1/orgs/{organizationId}/members/{userId}/teams", None);
    let see = Action::ListMembers;
    let administer = Action::AdministerOrganization;
    vec![
        Route::get(ALL, Needs(see), "List members", list_members_in_organization_by_id)
            .query::<PageQuery>()
            .query::<MemberListQuery>()
            .lists::<Member>(),
        Route::get(ONE, Needs(Action::ViewMember), "Get a member", get_member_in_organization_by_id)
            .answers::<Member>(200),
        Route::delete(
            ONE,
            Needs(Action::RemoveMember),
            "Remove a member",
            remove_member_from_organization_by_id,
        )
        .answers_nothing(),
        Route::patch(ONE, Needs(administer), "Update a member", update_member_in_organization_by_id)
            .body::<MemberUpdate>()
            .answers::<Member>(200),
        Route::post(
            PING,
            Needs(Action::VisitOrganization),
            "Record the caller's visit",
            update_organization_member_last_seen_at,
        )
        .answers::<PingResult>(200)
        .unaudited("it only records the caller's presence"),
        Route::post(
            SSO,
            Needs(administer),
            "Enable single sign-on for a member",
            set_user_as_sso_member_for_organization,
        )
        .answers::<Member>(200),
        Route::get(
            SPACES,
            Needs(Action::ViewMember),
            "List a member's spaces",
            list_spaces_for_organization_member,
        )
        .query::<PageQuery>()
        .query::<OrderQuery>()
        .lists::<MemberSpace>(),
        Route::get(
            TEAMS,
            Needs(Action::ViewMember),
            "List a member's teams",
            list_teams_for_organization_member,
        )
        .query::<PageQuery>()
        .query::<TeamTitleQuery>()
        .lists::<quire_domain::teams::MemberTeam>(),
    ]
}

async fn list_members_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<MemberListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<MemberKey>::new(format!("members of {id}: {query:?}"), &page)?;
    let (after, limit) = list.position();
    let MemberListQuery { order, role, search, sort } = query;
    let filter = MemberFilter { sort, order, role, search: search.into_text()? };
    let (is_administrator, slice) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ListMembers)?;
            let is_administrator = organization.may(Action::AdministerOrganization);
            Ok((is_administrator, reader.members_of(&organization, &filter, after, limit)?))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |member| MemberKey::of(member, sort),
        |member| Ok(present::member(&state.urls, &member, is_administrator)),
    )
}

async fn get_member_in_organization_by_id(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (is_administrator, member) = state
        .read(caller, move |reader| {
            let organization =
                reader.organization(organization)?.authorize_about(user, Action::ViewMember)?;
            let is_administrator = organization.may(Action::AdministerOrganization);
            Ok((is_administrator, reader.member(&organization, user)?))
        })
        .await?;
    respond::ok(&request, &present::member(&state.urls, &member, is_administrator))
}

async fn update_member_in_organization_by_id(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    OptionalJson(MemberUpdate { role }): OptionalJson<MemberUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let member = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            tx.lock_organization_of(&organization)?;
            let member = tx.member(&organization, user)?;
            if_match.check(&present::member(&urls, &member, true))?;
            match role {
                Patch::Keep => return Ok(member),
                Patch::Clear => tx.set_member_role(&organization, &member, None)?,
                Patch::Set(role) => tx.set_member_role(&organization, &member, Some(role))?,
            }
            Ok(tx.member(&organization, user)?)
        })
        .await?;
    respond::changed(&present::member(&state.urls, &member, true))
}

async fn remove_member_from_organization_by_id(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize_about(user, Action::RemoveMember)?;
            tx.lock_organization_of(&organization)?;
            let member = tx.member(&organization, user)?;
            Ok(tx.remove_member(&organization, &member)?)
        })
        .await?;
    Ok(respond::no_content())
}

/// Lifetime of claims in seconds.
const LIFETIME: i64 = 3_600;

/// Claims about a member, for the organization's own services.
#[derive(Serialize)]
struct Claims {
    sub: Option<UserId>,
    email: Option<String>,
    name: Option<String>,
    organization: OrganizationId,
    teams: Vec<TeamId>,
    iat: i64,
    exp: i64,
}

async fn update_organization_member_last_seen_at(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    state: State,
) -> ApiResult<HttpResponse> {
    let (visit, now) = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::VisitOrganization)?;
            Ok((tx.visit(&organization)?, tx.now()))
        })
        .await?;
    let Visit { user, teams, key } = visit;
    let iat = now.millis().div_euclid(1_000);
    let claims = Claims {
        sub: user.id(),
        email: user.email().map(str::to_owned),
        name: user.display_name().map(str::to_owned),
        organization: id,
        teams,
        iat,
        exp: iat.saturating_add(LIFETIME),
    };
    respond::changed(&PingResult { service_visitor_claims: jwt::sign_for_visitor(&key, &claims)? })
}

async fn set_user_as_sso_member_for_organization(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    let member = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            let member = tx.member(&organization, user)?;
            tx.set_member_sso(&organization, &member)?;
            Ok(tx.member(&organization, user)?)
        })
        .await?;
    respond::changed(&present::member(&state.urls, &member, true))
}

async fn list_spaces_for_organization_member(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    Query(page): Query<PageQuery>,
    Query(OrderQuery { order }): Query<OrderQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<SpaceId>::new(format!("spaces of {user} in {organization}, {order:?}"), &page)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization =
                reader.organization(organization)?.authorize_about(user, Action::ViewMember)?;
            reader.member(&organization, user)?;
            Ok(reader.spaces_of_member(&organization, user, order, after, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |listed| listed.space.id,
        |listed| {
            let space = present::space(&state.urls, &listed.space, listed.role);
            Ok(MemberSpace { permission: listed.permission, space })
        },
    )
}

async fn list_teams_for_organization_member(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    Query(page): Query<PageQuery>,
    Query(TeamTitleQuery { title }): Query<TeamTitleQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let title = title.into_text()?;
    let list = Listing::<TeamId>::new(format!("teams of {user} in {organization} titled {title}"), &page)?;
    let (after, limit) = list.position();
    let (manages, slice) = state
        .read(caller, move |reader| {
            let organization =
                reader.organization(organization)?.authorize_about(user, Action::ViewMember)?;
            reader.member(&organization, user)?;
            let teams = reader.teams_of_member(&organization, user, &title, after, limit)?;
            Ok((organization.may(Action::ManageTeam), teams))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |listed| listed.team.team.id,
        |listed| {
            let member = TeamMembership { role: listed.role };
            Ok(MemberTeam { team: present::team(listed.team, manages), member })
        },
    )
}
