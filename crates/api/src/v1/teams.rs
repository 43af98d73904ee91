//! Teams.

use quire_domain::teams::{
    Team, TeamCreate, TeamListQuery, TeamMember, TeamMemberPut, TeamMembersUpdate, TeamMembership,
    TeamUpdate, UserKey,
};
use quire_storage::people::teams::{TeamFilter, UnknownMembers};

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ALL: Resource = Tag::Teams.at("/v1/orgs/{organizationId}/teams", Some(Object::Organization));
    const ONE: Resource = Tag::Teams.at("/v1/orgs/{organizationId}/teams/{teamId}", Some(Object::Team));
    const MEMBERS: Resource =
        Tag::Teams.at("/v1/orgs/{organizationId}/teams/{teamId}/members", Some(Object::Team));
    const MEMBER: Resource =
        Tag::Teams.at("/v1/orgs/{organizationId}/teams/{teamId}/members/{userId}", Some(Object::Member));
    let see = Needs(Action::ListTeams);
    let manage = Needs(Action::ManageTeam);
    vec![
        Route::get(ALL, see, "List teams", list_teams_in_organization_by_id)
            .query::<PageQuery>()
            .query::<TeamListQuery>()
            .lists::<Team>(),
        Route::put(ALL, Needs(Action::AdministerOrganization), "Create a team", create_organization_team)
            .body::<TeamCreate>()
            .answers::<Team>(201),
        Route::get(ONE, see, "Get a team", get_team_in_organization_by_id).answers::<Team>(200),
        Route::delete(ONE, manage, "Delete a team", remove_team_from_organization_by_id).answers_nothing(),
        Route::patch(ONE, manage, "Update a team", update_team_in_organization_by_id)
            .body::<TeamUpdate>()
            .answers::<Team>(200),
        Route::get(MEMBERS, see, "List a team's members", list_team_members_in_organization_by_id)
            .query::<PageQuery>()
            .lists::<TeamMember>(),
        Route::put(MEMBERS, manage, "Update a team's members", update_members_in_organization_team)
            .body::<TeamMembersUpdate>()
            .answers_nothing(),
        Route::put(MEMBER, manage, "Add a member to a team", add_member_to_organization_team_by_id)
            .body::<TeamMemberPut>()
            .answers_nothing(),
        Route::delete(
            MEMBER,
            manage,
            "Remove a member from a team",
            delete_member_from_organization_team_by_id,
        )
        .answers_nothing(),
    ]
}

async fn list_teams_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<TeamListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<TeamId>::new(format!("teams of {id}: {query:?}"), &page)?;
    let (after, limit) = list.position();
    let TeamListQuery { owner, title } = query;
    let filter = TeamFilter { owner, title: title.into_text()? };
    let (manages, slice) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ListTeams)?;
            let teams = reader.teams_of(&organization, &filter, after, limit)?;
            Ok((organization.may(Action::ManageTeam), teams))
        })
        .await?;
    list.respond(&request, slice, |listed| listed.team.id, |listed| Ok(present::team(listed, manages)))
}

async fn create_organization_team(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(TeamCreate { title, members }): Json<TeamCreate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let title = title.into_text()?;
    let team = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            // A new team has no earlier version that could match.
            if_match.check_absent()?;
            let made = tx.create_team(&organization, &title, &members.unwrap_or_default())?;
            let team = made.map_err(unknown)?;
            let team = tx.team(id, team)?.authorize(Action::ListTeams)?;
            Ok(tx.show_team(&team)?)
        })
        .await?;
    let team = present::team(team, true);
    respond::created(&state.urls.api(format_args!("orgs/{id}/teams/{}", team.id)), &team)
}

fn unknown(indexes: Vec<usize>) -> ApiError {
    let details = indexes.into_iter().map(|index| FieldError {
        field: format!("members[{index}]"),
        message: "is not a member of the organization".to_owned(),
    });
    ApiError::new(Reason::InvalidBody).with_details(details.collect())
}

async fn get_team_in_organization_by_id(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (team, manages) = state
        .read(caller, move |reader| {
            let team = reader.team(organization, team)?.authorize(Action::ListTeams)?;
            Ok((reader.show_team(&team)?, team.may(Action::ManageTeam)))
        })
        .await?;
    respond::ok(&request, &present::team(team, manages))
}

async fn update_team_in_organization_by_id(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    Json(TeamUpdate { title }): Json<TeamUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let title = title.into_text()?;
    let team = state
        .transact(caller, move |tx| {
            let found = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            tx.lock_organization_of(&found)?;
            tx.lock_team(&found)?;
            let found = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            if_match.check_with(|| Ok(present::team(tx.show_team(&found)?, true)))?;
            tx.rename_team(&found, &title)?;
            let renamed = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            Ok(tx.show_team(&renamed)?)
        })
        .await?;
    respond::changed(&present::team(team, true))
}

async fn remove_team_from_organization_by_id(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let team = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            Ok(tx.delete_team(&team)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn list_team_members_in_organization_by_id(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<UserId>::new(format!("members of team {team}"), &query)?;
    let (after, limit) = list.position();
    let (view, slice) = state
        .read(caller, move |reader| {
            let team = reader.team(organization, team)?.authorize(Action::ListTeams)?;
            Ok((team.may(Action::ListMembers), reader.team_members_of(&team, after, limit)?))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |(member, _)| member.id,
        |(member, role)| Ok(present::team_member(&state.urls, &member, role, view)),
    )
}

async fn add_member_to_organization_team_by_id(
    Caller(caller): Caller,
    Path((organization, team, user)): Path<(OrganizationId, TeamId, UserId)>,
    OptionalJson(TeamMemberPut { role }): OptionalJson<TeamMemberPut>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let update = match role {
        Some(role) => TeamMembersUpdate {
            memberships: Some([(user, TeamMembership { role })].into()),
            ..TeamMembersUpdate::default()
        },
        None => TeamMembersUpdate { add: Some(vec![UserKey::Id(user)]), ..TeamMembersUpdate::default() },
    };
    state
        .transact(caller, move |tx| {
            let team = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            if_match.check_untagged()?;
            // The user is named in the path, so a missing user is 404.
            if tx.change_team_members(&team, update)? == UnknownMembers::default() {
                return Ok(());
            }
            Err(ApiError::not_found())
        })
        .await?;
    Ok(respond::no_content())
}

async fn update_members_in_organization_team(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    OptionalJson(body): OptionalJson<TeamMembersUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let named: Vec<UserId> = body.memberships.iter().flat_map(|members| members.keys()).copied().collect();
    state
        .transact(caller, move |tx| {
            let team = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            if_match.check_untagged()?;
            let unknown = tx.change_team_members(&team, body)?;
            if unknown == UnknownMembers::default() {
                return Ok(());
            }
            Err(refusal(&unknown, &named))
        })
        .await?;
    Ok(respond::no_content())
}

fn refusal(unknown: &UnknownMembers, named: &[UserId]) -> ApiError {
    let added = unknown.add.iter().map(|index| format!("add[{index}]"));
    let changed = unknown.memberships.iter().filter_map(|index| named.get(*index));
    let changed = changed.map(|user| format!("memberships.{user}"));
    let details = added
        .chain(changed)
        .map(|field| FieldError { field, message: "is not a member of the organization".to_owned() });
    ApiError::new(Reason::InvalidBody).with_details(details.collect())
}

async fn delete_member_from_organization_team_by_id(
    Caller(caller): Caller,
    Path((organization, team, user)): Path<(OrganizationId, TeamId, UserId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let team = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            Ok(tx.remove_team_member(&team, user)?)
        })
        .await?;
    Ok(respond::no_content())
}
