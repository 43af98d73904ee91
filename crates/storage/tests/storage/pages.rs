//! Keyset pagination: a walk returns each item that exists throughout exactly once, even if others are added or
//! removed.

use std::collections::BTreeSet;

use quire_domain::Role;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::Error;
use quire_storage::content::hierarchy::PositionKey;
use quire_storage::content::spaces::ListedSpace;
use quire_storage::list::Slice;
use quire_test_support::{TestStore, TestUser};

fn page(store: &TestStore, user: &TestUser, after: Option<PositionKey>, limit: u16) -> Slice<ListedSpace> {
    let page = store
        .storage()
        .read(&user.credentials, |reader| reader.spaces_of(store.organization, after.as_ref(), limit));
    page.map_err(|error: Error| error).unwrap()
}

/// Walks the list. `meanwhile` runs after each page with the items returned so far.
fn walk(
    store: &TestStore,
    user: &TestUser,
    limit: u16,
    mut meanwhile: impl FnMut(&[SpaceId]),
) -> Vec<SpaceId> {
    let (mut met, mut after) = (Vec::new(), None);
    loop {
        let slice = page(store, user, after.take(), limit);
        assert!(slice.items.len() <= usize::from(limit));
        met.extend(slice.items.iter().map(|item| item.space.id));
        let Some(last) = slice.items.last().filter(|_| slice.has_more) else { return met };
        after = Some(last.key());
        meanwhile(&met);
    }
}

fn delete(store: &TestStore, user: &TestUser, space: SpaceId) {
    let deleted = store.storage().transact(&user.credentials, |tx| {
        let space = tx.space(space)?.authorize(Action::AdministerSpace)?;
        tx.delete_space(space)
    });
    deleted.map_err(|error: Error| error).unwrap();
}

#[test]
fn a_walk_of_any_step_equals_the_list() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let made: Vec<_> = (0..7).map(|n| store.create_space(&admin.credentials, &format!("S{n}"))).collect();
    for limit in [1, 2, 3, 7, 8] {
        assert_eq!(walk(&store, &admin, limit, |_| ()), made, "{limit}");
    }
    let slice = page(&store, &admin, None, 3);
    assert_eq!((slice.items.len(), slice.total, slice.has_more), (3, 7, true));
}

#[test]
fn a_walk_meets_what_stays_once_while_others_come_and_go() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let made: Vec<_> = (0..8).map(|n| store.create_space(&admin.credentials, &format!("S{n}"))).collect();
    let mut step = 0;
    let met = walk(&store, &admin, 2, |met| {
        step += 1;
        match step {
            // Deletes a returned item and one not yet returned, and adds a new one.
            1 => {
                delete(&store, &admin, met[0]);
                delete(&store, &admin, made[5]);
            }
            2 => {
                let _ = store.create_space(&admin.credentials, "New");
            }
            _ => {}
        }
    });
    let unique: BTreeSet<_> = met.iter().collect();
    assert_eq!(unique.len(), met.len(), "an item was met twice");
    for (n, space) in made.iter().enumerate().filter(|(n, _)| *n != 5) {
        assert!(unique.contains(space), "S{n} was not met");
    }
    assert!(!unique.contains(&made[5]), "a deleted space was listed");
    // The item was inserted after the walk had passed the end of the list.
    assert_eq!(met.len(), made.len());
}

#[test]
fn a_list_and_its_total_hold_only_what_the_reader_sees() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let guest = store.member_of(store.organization, None);
    let made: Vec<_> = (0..4).map(|n| store.create_space(&admin.credentials, &format!("S{n}"))).collect();
    assert_eq!(page(&store, &guest, None, 10).total, 0);
    store.grant(guest.id, &made[2].to_string(), Role::Read);
    let seen = page(&store, &guest, None, 1);
    assert_eq!((seen.total, seen.has_more, seen.items[0].space.id), (1, false, made[2]));
    assert_eq!(seen.items[0].role, Some(Role::Read));
}
