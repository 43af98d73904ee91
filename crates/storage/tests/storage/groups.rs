//! Writes of several callers in one transaction.

use quire_domain::Role;
use quire_domain::documents::Format;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::Error;
use quire_storage::comments::{NewBody, NewComment};
use quire_storage::content::HeadOf;
use quire_storage::group_commit::{Groups, Write};
use quire_storage::lookup::ContentSelector;
use quire_test_support::{TestStore, TestUser};
use serde_json::json;

struct Fixture {
    store: TestStore,
    user: TestUser,
    space: SpaceId,
    groups: Groups,
}

impl Fixture {
    fn new() -> Self {
        let store = TestStore::new();
        let user = store.as_role(Role::Admin);
        let space = store.create_space(&user.credentials, "Guide");
        Self { store, user, space, groups: Groups::default() }
    }

    /// A comment whose work may fail after the insert.
    fn comment(&self, fails: bool) -> Write {
        let found = self.store.storage().read(&self.user.credentials, |reader| {
            let content = reader.content(self.space, ContentSelector::Space)?;
            Ok::<_, Error>((content.authorize(Action::CommentOnSpace)?, reader.known()))
        });
        let (content, known) = found.unwrap();
        let body = NewBody { markdown: "?".to_owned(), document: json!({"object": "document", "nodes": []}) };
        let comment = NewComment { body, page: None, node: None, review: None };
        Write::new(known, move |tx| {
            tx.post_comment(&content, comment.clone(), Format::Markdown)?;
            if fails { Err(Error::NotFound) } else { Ok(()) }
        })
    }

    fn commit(&self) {
        self.groups.commit(self.store.storage(), (self.space, HeadOf::Space));
    }

    fn assert_comments(&self, count: i64) {
        assert_eq!(self.store.count("comments"), count);
        let counted = format!("spaces WHERE id = '{}' AND comments_open = {count}", self.space);
        assert_eq!(self.store.count(&counted), 1);
    }
}

#[test]
fn a_group_is_counted_by_one_statement() {
    let f = Fixture::new();
    let head = (f.space, HeadOf::Space);
    let waiting: Vec<_> = (0..5).map(|_| f.groups.push(head, f.comment(false))).collect();
    let before = f.store.storage().statements().get();
    f.commit();
    // Five comments, their events and the counter.
    assert_eq!(f.store.storage().statements().get() - before, 7);
    for mut result in waiting {
        assert!(matches!(result.try_recv(), Ok(Ok(()))));
    }
    f.assert_comments(5);
}

#[test]
fn a_write_of_a_group_fails_alone() {
    let f = Fixture::new();
    let head = (f.space, HeadOf::Space);
    let waiting: Vec<_> = [false, true, false].map(|fails| f.groups.push(head, f.comment(fails))).into();
    f.commit();
    let results: Vec<_> = waiting.into_iter().map(|mut result| result.try_recv().unwrap().is_ok()).collect();
    assert_eq!(results, [true, false, true]);
    f.assert_comments(2);
}

#[test]
fn a_write_whose_caller_gave_up_is_left_out() {
    let f = Fixture::new();
    let head = (f.space, HeadOf::Space);
    drop(f.groups.push(head, f.comment(false)));
    let mut other = f.groups.push(head, f.comment(false));
    f.commit();
    assert!(matches!(other.try_recv(), Ok(Ok(()))));
    f.assert_comments(1);
}

#[test]
fn a_group_is_bounded_and_the_rest_stays() {
    let f = Fixture::new();
    let head = (f.space, HeadOf::Space);
    let waiting: Vec<_> = (0..33).map(|_| f.groups.push(head, f.comment(false))).collect();
    f.commit();
    f.assert_comments(32);
    f.commit();
    f.assert_comments(33);
    f.commit();
    assert_eq!(waiting.len(), 33);
}
