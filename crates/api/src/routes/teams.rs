//! Teams.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::teams::{
    Team, TeamCreate, TeamListQuery, TeamMember, TeamMemberPut, TeamMembersUpdate, TeamUpdate,
};

use super::{delete, get, patch, put};
use crate::route::Access::{Needs, OwnerOr};
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::teams::{create, delete as remove, get as read, list, members, update};
    const ALL: &str = "/v1/orgs/{organizationId}/teams";
    const ONE: &str = "/v1/orgs/{organizationId}/teams/{teamId}";
    const MEMBERS: &str = "/v1/orgs/{organizationId}/teams/{teamId}/members";
    const MEMBER: &str = "/v1/orgs/{organizationId}/teams/{teamId}/members/{userId}";
    let (see, manage) = (Needs(Action::ListTeams), OwnerOr(Action::ManageTeam));
    vec![
        get(ALL, "listTeamsInOrganizationById", see, "List teams", list::handle)
            .query::<PageQuery>()
            .query::<TeamListQuery>()
            .lists::<Team>(),
        put(
            ALL,
            "createOrganizationTeam",
            Needs(Action::AdministerOrganization),
            "Make a team",
            create::handle,
        )
        .body::<TeamCreate>()
        .answers::<Team>(201),
        get(ONE, "getTeamInOrganizationById", see, "Get a team", read::handle).answers::<Team>(200),
        delete(ONE, "removeTeamFromOrganizationById", manage, "Delete a team", remove::handle)
            .answers_nothing(),
        patch(ONE, "updateTeamInOrganizationById", manage, "Rename a team", update::handle)
            .body::<TeamUpdate>()
            .answers::<Team>(200),
        get(
            MEMBERS,
            "listTeamMembersInOrganizationById",
            see,
            "List a team's members",
            members::list::handle,
        )
        .query::<PageQuery>()
        .lists::<TeamMember>(),
        put(
            MEMBERS,
            "updateMembersInOrganizationTeam",
            manage,
            "Change who is in a team",
            members::change::handle,
        )
        .body::<TeamMembersUpdate>()
        .answers_nothing(),
        put(
            MEMBER,
            "addMemberToOrganizationTeamById",
            manage,
            "Put a member into a team",
            members::put::handle,
        )
        .body::<TeamMemberPut>()
        .answers_nothing(),
        delete(
            MEMBER,
            "deleteMemberFromOrganizationTeamById",
            manage,
            "Take a member out of a team",
            members::remove::handle,
        )
        .answers_nothing(),
    ]
}
