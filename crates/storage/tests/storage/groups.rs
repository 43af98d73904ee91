//! Writes of several callers in one transaction.

use std::sync::Arc;

use quire_domain::Role;
use quire_domain::ids::{CommentId, SpaceId};
use quire_domain::policy::Action;
use quire_storage::content::comments::{NewComment, WrittenBody};
use quire_storage::content::store::{ContentSelector, HeadOf};
use quire_storage::group_commit::{GroupKey, GroupKind, GroupWrite, Runner};
use quire_storage::{Error, Result, Tx};
use quire_test_support::{TestStore, TestUser, empty_document};
use tokio::sync::oneshot::Receiver;

struct Fixture {
    store: TestStore,
    user: TestUser,
    space: SpaceId,
}

/// Point at which a write fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fails {
    Never,
    BeforeItChanges,
    AfterItChanged,
}

type Answer = Receiver<Result<CommentId>>;

impl Fixture {
    fn new() -> Self {
        let store = TestStore::new();
        let user = store.as_role(Role::Admin);
        let space = store.create_space(&user.credentials, "Guide");
        Self { store, user, space }
    }

    fn key(&self) -> GroupKey {
        GroupKey { kind: GroupKind::Comments, head: (self.space, HeadOf::Space) }
    }

    fn join(&self, fails: Fails) -> (Answer, Option<Runner>) {
        let found = self.store.storage().read(&self.user.credentials, |reader| {
            let content = reader.content(self.space, ContentSelector::Space)?;
            Ok::<_, Error>((content.authorize(Action::CommentOnSpace)?, reader.known()))
        });
        let (content, known) = found.unwrap();
        let body = WrittenBody { markdown: "?".to_owned(), document: empty_document(), mentions: Vec::new() };
        let comment = NewComment { body, page: None, node: None, review: None };
        let work = move |tx: &mut Tx<'_>| {
            if fails == Fails::BeforeItChanges {
                return Err(Error::Outdated);
            }
            let id = tx.add_comment(&content, &comment)?;
            if fails == Fails::AfterItChanged { Err(Error::NotFound) } else { Ok(id) }
        };
        let write = GroupWrite { known, documents: Arc::default(), work };
        self.store.storage().join_group(self.key(), write).unwrap()
    }

    /// Queues writes together. The first one gets the runner.
    fn join_all<const N: usize>(&self, fails: [Fails; N]) -> (Vec<Answer>, Runner) {
        let (answers, runners): (Vec<_>, Vec<_>) = fails.map(|fails| self.join(fails)).into_iter().unzip();
        let mut runners = runners.into_iter().flatten();
        let runner = runners.next().unwrap();
        assert!(runners.next().is_none(), "one runner commits the writes of a head");
        (answers, runner)
    }

    fn assert_comments(&self, count: i64) {
        assert_eq!(self.store.count("comments"), count);
        let counted = format!("spaces WHERE id = '{}' AND comments_open = {count}", self.space);
        assert_eq!(self.store.count(&counted), 1);
    }
}

#[test]
fn a_group_has_one_statement_for_each_table() {
    let f = Fixture::new();
    let (answers, runner) = f.join_all([Fails::Never; 5]);
    let before = f.store.storage().statements().get();
    let runner = runner.commit().unwrap();
    // One statement each for the comments, their events and the counter.
    assert_eq!(f.store.storage().statements().get() - before, 3);
    let mut ids: Vec<_> = answers.into_iter().map(|mut answer| answer.try_recv().unwrap().unwrap()).collect();
    ids.dedup();
    assert_eq!(ids.len(), 5);
    f.assert_comments(5);
    assert!(runner.commit().is_none(), "nothing waits");
}

#[test]
fn a_write_of_a_group_fails_alone() {
    for fails in [Fails::BeforeItChanges, Fails::AfterItChanged] {
        let f = Fixture::new();
        let (answers, runner) = f.join_all([Fails::Never, fails, Fails::Never]);
        let _next = runner.commit();
        let results = answers.into_iter().map(|mut answer| answer.try_recv().unwrap());
        match <[_; 3]>::try_from(results.collect::<Vec<_>>()).unwrap() {
            [Ok(_), Err(Error::Outdated), Ok(_)] => assert_eq!(fails, Fails::BeforeItChanges),
            [Ok(_), Err(Error::NotFound), Ok(_)] => assert_eq!(fails, Fails::AfterItChanged),
            other => panic!("{other:?}"),
        }
        f.assert_comments(2);
    }
}

#[test]
fn a_write_that_is_alone_has_its_own_error() {
    let f = Fixture::new();
    let (mut answers, runner) = f.join_all([Fails::AfterItChanged]);
    let _next = runner.commit();
    assert!(matches!(answers.remove(0).try_recv(), Ok(Err(Error::NotFound))));
    f.assert_comments(0);
}

#[test]
fn a_write_whose_caller_gave_up_is_left_out() {
    let f = Fixture::new();
    let (mut answers, runner) = f.join_all([Fails::Never; 2]);
    drop(answers.remove(0));
    let _next = runner.commit();
    assert!(matches!(answers.remove(0).try_recv(), Ok(Ok(_))));
    f.assert_comments(1);
}

#[test]
fn a_group_is_bounded_and_the_rest_follows() {
    let f = Fixture::new();
    let (answers, runner) = f.join_all([Fails::Never; 33]);
    let runner = runner.commit().unwrap();
    f.assert_comments(32);
    let runner = runner.commit().unwrap();
    f.assert_comments(33);
    assert!(runner.commit().is_none());
    assert_eq!(answers.len(), 33);
    // The next write finds no runner.
    assert!(f.join(Fails::Never).1.is_some());
}

#[test]
fn writes_that_wait_are_refused_with_their_runner() {
    let f = Fixture::new();
    let (answers, runner) = f.join_all([Fails::Never; 2]);
    drop(runner);
    for mut answer in answers {
        assert!(matches!(answer.try_recv(), Ok(Err(Error::Refused(_)))));
    }
    f.assert_comments(0);
    assert!(f.join(Fails::Never).1.is_some());
}
