//! Statements that contain a rule agree with the policy.

mod world;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use quire_domain::integrations::{IntegrationQuery, IntegrationVisibility};
use quire_domain::policy::{
    self, Action, Administrators, Decision, Kind, Membership, Visitor, creator_grant, joined_role,
};
use quire_domain::sites::SiteVisibility;
use quire_domain::spaces::SpaceCreate;
use quire_domain::{Role, SpaceId, TeamId, UserId};
use quire_storage::content::hierarchy::Parent;
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::{Credentials, SpaceKey};
use quire_storage::people::invites::NewTarget;
use quire_storage::people::permissions::Shared;
use quire_storage::people::teams::TeamFilter;
use quire_storage::{Error, Reader};

use self::world::{ADA, BOB, SPACE, TEAM, World, id, organization, site};
use crate::roles::{self, memberships};

/// Returns the decision that corresponds to a result.
fn decision<T>(result: &quire_storage::Result<T>) -> Decision {
    match result {
        Ok(_) => Decision::Allowed,
        Err(Error::NotFound) => Decision::Hidden,
        Err(Error::Forbidden { .. }) => Decision::Forbidden,
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn lookups_decide_by_the_membership() {
    let world = World::new();
    let team = TeamId::from_uuid(id(TEAM));
    for membership in memberships() {
        world.set(membership, &[], None);
        for action in Action::ALL.into_iter().filter(|action| action.kinds().contains(&Kind::Organization)) {
            let visible = membership.allows(Action::ViewOrganization);
            let expected = match (visible, membership.allows(action)) {
                (_, true) => Decision::Allowed,
                (true, false) => Decision::Forbidden,
                (false, false) => Decision::Hidden,
            };
            let found = [
                decision(&world.read(|reader| reader.organization(organization())?.authorize(action))),
                decision(&world.read(|reader| reader.site(organization(), site())?.authorize(action))),
                decision(&world.read(|reader| reader.team(organization(), team)?.authorize(action))),
            ];
            assert_eq!(found, [expected; 3], "{action:?} as {membership:?}");
        }
    }
}

/// Results of the statements that filter by role, for Ada.
#[derive(Debug, PartialEq, Eq)]
struct Listed {
    /// `true` if the space is in Ada's list.
    in_list: bool,
    /// Number of spaces that the list of members counts for Ada.
    counted: u64,
    /// Ada's role in the list of all roles on the space.
    role: Option<Role>,
    /// `true` if the site counts the space, before and after its publication.
    on_site: [bool; 2],
}

impl World {
    fn listed(&self, membership: Membership) -> Listed {
        let organization_of = |reader: &mut Reader<'_>| {
            reader.organization(organization())?.authorize(Action::ViewOrganization)
        };
        let in_list = self.read(|reader| Ok(reader.spaces_of(organization(), None, 10)?.items.len()));
        let on_site = [false, true].map(|published| {
            self.execute(&format!("UPDATE sites SET published = {published}"));
            let site =
                self.read(|reader| reader.site(organization(), site())?.authorize(Action::ViewOrganization));
            // An outsider does not find the site.
            site.map_or(published, |site| site.site_spaces == 1)
        });
        let ada = UserId::from_uuid(id(ADA));
        let space = SpaceId::from_uuid(id(SPACE));
        let (counted, role) = self
            .system
            .storage()
            .read::<_, Error>(&self.bob, |reader| {
                let organization = organization_of(reader)?;
                let counted = match membership {
                    Membership::Outsider => 0,
                    _ => reader.member(&organization, ada)?.reach.spaces,
                };
                let space = reader.space(space)?.authorize(Action::ViewSpace)?;
                let roles = reader.roles_on(Shared::Space(&space), None, None, 10)?.items;
                let role = roles.iter().find(|role| role.user.id() == Some(ada)).map(|found| found.role);
                Ok((counted, role))
            })
            .unwrap();
        Listed { in_list: in_list.unwrap_or(0) == 1, counted, role, on_site }
    }
}

#[test]
fn lists_and_counts_show_what_the_role_shows() {
    let world = World::new();
    let levels = prop::option::of(prop::sample::select(Role::ALL.to_vec()));
    let cases = (prop::sample::select(memberships()), roles::grants(), levels);
    let mut runner = TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() });
    runner
        .run(&cases, |(membership, given, level)| {
            world.set(membership, &given, level);
            let role = roles::expected(membership, &given, level);
            let sees = policy::allows(role, Action::ViewSpace);
            let manages = membership.allows(Action::ManageSites);
            let expected = Listed {
                in_list: sees,
                counted: role.map_or(0, |_| 1),
                role,
                on_site: [false, true].map(|published| published || sees || manages),
            };
            prop_assert_eq!(world.listed(membership), expected);
            Ok(())
        })
        .unwrap();
}

/// The statements that authorize reads of content (wide, narrow and batched) agree with the policy.
#[test]
fn content_and_spaces_are_read_by_the_role_of_the_policy() {
    let world = World::new();
    let space = SpaceId::from_uuid(id(SPACE));
    let levels = prop::option::of(prop::sample::select(Role::ALL.to_vec()));
    let cases = (prop::sample::select(memberships()), roles::grants(), levels);
    let keys = [world.ada, world.bob].map(|credentials| SpaceKey { credentials, space });
    let mut runner = TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() });
    runner
        .run(&cases, |(membership, given, level)| {
            world.set(membership, &given, level);
            let expected = roles::expected(membership, &given, level);
            let found = world.read(|reader| {
                let wide = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace);
                let narrow = reader.content_head(space, ContentSelector::Space)?.authorize(Action::ViewSpace);
                let mut batch = reader.spaces_in_batch(&keys)?.into_iter().flatten();
                let ada = batch.next().unwrap().found.authorize(Action::ViewSpace);
                let bob = batch.next().unwrap().found.authorize(Action::ViewSpace);
                if let (Ok(wide), Ok(narrow)) = (&wide, &narrow) {
                    assert_eq!(wide.specs(), narrow.specs());
                }
                assert_eq!(bob.unwrap().role(), Some(Role::Admin));
                let wide = wide.ok().map(|content| content.role());
                Ok([wide, narrow.ok().map(|content| content.role()), ada.ok().map(|space| space.role())])
            });
            let seen = expected.map(Some);
            prop_assert_eq!(found.unwrap(), [seen; 3]);
            Ok(())
        })
        .unwrap();
}

#[test]
fn teams_are_managed_by_their_owners_and_whom_the_policy_allows() {
    let world = World::new();
    let ada = UserId::from_uuid(id(ADA));
    for membership in memberships().into_iter().filter(|membership| membership.allows(Action::ListTeams)) {
        for is_owner in [false, true] {
            world.set(membership, &[], None);
            world.execute(&format!(
                "UPDATE team_members SET role = '{}'",
                if is_owner { "owner" } else { "member" }
            ));
            let teams = world.read(|reader| {
                let organization = reader.organization(organization())?.authorize(Action::ListTeams)?;
                let filter = TeamFilter { owner: Some(ada), title: String::new() };
                Ok(reader.teams_of(&organization, &filter, None, 10)?.items.len())
            });
            let expected = is_owner || membership.allows(Action::ManageTeam);
            assert_eq!(teams.unwrap() == 1, expected, "{membership:?} {is_owner}");
        }
    }
}

#[test]
fn sites_are_visited_by_their_audience() {
    use SiteVisibility::{Public, ShareLink, Unlisted, VisitorAuth};
    let world = World::new();
    for membership in memberships() {
        world.set(membership, &[], None);
        for (visibility, published) in [Public, Unlisted, ShareLink, VisitorAuth]
            .into_iter()
            .flat_map(|kind| [(kind, false), (kind, true)])
        {
            world.execute(&format!(
                "UPDATE sites SET visibility = '{}', published = {published}",
                visibility.as_str()
            ));
            let ada = Visitor { membership, has_token: true, has_key: false, is_vouched: false };
            let found = world.read(|reader| reader.visit_site(organization(), site(), None, false));
            let may = ada.may_visit(visibility, published);
            assert_eq!(found.is_ok(), may, "{ada:?} {visibility:?} {published}");
            if let Ok(visited) = found {
                assert_eq!(visited.is_member(), ada.is_insider(), "{ada:?}");
            }
            let vouched = Visitor {
                membership: Membership::Outsider,
                has_token: false,
                has_key: false,
                is_vouched: true,
            };
            let visit = |reader: &mut Reader<'_>| reader.visit_site(organization(), site(), None, true);
            let found = world.system.storage().read(&Credentials::ANONYMOUS, visit);
            assert_eq!(found.is_ok(), vouched.may_visit(visibility, published), "{visibility:?} {published}");
        }
    }
}

#[test]
fn integrations_are_found_by_their_visibility() {
    use IntegrationVisibility::{Private, Public, Unlisted};
    let world = World::new();
    for (membership, visibility) in memberships()
        .into_iter()
        .flat_map(|membership| [Public, Unlisted, Private].map(|kind| (membership, kind)))
    {
        world.set(membership, &[], None);
        world.execute(&format!("UPDATE integrations SET visibility = '{}'", visibility.as_str()));
        let found = world.read(|reader| reader.integration("chat")?.authorize(Action::ViewOrganization));
        assert_eq!(found.is_ok(), visibility.is_found_by(membership), "{visibility:?} {membership:?}");
        let listed = world.read(|reader| reader.integrations(None, &IntegrationQuery::default(), None, 10));
        assert_eq!(listed.unwrap().items.len() == 1, visibility.is_listed(), "{visibility:?}");
    }
}

#[test]
fn makers_get_the_grant_of_the_policy() {
    let world = World::new();
    let active = memberships().into_iter().filter(|membership| membership.allows(Action::ViewOrganization));
    for membership in active {
        world.set(membership, &[], None);
        let made = world
            .transact(&world.ada, |tx| {
                let organization = tx.organization(organization())?.authorize(Action::ViewOrganization)?;
                tx.create_space(Parent::Root(&organization), SpaceCreate::default())
            })
            .unwrap();
        let granted = world.role(&format!("content_grants WHERE space_id = '{made}'"));
        assert_eq!(granted.flatten(), creator_grant(membership), "{membership:?}");
    }
}

#[test]
fn accepting_an_invite_leads_to_the_role_of_the_policy() {
    let world = World::new();
    for membership in memberships() {
        for invited in [None].into_iter().chain(Role::ALL.map(Some)) {
            world.set(membership, &[], None);
            let invite = world.transact(&world.bob, |tx| {
                let organization =
                    tx.organization(organization())?.authorize(Action::AdministerOrganization)?;
                tx.create_invite(&organization, NewTarget::Organization, invited)
            });
            let invite = invite.unwrap().unwrap();
            let accepted = world.transact(&world.ada, |tx| tx.accept_invite(invite, None));
            let may = membership.may_accept_invites();
            let outcome = if may { Decision::Allowed } else { Decision::Forbidden };
            assert_eq!(decision(&accepted), outcome, "{membership:?}");
            if may {
                let role = world.role(&format!("organization_members WHERE user_id = '{}'", id(ADA)));
                let expected = joined_role(membership.role(), invited);
                assert_eq!(role, Some(expected), "{membership:?} {invited:?}");
            }
        }
    }
}

#[test]
fn one_administrator_is_left() {
    let world = World::new();
    let ada = UserId::from_uuid(id(ADA));
    for (membership, other) in
        memberships().into_iter().flat_map(|membership| [(membership, true), (membership, false)])
    {
        world.set(membership, &[], None);
        world.execute(&format!(
            "UPDATE organization_members SET role = {} WHERE user_id = '{}'",
            if other { 6 } else { 5 },
            id(BOB)
        ));
        let administrators =
            Administrators { includes_member: membership.is_administrator(), others: u64::from(other) };
        let disabled = world.system.transact(|tx| tx.disable_member(organization(), ada, true));
        let expected = administrators.allow_change_to(Membership::Disabled);
        assert_eq!(disabled.is_ok(), expected, "{membership:?} {other}");
    }
}

#[test]
fn users_and_organizations_are_found_by_whom_the_policy_allows() {
    let world = World::new();
    world.execute("UPDATE organizations SET email_domains = '{example.com}'");
    for (membership, has_address) in
        memberships().into_iter().flat_map(|membership| [(membership, true), (membership, false)])
    {
        world.set(membership, &[], None);
        let domain = if has_address { "example.com" } else { "example.org" };
        world.execute(&format!("UPDATE users SET email = 'ada@{domain}' WHERE id = '{}'", id(ADA)));
        let found = world.read(|reader| reader.organizations_of_domain("example.com")).unwrap();
        assert_eq!(found.len() == 1, membership.finds_by_domain(has_address), "{membership:?} {has_address}");
        let bob = world.read(|reader| reader.user(UserId::from_uuid(id(BOB))));
        assert_eq!(bob.is_ok(), membership.allows(Action::ViewOrganization), "{membership:?}");
    }
}
