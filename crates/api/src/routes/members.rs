//! Members of organizations.

use quire_domain::list::PageQuery;
use quire_domain::members::{
    Member, MemberListQuery, MemberSpace, MemberTeam, MemberUpdate, OrderQuery, PingResult,
};
use quire_domain::policy::Action;
use quire_domain::teams::TeamTitleQuery;

use super::{delete, get, patch, post};
use crate::route::Access::{Needs, SelfOr};
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::members::{get as read, list, ping, remove, spaces, sso, teams, update};
    const ALL: &str = "/v1/orgs/{organizationId}/members";
    const ONE: &str = "/v1/orgs/{organizationId}/members/{userId}";
    const SPACES: &str = "/v1/orgs/{organizationId}/members/{userId}/spaces";
    const TEAMS: &str = "/v1/orgs/{organizationId}/members/{userId}/teams";
    const SSO: &str = "/v1/orgs/{organizationId}/members/{userId}/sso";
    const PING: &str = "/v1/orgs/{organizationId}/ping";
    let (see, administer) = (Action::ListMembers, Action::AdministerOrganization);
    vec![
        get(ALL, "listMembersInOrganizationById", Needs(see), "List members", list::handle)
            .query::<PageQuery>()
            .query::<MemberListQuery>()
            .lists::<Member>(),
        get(ONE, "getMemberInOrganizationById", SelfOr(see), "Get a member", read::handle)
            .answers::<Member>(200),
        delete(
            ONE,
            "removeMemberFromOrganizationById",
            SelfOr(administer),
            "Remove a member, or leave",
            remove::handle,
        )
        .answers_nothing(),
        patch(
            ONE,
            "updateMemberInOrganizationById",
            Needs(administer),
            "Change a member's role",
            update::handle,
        )
        .body::<MemberUpdate>()
        .answers::<Member>(200),
        post(
            PING,
            "updateOrganizationMemberLastSeenAt",
            Needs(Action::VisitOrganization),
            "Be seen",
            ping::handle,
        )
        .answers::<PingResult>(200)
        .unaudited("what it changes is only a trace of the caller's presence"),
        post(
            SSO,
            "setUserAsSSOMemberForOrganization",
            Needs(administer),
            "Let a member log in with single sign-on",
            sso::handle,
        )
        .answers::<Member>(200),
        get(SPACES, "listSpacesForOrganizationMember", SelfOr(see), "List a member's spaces", spaces::handle)
            .query::<PageQuery>()
            .query::<OrderQuery>()
            .lists::<MemberSpace>(),
        get(TEAMS, "listTeamsForOrganizationMember", SelfOr(see), "List a member's teams", teams::handle)
            .query::<PageQuery>()
            .query::<TeamTitleQuery>()
            .lists::<MemberTeam>(),
    ]
}
