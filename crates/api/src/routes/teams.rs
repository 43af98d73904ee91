//! Teams.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::teams::{
    Team, TeamCreate, TeamListQuery, TeamMember, TeamMemberPut, TeamMembersUpdate, TeamUpdate,
};

use crate::route::Access::Needs;
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::teams::{create, delete, get, list, members, update};
    const ALL: Resource = Tag::Teams.at("/v1/orgs/{organizationId}/teams", Some(Object::Organization));
    const ONE: Resource = Tag::Teams.at("/v1/orgs/{organizationId}/teams/{teamId}", Some(Object::Team));
    const MEMBERS: Resource =
        Tag::Teams.at("/v1/orgs/{organizationId}/teams/{teamId}/members", Some(Object::Team));
    const MEMBER: Resource =
        Tag::Teams.at("/v1/orgs/{organizationId}/teams/{teamId}/members/{userId}", Some(Object::Member));
    let (see, manage) = (Needs(Action::ListTeams), Needs(Action::ManageTeam));
    vec![
        Route::get(
            ALL,
            "listTeamsInOrganizationById",
            see,
            "List teams",
            list::list_teams_in_organization_by_id,
        )
        .query::<PageQuery>()
        .query::<TeamListQuery>()
        .lists::<Team>(),
        Route::put(
            ALL,
            "createOrganizationTeam",
            Needs(Action::AdministerOrganization),
            "Create a team",
            create::create_organization_team,
        )
        .body::<TeamCreate>()
        .answers::<Team>(201),
        Route::get(ONE, "getTeamInOrganizationById", see, "Get a team", get::get_team_in_organization_by_id)
            .answers::<Team>(200),
        Route::delete(
            ONE,
            "removeTeamFromOrganizationById",
            manage,
            "Delete a team",
            delete::remove_team_from_organization_by_id,
        )
        .answers_nothing(),
        Route::patch(
            ONE,
            "updateTeamInOrganizationById",
            manage,
            "Update a team",
            update::update_team_in_organization_by_id,
        )
        .body::<TeamUpdate>()
        .answers::<Team>(200),
        Route::get(
            MEMBERS,
            "listTeamMembersInOrganizationById",
            see,
            "List a team's members",
            members::list::list_team_members_in_organization_by_id,
        )
        .query::<PageQuery>()
        .lists::<TeamMember>(),
        Route::put(
            MEMBERS,
            "updateMembersInOrganizationTeam",
            manage,
            "Update a team's members",
            members::change::update_members_in_organization_team,
        )
        .body::<TeamMembersUpdate>()
        .answers_nothing(),
        Route::put(
            MEMBER,
            "addMemberToOrganizationTeamById",
            manage,
            "Add a member to a team",
            members::put::add_member_to_organization_team_by_id,
        )
        .body::<TeamMemberPut>()
        .answers_nothing(),
        Route::delete(
            MEMBER,
            "deleteMemberFromOrganizationTeamById",
            manage,
            "Remove a member from a team",
            members::remove::delete_member_from_organization_team_by_id,
        )
        .answers_nothing(),
    ]
}
