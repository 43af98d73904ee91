//! Invites and tokens are found by their secret, in one organization, while they are valid.

use std::time::Duration;

use quire_domain::Role;
use quire_domain::clock::{Clock as _, Timestamp};
use quire_domain::ids::InviteId;
use quire_domain::policy::Action;
use quire_storage::lookup::Credentials;
use quire_storage::people::invites::NewTarget;
use quire_storage::{Error, Result};
use quire_test_support::{TestStore, TestUser};

fn invite(store: &TestStore, admin: &TestUser, target: NewTarget, role: Role) -> Option<InviteId> {
    let made = store.storage().transact(&admin.credentials, |tx| {
        let organization = tx.organization(store.organization)?.authorize(Action::AdministerOrganization)?;
        tx.create_invite(&organization, target, Some(role))
    });
    made.map_err(|error: Error| error).unwrap()
}

fn accept(store: &TestStore, user: &TestUser, invite: InviteId) -> Result<()> {
    store.storage().transact(&user.credentials, |tx| tx.accept_invite(invite, None).map(drop))
}

fn role_in(store: &TestStore, user: &TestUser) -> Result<Option<Role>> {
    store.storage().read(&user.credentials, |reader| {
        Ok(reader.organization(store.organization)?.authorize(Action::ViewOrganization)?.role())
    })
}

#[test]
fn an_invite_gives_its_role_and_takes_none_away() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let id = invite(&store, &admin, NewTarget::Organization, Role::Edit).unwrap();
    let new = store.stranger();
    assert!(matches!(role_in(&store, &new), Err(Error::NotFound)));
    accept(&store, &new, id).unwrap();
    assert_eq!(role_in(&store, &new).unwrap(), Some(Role::Edit));
    accept(&store, &admin, id).unwrap();
    assert_eq!(role_in(&store, &admin).unwrap(), Some(Role::Admin));
}

#[test]
fn an_invite_to_a_space_makes_a_guest_with_a_role_there() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let space = store.create_space(&admin.credentials, "Guide");
    let id = invite(&store, &admin, NewTarget::Space(space), Role::Comment).unwrap();
    let guest = store.stranger();
    accept(&store, &guest, id).unwrap();
    assert_eq!(role_in(&store, &guest).unwrap(), None);
    let role = store.storage().read(&guest.credentials, |reader| {
        Ok::<_, Error>(reader.space(space)?.authorize(Action::ViewSpace)?.role())
    });
    assert_eq!(role.unwrap(), Some(Role::Comment));
}

#[test]
fn an_invite_is_found_in_its_organization_and_by_its_secret_only() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let id = invite(&store, &admin, NewTarget::Organization, Role::Read).unwrap();
    let elsewhere = store.create_organization("Elsewhere");
    let stranger = store.stranger();
    let find = |organization, id| {
        store.storage().read(&stranger.credentials, |reader| reader.open_invite(organization, id).map(drop))
    };
    assert!(find(store.organization, id).is_ok());
    assert!(matches!(find(elsewhere, id), Err(Error::NotFound)));
    // The id in a database dump does not grant access.
    let stored: InviteId = quire_storage::people::invites::stored_id(id).to_string().parse().unwrap();
    assert!(matches!(find(store.organization, stored), Err(Error::NotFound)));
    assert!(matches!(accept(&store, &stranger, stored), Err(Error::NotFound)));
    let weak = store.read_only(stranger.id);
    assert!(matches!(accept(&store, &weak, id), Err(Error::Forbidden { .. })));
}

#[test]
fn there_is_no_invite_to_a_space_of_another_organization() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let elsewhere = store.create_organization("Elsewhere");
    let other = store.member_of(elsewhere, Some(Role::Admin));
    let foreign = store.create_space_in(&other.credentials, elsewhere, "Foreign");
    assert_eq!(invite(&store, &admin, NewTarget::Space(foreign), Role::Read), None);
    assert_eq!(store.count("organization_invites"), 0);
}

#[test]
fn a_token_is_valid_until_it_expires_or_is_revoked() {
    let store = TestStore::new();
    let user = store.as_role(Role::Read);
    let expires = Timestamp::from_millis(store.clock.now().millis() + 60_000).unwrap();
    let issued = store.system.transact(|tx| tx.issue_token(user.id, "short", false, Some(expires))).unwrap();
    let credentials = Credentials::from_token(&issued.token).unwrap();
    let who = |credentials: &Credentials| {
        store.storage().read(credentials, |reader| reader.actor().map(|actor| actor.user))
    };
    assert_eq!(who(&credentials).unwrap(), user.id);
    store.clock.advance(Duration::from_secs(60));
    assert!(matches!(who(&credentials), Err(Error::Unauthenticated)));
    // The user's other token is not affected, until it revokes itself.
    let revoked = store.storage().transact(&user.credentials, |tx| {
        let actor = tx.actor()?;
        tx.revoke_own_token(actor, actor.token).map(drop)
    });
    revoked.map_err(|error: Error| error).unwrap();
    assert!(matches!(who(&user.credentials), Err(Error::Unauthenticated)));
}

#[test]
fn a_user_cannot_revoke_the_token_of_another() {
    let store = TestStore::new();
    let (user, other) = (store.stranger(), store.stranger());
    let actor = |user: &TestUser| store.storage().read(&user.credentials, |reader| reader.actor()).unwrap();
    let token = actor(&other).token;
    let refused = store.storage().transact(&user.credentials, |tx| {
        let own = tx.actor()?;
        tx.revoke_own_token(own, token).map(drop)
    });
    assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
    assert_eq!(actor(&other).user, other.id);
}
