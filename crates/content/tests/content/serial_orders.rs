//! Random concurrent writers of one space on two nodes. The result equals that of some serial order.

use std::sync::Arc;

use futures_util::future::join_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use quire_content::{Error, ExpectedRevisions, Result, Written};
use quire_domain::ids::{ChangeRequestId, PageId, RevisionId};
use quire_domain::policy::Action;
use quire_storage::content::change_requests::MergeReport;
use quire_storage::content::comments::{NewComment, WrittenBody};
use quire_storage::content::store::ContentSelector;
use quire_storage::door::TypedDoor;
use quire_storage::group_commit::{GroupKey, GroupKind, GroupWrite};
use quire_storage::{Reader, Storage, Tx};
use quire_test_support::empty_document;
use serde_json::{Value, json};

use crate::workspace::{MAIN, Workspace, page};

/// Number of initial pages of a space, and of initial proposals.
const PAGES: usize = 3;

/// Work of a writer. Pages and proposals are identified by their numbers.
#[derive(Clone, Debug)]
enum Work {
    Insert,
    Edit(usize),
    Move {
        page: usize,
        below: usize,
    },
    EditOfFirst(usize),
    /// Expects the head that it reads before it starts.
    EditOfSeen(usize),
    /// Names a page that does not exist.
    Invalid,
    Merge(usize),
    Comment,
}

/// Space with pages, and proposals that change them.
struct Scene {
    w: Workspace,
    pages: Vec<PageId>,
    proposals: Vec<ChangeRequestId>,
    first: RevisionId,
}

/// Revision of a writer, if it made one.
type Made = Option<RevisionId>;

fn work() -> impl Strategy<Value = Work> {
    prop_oneof![
        3 => Just(Work::Insert),
        3 => (0..PAGES).prop_map(Work::Edit),
        2 => (0..PAGES, 0..PAGES).prop_map(|(page, below)| Work::Move { page, below }),
        1 => (0..PAGES).prop_map(Work::EditOfFirst),
        2 => (0..PAGES).prop_map(Work::EditOfSeen),
        1 => Just(Work::Invalid),
        2 => (0..PAGES).prop_map(Work::Merge),
        2 => Just(Work::Comment),
    ]
}

impl Scene {
    fn new() -> Self {
        let w = Workspace::new();
        let made: Vec<_> = (0..PAGES).map(|n| w.proposal(&format!("Page {n}"))).collect();
        let pages = made.iter().map(|(path, _)| w.page_at(path)).collect();
        let proposals = made.iter().map(|(_, proposal)| *proposal).collect();
        let first = w.head();
        Self { w, pages, proposals, first }
    }

    /// Does the work of the writer with this number. Refusals are returned as errors.
    async fn perform(&self, storage: &Storage, number: usize, work: &Work) -> Result<Made> {
        let edit = |at: usize| {
            let markdown = format!("Written by {number}.\n\nTwo.");
            json!({"operation": "update_page", "page": self.pages[at], "document": {"markdown": markdown}})
        };
        match work {
            Work::Insert => self.write(storage, page(&format!("Writer {number}"), "Text."), None).await,
            Work::Edit(at) => self.write(storage, edit(*at), None).await,
            Work::EditOfSeen(at) => {
                let expected = Some(vec![self.w.head()]).into();
                let body = json!({"changes": [edit(*at)]});
                made(self.w.write_on(storage, body, expected).await?)
            }
            Work::Invalid => {
                let absent = "0190a5d2-7c1e-7000-8000-000000000001";
                self.write(storage, json!({"operation": "delete_page", "page": absent}), None).await
            }
            Work::EditOfFirst(at) => self.write(storage, edit(*at), Some(self.first)).await,
            Work::Move { page, below } => {
                let (page, below) = (self.pages[*page], self.pages[*below]);
                let change = json!({"operation": "update_page", "page": page, "into": below});
                self.write(storage, change, None).await
            }
            Work::Merge(at) => match self.w.merge_on(storage, self.proposals[*at]).await? {
                MergeReport::Done(revision) => Ok(Some(revision)),
                MergeReport::Conflicts { .. } => Ok(None),
            },
            Work::Comment => self.comment(storage).await.map(|()| None),
        }
    }

    async fn write(&self, storage: &Storage, change: Value, base: Option<RevisionId>) -> Result<Made> {
        let mut body = json!({"changes": [change]});
        if let Some(base) = base {
            body["base"] = json!(base);
        }
        made(self.w.write_on(storage, body, ExpectedRevisions::default()).await?)
    }

    async fn comment(&self, storage: &Storage) -> Result<()> {
        let space = self.w.space;
        let find = move |reader: &mut Reader<'_>| {
            Ok((reader.content(space, MAIN)?.authorize(Action::CommentOnSpace)?, reader.known()))
        };
        let (content, known) = TypedDoor::read(storage, self.w.admin.credentials, find).await?;
        let key = GroupKey { kind: GroupKind::Comments, head: content.head_key() };
        let body = WrittenBody { markdown: String::new(), document: empty_document(), mentions: Vec::new() };
        let comment = NewComment { body, page: None, node: None, review: None };
        let work = move |tx: &mut Tx<'_>| Ok(tx.add_comment(&content, &comment).map(drop)?);
        TypedDoor::commit_in_group(storage, key, GroupWrite { known, documents: Arc::default(), work }).await
    }

    /// Returns the revisions of the main content after the first, oldest first.
    fn history(&self) -> Vec<RevisionId> {
        let mut history = Vec::new();
        let mut at = self.w.head();
        while at != self.first {
            history.push(at);
            let parent = self.w.store.storage().read(&self.w.admin.credentials, |reader| {
                let selector = ContentSelector::Revision(at);
                let content = reader.content(self.w.space, selector)?.authorize(Action::ViewSpace)?;
                Ok::<_, Error>(content.revision.parents[0])
            });
            at = parent.unwrap();
        }
        history.reverse();
        history
    }

    /// Returns the pages in order, with their paths and texts.
    fn outline(&self) -> Vec<(String, String)> {
        let tree = self.w.tree();
        let paths = tree.pages_in_order().map(|page| tree.path_of(page.id).unwrap());
        paths.map(|path| (path.clone(), self.w.text(&path))).collect()
    }

    /// Asserts that each counter of the space equals a recount.
    fn assert_counters(&self, comments: usize) {
        let wrong = format!(
            "spaces s WHERE s.id = '{}' AND (s.comments_open <> {comments} \
               OR s.comments_open <> (SELECT count(*) FROM comments c WHERE c.space_id = s.id AND c.status = 'open') \
               OR s.change_requests_draft <> (SELECT count(*) FROM change_requests r WHERE r.space_id = s.id AND r.status = 'draft') \
               OR s.change_requests_open <> (SELECT count(*) FROM change_requests r WHERE r.space_id = s.id AND r.status = 'open'))",
            self.w.space
        );
        assert_eq!(self.w.store.count(&wrong), 0, "a counter differs from a recount");
    }
}

/// Returns the revision of a write, if it made one.
#[expect(clippy::unnecessary_wraps, reason = "the result of a writer")]
fn made(written: Written) -> Result<Made> {
    Ok((written.before != written.tree).then_some(written.content.revision.id))
}

/// Runs all writers concurrently, alternating between two nodes, and compares the result with that of their serial
/// order.
async fn check(writers: &[Work]) {
    let scene = Scene::new();
    let other = scene.w.store.another_node().storage().clone();
    let nodes = [scene.w.store.storage(), &other];
    let performed = writers.iter().enumerate().map(async |(number, work)| {
        let node = nodes[number % nodes.len()];
        scene.perform(node, number, work).await
    });
    let results = join_all(performed).await;
    let mut made: Vec<Option<RevisionId>> = Vec::new();
    for result in results {
        match result {
            Ok(revision) => made.push(revision),
            Err(Error::Refused(_) | Error::Storage(quire_storage::Error::Refused(_))) => made.push(None),
            Err(error) => panic!("{error:?}"),
        }
    }

    // The history contains each accepted write exactly once, and nothing else.
    let history = scene.history();
    let mut accepted: Vec<_> = made.iter().flatten().copied().collect();
    let mut in_history = history.clone();
    accepted.sort_unstable();
    in_history.sort_unstable();
    assert_eq!(accepted, in_history);
    let comments = writers.iter().filter(|work| matches!(work, Work::Comment)).count();
    scene.assert_counters(comments);

    // Repeats the writes serially, in the order of the history.
    let serial = Scene::new();
    for revision in &history {
        let number = made.iter().position(|made| made == &Some(*revision)).unwrap();
        let repeated = serial.perform(serial.w.store.storage(), number, &writers[number]).await;
        assert!(matches!(repeated, Ok(Some(_))), "{number} of {history:?}: {repeated:?}");
    }
    assert_eq!(scene.outline(), serial.outline());
}

#[test]
fn writers_on_two_nodes_leave_the_result_of_some_serial_order() {
    // Each case needs two databases.
    let mut runner = TestRunner::new(Config { cases: 8, max_shrink_iters: 0, ..Config::default() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let writers = proptest::collection::vec(work(), 4..14);
    runner
        .run(&writers, |writers| {
            runtime.block_on(check(&writers));
            Ok(())
        })
        .unwrap();
}
