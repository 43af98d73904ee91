//! Members of organizations.

use quire_domain::list::PageQuery;
use quire_domain::members::{Member, MemberListQuery, MemberSpace, MemberUpdate, OrderQuery, PingResult};
use quire_domain::policy::Action;
use quire_domain::teams::TeamTitleQuery;

use crate::route::Access::Needs;
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::members::{get, list, ping, remove, spaces, sso, teams, update};
    const ALL: Resource = Tag::Members.at("/v1/orgs/{organizationId}/members", None);
    const ONE: Resource = Tag::Members.at("/v1/orgs/{organizationId}/members/{userId}", Some(Object::Member));
    const SPACES: Resource = Tag::Members.at("/v1/orgs/{organizationId}/members/{userId}/spaces", None);
    const TEAMS: Resource = Tag::Members.at("/v1/orgs/{organizationId}/members/{userId}/teams", None);
    const SSO: Resource = Tag::Sso.at("/v1/orgs/{organizationId}/members/{userId}/sso", Some(Object::Member));
    const PING: Resource = Tag::Members.at("/v1/orgs/{organizationId}/ping", None);
    let (see, administer) = (Action::ListMembers, Action::AdministerOrganization);
    vec![
        Route::get(
            ALL,
            "listMembersInOrganizationById",
            Needs(see),
            "List members",
            list::list_members_in_organization_by_id,
        )
        .query::<PageQuery>()
        .query::<MemberListQuery>()
        .lists::<Member>(),
        Route::get(
            ONE,
            "getMemberInOrganizationById",
            Needs(Action::ViewMember),
            "Get a member",
            get::get_member_in_organization_by_id,
        )
        .answers::<Member>(200),
        Route::delete(
            ONE,
            "removeMemberFromOrganizationById",
            Needs(Action::RemoveMember),
            "Remove a member",
            remove::remove_member_from_organization_by_id,
        )
        .answers_nothing(),
        Route::patch(
            ONE,
            "updateMemberInOrganizationById",
            Needs(administer),
            "Update a member",
            update::update_member_in_organization_by_id,
        )
        .body::<MemberUpdate>()
        .answers::<Member>(200),
        Route::post(
            PING,
            "updateOrganizationMemberLastSeenAt",
            Needs(Action::VisitOrganization),
            "Record the caller's visit",
            ping::update_organization_member_last_seen_at,
        )
        .answers::<PingResult>(200)
        .unaudited("it only records the caller's presence"),
        Route::post(
            SSO,
            "setUserAsSSOMemberForOrganization",
            Needs(administer),
            "Enable single sign-on for a member",
            sso::set_user_as_sso_member_for_organization,
        )
        .answers::<Member>(200),
        Route::get(
            SPACES,
            "listSpacesForOrganizationMember",
            Needs(Action::ViewMember),
            "List a member's spaces",
            spaces::list_spaces_for_organization_member,
        )
        .query::<PageQuery>()
        .query::<OrderQuery>()
        .lists::<MemberSpace>(),
        Route::get(
            TEAMS,
            "listTeamsForOrganizationMember",
            Needs(Action::ViewMember),
            "List a member's teams",
            teams::list_teams_for_organization_member,
        )
        .query::<PageQuery>()
        .query::<TeamTitleQuery>()
        .lists::<quire_domain::teams::MemberTeam>(),
    ]
}
