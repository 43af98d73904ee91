//! Examples and properties of the policy.

use proptest::prelude::*;

use super::*;
use crate::role::Role;

fn grant(distance: u32, role: Role) -> Grant {
    Grant { distance, role }
}

#[test]
fn an_administrator_of_the_organization_needs_no_grant() {
    let grants = [grant(0, Role::Read)];
    assert_eq!(effective_role(Membership::Member(Role::Admin), grants, None), Some(Role::Admin));
}

#[test]
fn a_disabled_member_has_nothing() {
    let grants = [grant(0, Role::Admin)];
    assert_eq!(effective_role(Membership::Disabled, grants, Some(Role::Admin)), None);
}

#[test]
fn the_nearest_grant_counts_even_when_a_farther_one_or_the_level_is_stronger() {
    let grants = [grant(2, Role::Admin), grant(1, Role::Comment)];
    let role = effective_role(Membership::Member(Role::Create), grants, Some(Role::Edit));
    assert_eq!(role, Some(Role::Comment));
}

#[test]
fn of_several_grants_on_one_object_the_strongest_counts() {
    let grants = [grant(0, Role::Read), grant(0, Role::Review), grant(0, Role::Comment)];
    assert_eq!(effective_role(Membership::Guest, grants, None), Some(Role::Review));
}

#[test]
fn without_grants_members_have_the_stronger_of_role_and_level_and_others_nothing() {
    let level = Some(Role::Edit);
    assert_eq!(effective_role(Membership::Member(Role::Read), [], level), level);
    assert_eq!(effective_role(Membership::Member(Role::Create), [], level), Some(Role::Create));
    assert_eq!(effective_role(Membership::Member(Role::Create), [], None), None);
    assert_eq!(effective_role(Membership::Guest, [], level), None);
    assert_eq!(effective_role(Membership::Outsider, [], level), None);
}

#[test]
fn a_relation_adds_its_own_actions_for_users_who_see_the_thing() {
    let may = |role, relation, action| allows_related(role, relation, action);
    let author = Some(Relation::Author);
    assert!(may(Some(Role::Read), author, Action::EditComment));
    assert!(!may(Some(Role::Create), None, Action::EditComment));
    assert!(!may(None, author, Action::EditComment));
    assert!(!may(Some(Role::Read), author, Action::AdministerSpace));
    assert!(!may(Some(Role::Read), Some(Relation::TeamOwner), Action::EditComment));
}

fn roles() -> impl Strategy<Value = Role> {
    prop::sample::select(Role::ALL.to_vec())
}

fn memberships() -> impl Strategy<Value = Membership> {
    prop_oneof![
        Just(Membership::Outsider),
        Just(Membership::Disabled),
        Just(Membership::Guest),
        roles().prop_map(Membership::Member),
    ]
}

proptest! {
    #[test]
    fn the_order_of_grants_does_not_matter(
        membership in memberships(),
        grants in prop::collection::vec((0_u32..4, roles()), 0..6),
        level in prop::option::of(roles()),
    ) {
        let grants: Vec<Grant> = grants.into_iter().map(|(distance, role)| grant(distance, role)).collect();
        let forwards = effective_role(membership, grants.iter().copied(), level);
        let backwards = effective_role(membership, grants.iter().rev().copied(), level);
        prop_assert_eq!(forwards, backwards);
    }

    #[test]
    fn without_a_grant_a_stronger_role_or_level_never_takes_rights_away(
        weaker in roles(), stronger in roles(), level in prop::option::of(roles()),
    ) {
        prop_assume!(weaker <= stronger);
        let of = |role, level| effective_role(Membership::Member(role), [], level);
        prop_assert!(of(weaker, level) <= of(stronger, level));
        prop_assert!(of(weaker, Some(weaker)) <= of(weaker, Some(stronger)));
        prop_assert!(of(weaker, level) >= level);
    }

    #[test]
    fn a_nearest_grant_decides_alone_unless_the_member_administers_the_organization(
        membership in memberships(),
        nearest in roles(),
        farther in prop::collection::vec((1_u32..4, roles()), 0..6),
        level in prop::option::of(roles()),
    ) {
        let grants = farther.into_iter().chain([(0, nearest)]).map(|(distance, role)| grant(distance, role));
        let expected = match membership {
            Membership::Disabled => None,
            Membership::Member(Role::Admin) => Some(Role::Admin),
            _ => Some(nearest),
        };
        prop_assert_eq!(effective_role(membership, grants, level), expected);
    }

    #[test]
    fn a_stronger_role_allows_all_that_a_weaker_one_does(
        weaker in prop::option::of(roles()), stronger in prop::option::of(roles()),
        action in prop::sample::select(Action::ALL.to_vec()),
    ) {
        prop_assume!(weaker <= stronger);
        prop_assert!(!allows(weaker, action) || allows(stronger, action));
    }
}
