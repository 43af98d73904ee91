//! Deletion of spaces: immediately hidden, restorable for a week, then removed with all their data.

use std::time::Duration;

use quire_domain::Role;
use quire_domain::bounds::DELETION_GRACE;
use quire_domain::error::Reason;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::comments::{NewComment, WrittenBody};
use quire_storage::content::store::ContentSelector;
use quire_storage::{Error, Result};
use quire_test_support::{TestStore, TestUser, empty_document};

struct Bin {
    store: TestStore,
    admin: TestUser,
    space: SpaceId,
}

impl Bin {
    fn new() -> Self {
        let store = TestStore::new();
        let admin = store.as_role(Role::Admin);
        let space = store.create_space(&admin.credentials, "Guide");
        let add = |draft: &mut quire_test_support::ContentEditor| draft.page(None, "Page", "Text.");
        store.edit(&admin.credentials, space, ContentSelector::Space, add);
        Self { store, admin, space }
    }

    fn delete(&self) -> Result<()> {
        self.store.storage().transact(&self.admin.credentials, |tx| {
            let space = tx.space(self.space)?.authorize_even_deleted(Action::AdministerSpace)?;
            tx.delete_space(space)
        })
    }

    fn restore(&self) -> Result<()> {
        self.store.storage().transact(&self.admin.credentials, |tx| {
            let space = tx.space(self.space)?.authorize_even_deleted(Action::AdministerSpace)?;
            tx.restore_space(space).map(drop)
        })
    }

    fn purge(&self) -> Option<SpaceId> {
        self.store.system.transact(|tx| tx.purge_space()).unwrap()
    }

    fn look(&self, user: &TestUser) -> Result<()> {
        self.store.storage().read(&user.credentials, |reader| {
            reader.space(self.space)?.authorize(Action::ViewSpace).map(drop)
        })
    }
}

fn grace() -> Duration {
    DELETION_GRACE.try_into().unwrap()
}

fn reason(result: Result<()>) -> Reason {
    match result {
        Err(Error::Refused(refusal)) => refusal.reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_deleted_space_is_hidden_and_comes_back_as_it_was() {
    let bin = Bin::new();
    let reader = bin.store.as_role(Role::Read);
    bin.delete().unwrap();
    for user in [&bin.admin, &reader] {
        assert!(matches!(bin.look(user), Err(Error::NotFound)));
    }
    let seen_by = |user: &TestUser| {
        bin.store.storage().read(&user.credentials, |reader| {
            reader.space(bin.space)?.authorize_even_deleted(Action::ViewSpace).map(drop)
        })
    };
    assert!(seen_by(&bin.admin).is_ok(), "administrators see what they can restore");
    assert!(matches!(seen_by(&reader), Err(Error::NotFound)));
    bin.restore().unwrap();
    assert!(bin.look(&reader).is_ok());
    let tree = bin.store.tree(&reader.credentials, bin.space, ContentSelector::Space);
    assert_eq!(tree.pages_in_order().count(), 1);
}

#[test]
fn a_space_is_deleted_once_and_restored_once() {
    let bin = Bin::new();
    assert!(bin.restore().is_err());
    bin.delete().unwrap();
    assert!(bin.delete().is_err());
    bin.restore().unwrap();
    assert!(bin.restore().is_err());
}

#[test]
fn at_the_end_of_its_time_a_space_can_either_be_restored_or_purged() {
    let bin = Bin::new();
    bin.delete().unwrap();
    bin.store.clock.advance(grace());
    assert_eq!(bin.purge(), None);
    bin.restore().unwrap();
    bin.delete().unwrap();
    bin.store.clock.advance(grace() + Duration::from_millis(1));
    assert_eq!(reason(bin.restore()), Reason::RestorePeriodOver);
    assert_eq!((bin.purge(), bin.purge()), (Some(bin.space), None));
    assert!(matches!(bin.restore(), Err(Error::NotFound)));
    for table in ["spaces", "revisions", "change_requests", "content_grants"] {
        assert_eq!(bin.store.count(table), 0, "{table}");
    }
}

fn comment() -> NewComment {
    let body = WrittenBody { markdown: "?".to_owned(), document: empty_document(), mentions: Vec::new() };
    NewComment { body, page: None, node: None, review: None }
}

#[test]
fn comments_of_a_space_and_its_change_requests_are_purged_with_it() {
    let bin = Bin::new();
    let proposal = bin.store.create_change_request(&bin.admin.credentials, bin.space);
    for place in [ContentSelector::Space, ContentSelector::ChangeRequest(ChangeRequestKey::Id(proposal))] {
        let posted = bin.store.storage().transact(&bin.admin.credentials, |tx| {
            let content = tx.content(bin.space, place)?.authorize(Action::CommentOnSpace)?;
            tx.add_comment(&content, &comment())
        });
        posted.unwrap();
    }
    assert_eq!(bin.store.count("comments"), 2);
    bin.delete().unwrap();
    bin.store.clock.advance(grace() + Duration::from_millis(1));
    assert_eq!(bin.purge(), Some(bin.space));
    assert_eq!(bin.store.count("comments"), 0);
}

#[test]
fn a_comment_is_not_posted_on_a_space_that_was_deleted_after_the_lookup() {
    let bin = Bin::new();
    let posted = bin.store.storage().transact(&bin.admin.credentials, |tx| {
        let content = tx.content(bin.space, ContentSelector::Space)?.authorize(Action::CommentOnSpace)?;
        bin.delete()?;
        tx.add_comment(&content, &comment())
    });
    assert!(matches!(posted, Err(Error::NotFound)), "{posted:?}");
    assert_eq!(bin.store.count("comments"), 0);
}
