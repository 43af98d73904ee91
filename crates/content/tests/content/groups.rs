//! Edits of one space in a common transaction.

use futures_util::future::join_all;
use quire_content::{Error, ExpectedRevisions, Result, Written};
use quire_domain::error::Reason;
use quire_storage::door::{
    CommitWork, Door, Erased, GroupWork, ReadWork, TxWork, TypedDoor, Use, Work, erase, restore,
};
use quire_storage::group_commit::{GroupKey, GroupWrite};
use quire_storage::lookup::Credentials;
use quire_storage::{HeadKey, Storage, Turn};
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::workspace::{Workspace, page, refusal};

/// Door that holds the first writes back until all of them are in one group.
struct Together {
    storage: Storage,
    joined: Barrier,
}

impl Door for Together {
    fn storage(&self) -> &Storage {
        &self.storage
    }

    fn read(&self, kind: Use, credentials: Credentials, work: ReadWork) -> impl Future<Output = Erased> {
        Door::read(&self.storage, kind, credentials, work)
    }

    fn transact(&self, credentials: Credentials, work: TxWork) -> impl Future<Output = Erased> {
        Door::transact(&self.storage, credentials, work)
    }

    fn turn(&self, head: HeadKey) -> impl Future<Output = quire_storage::Result<Turn>> {
        Door::turn(&self.storage, head)
    }

    fn write(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: ReadWork,
        commit: CommitWork,
    ) -> impl Future<Output = Erased> {
        Door::write(&self.storage, credentials, turn, prepare, commit)
    }

    async fn group(&self, key: GroupKey, write: GroupWrite<GroupWork>) -> Erased {
        let (answer, mut runner) = self.storage.join_group(key, write)?;
        self.joined.wait().await;
        while let Some(next) = runner {
            let commit = move |_: &Storage| erase(Ok::<_, Error>(next.commit()));
            runner = restore::<_, Error>(Door::compute(self, Box::new(commit)).await).unwrap();
        }
        answer.await.unwrap()
    }

    fn compute(&self, work: Work) -> impl Future<Output = Erased> {
        Door::compute(&self.storage, work)
    }
}

impl TypedDoor<Error> for Together {
    type Door = Self;

    fn door(&self) -> &Self {
        self
    }
}

/// Writes bodies in one group, in order, each with its expected revisions.
async fn write_together(w: &Workspace, bodies: Vec<(Value, ExpectedRevisions)>) -> Vec<Result<Written>> {
    let door = Together { storage: w.store.storage().clone(), joined: Barrier::new(bodies.len()) };
    join_all(bodies.into_iter().map(|(body, expected)| w.write_at(&door, body, expected))).await
}

fn any() -> ExpectedRevisions {
    ExpectedRevisions::default()
}

#[tokio::test]
async fn each_edit_of_a_group_has_its_own_revision() {
    let w = Workspace::new();
    let before = w.head();
    let bodies = ["One", "Two", "Three"].map(|title| (json!({"changes": [page(title, "Text.")]}), any()));
    let written = write_together(&w, bodies.into()).await;
    let mut follows: Vec<_> =
        written.into_iter().map(|written| written.unwrap().content.revision.clone()).collect();
    let mut head = before;
    while !follows.is_empty() {
        let next = follows.iter().position(|revision| revision.parents == [head]).unwrap();
        head = follows.remove(next).id;
    }
    assert_eq!(w.head(), head);
    let mut titles = w.titles();
    titles.sort_unstable();
    assert_eq!(titles, ["One", "Three", "Two"]);
    assert_eq!(w.store.count("revisions"), 4);
}

#[tokio::test]
async fn each_edit_of_a_group_has_its_own_refusal() {
    let w = Workspace::new();
    w.write(json!([page("Guide", "Text.")])).await.unwrap();
    let (head, guide) = (w.head(), w.page_at("guide"));
    let insert = |title: &str| json!({"changes": [page(title, "Text.")]});
    let absent =
        json!({"changes": [{"operation": "delete_page", "page": "0190a5d2-7c1e-7000-8000-000000000001"}]});
    let bodies = vec![
        (insert("One"), any()),
        (json!({"changes": [page("Based", "Text.")], "base": head}), any()),
        (insert("Expecting"), Some(vec![head]).into()),
        (absent, any()),
        (json!({"changes": [{"operation": "delete_page", "page": guide}]}), any()),
        (json!({"changes": [{"operation": "update_page", "page": guide, "title": "Manual"}]}), any()),
    ];
    let written = write_together(&w, bodies).await;
    let reasons = written.into_iter().map(|result| match result {
        Ok(_) => None,
        Err(error) => Some(refusal::<()>(Err(error)).reason),
    });
    let mut reasons: Vec<_> = reasons.collect();
    // The order within the group is the order of the drafts. The last two writes concern the same page.
    let last = reasons.split_off(4);
    // A conditional write succeeds only if it is the first.
    let conditional = [(1, Reason::StaleRevision), (2, Reason::PreconditionFailed)];
    let held = conditional.iter().filter(|(at, _)| reasons[*at].is_none()).count();
    assert!(held <= 1, "{reasons:?}");
    for (at, reason) in conditional {
        assert!([None, Some(reason)].contains(&reasons[at]), "{reasons:?}");
    }
    assert_eq!((reasons[0], reasons[3]), (None, Some(Reason::InvalidContent)));
    assert!([None, Some(Reason::InvalidContent)].contains(&last[1]), "{last:?}");
    assert_eq!(last[0], None);
    let made = 1 + held + 1 + usize::from(last[1].is_none());
    assert_eq!(w.store.count("revisions"), i64::try_from(made).unwrap() + 2);
    assert!(!w.titles().contains(&"Guide".to_owned()));
}

#[tokio::test]
async fn a_group_is_committed_with_one_statement_for_each_table() {
    let w = Workspace::new();
    w.write(json!([page("Guide", "Text.")])).await.unwrap();
    let insert = |title: &str| (json!({"changes": [page(title, &format!("Text of {title}."))]}), any());
    let cost = async |titles: &[&str]| {
        let before = w.store.storage().statements().get();
        for result in write_together(&w, titles.iter().map(|title| insert(title)).collect()).await {
            result.unwrap();
        }
        w.store.storage().statements().get() - before
    };
    let one = cost(&["One"]).await;
    // Each of the four writes has its own lookup.
    assert_eq!(cost(&["Two", "Three", "Four", "Five"]).await, one + 3);
}

#[tokio::test]
async fn an_error_of_the_storage_is_not_a_refusal() {
    let w = Workspace::new();
    w.store.execute(&format!("UPDATE spaces SET edit_mode = 'locked' WHERE id = '{}'", w.space));
    let written = w.write(json!([page("Guide", "Text.")])).await;
    assert!(matches!(&written, Err(Error::Refused(_) | Error::Storage(_))), "{written:?}");
    assert_eq!(refusal(written).reason, Reason::SpaceLocked);
}
