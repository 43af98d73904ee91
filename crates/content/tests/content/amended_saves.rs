//! Saves that replace the revision of the previous save.

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use quire_content::{Error, Written};
use quire_domain::Role;
use quire_domain::ids::{ChangeRequestId, PageId, RevisionId};
use quire_domain::policy::Action;
use quire_storage::Reader;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_storage::operations::check::check_content;
use quire_test_support::TestUser;
use serde_json::{Value, json};

use crate::workspace::{Workspace, page};

/// Change request with a page.
struct Scene {
    w: Workspace,
    id: ChangeRequestId,
    page: PageId,
}

impl Scene {
    async fn new() -> Self {
        let w = Workspace::new();
        w.write(json!([page("A", "One.")])).await.unwrap();
        let (page, id) = (w.page_at("a"), w.store.create_change_request(&w.admin.credentials, w.space));
        Self { w, id, page }
    }

    fn content(&self) -> ContentSelector {
        ContentSelector::ChangeRequest(ChangeRequestKey::Id(self.id))
    }

    async fn save_as(&self, user: &TestUser, body: Value) -> Written {
        self.w.write_as(user, self.w.store.storage(), self.content(), body).await.unwrap()
    }

    /// Saves a text of the page and amends the head.
    async fn save(&self, markdown: &str) -> Written {
        let change =
            json!({"operation": "update_page", "page": self.page, "document": {"markdown": markdown}});
        self.save_as(&self.w.admin, json!({"amend": true, "changes": [change]})).await
    }

    fn wait(&self, seconds: u64) {
        self.w.store.clock.advance(Duration::from_secs(seconds));
    }

    /// Sweeps until nothing is due.
    fn sweep(&self) -> bool {
        let (system, space, id) = (&self.w.store.system, self.w.space, self.id);
        let sweep = system.read(|reader| reader.amended_sweep(space, id)).unwrap();
        system.transact(|tx| tx.sweep_amended(space, id, sweep)).unwrap()
    }

    /// Returns the size of the documents, nodes and revisions of the space. Asserts that they are consistent.
    fn stored(&self) -> i64 {
        let mut wrong = Vec::new();
        let [mut rows, mut lookups] = [(), ()].map(|()| self.w.store.snapshot());
        check_content(&mut rows, &mut lookups, |line| wrong.push(line.to_owned())).unwrap();
        assert!(wrong.is_empty(), "{wrong:#?}");
        let sizes = ["documents d", "tree_nodes d", "revisions d"].map(|table| {
            let sum = format!(
                "(SELECT sum(pg_column_size(d.*)) AS bytes FROM {table}) s, generate_series(1, s.bytes)"
            );
            self.w.store.count(&sum)
        });
        sizes.iter().sum()
    }

    fn revisions(&self) -> i64 {
        self.w.store.count(&format!("revisions WHERE change_request_id = '{}'", self.id))
    }

    fn is_there(&self, id: RevisionId) -> bool {
        let find = |reader: &mut Reader<'_>| {
            let content = reader.content(self.w.space, ContentSelector::Revision(id))?;
            Ok(content.authorize(Action::ViewSpace)?.revision.id)
        };
        match self.w.store.storage().read(&self.w.admin.credentials, find) {
            Ok(found) => found == id,
            Err(Error::Storage(quire_storage::Error::NotFound)) => false,
            Err(error) => panic!("{error:?}"),
        }
    }
}

/// Returns a document of about this many bytes that contains a word.
fn long(bytes: usize, word: &str) -> String {
    let line = |n: usize| {
        format!(
            "Paragraph {n} of a long page about installing, running and upgrading it: {:x}.\n\n",
            n * 7919 * 7919
        )
    };
    let mut text: String = (0..bytes / 90).map(line).collect();
    text.push_str(word);
    text
}

#[tokio::test]
async fn an_hour_of_typing_leaves_few_revisions_and_bytes() {
    let scene = Scene::new().await;
    let first = scene.save(&long(126_000, "begin")).await;
    assert!(!first.amended, "the head was not a revision of the change request");
    let before = scene.stored();
    let mut replaced = Vec::new();
    let mut last = first.content.revision.id;
    for minute in 0..60 {
        scene.wait(60);
        let saved = scene.save(&long(126_000, &format!("word {minute}"))).await;
        if saved.amended {
            replaced.push(last);
        }
        last = saved.content.revision.id;
    }
    assert_eq!(scene.revisions(), 61);
    assert_eq!(replaced.len(), 54, "a revision is amended for ten minutes");
    assert!(replaced.iter().all(|id| scene.is_there(*id)));
    scene.wait(3_600);
    assert!(scene.sweep() || scene.revisions() == 7);
    assert!(replaced.iter().all(|id| !scene.is_there(*id)) && scene.is_there(last));
    let grown = scene.stored() - before;
    assert!(grown < 1_000_000, "{grown} bytes");
    assert_eq!(scene.revisions(), 7);
}

#[tokio::test]
async fn an_amended_revision_takes_the_place_of_the_one_before() {
    let scene = Scene::new().await;
    let first = scene.save("Two.").await;
    let second = scene.save("Three.").await;
    assert!(!first.amended && second.amended);
    assert_ne!(first.content.revision.id, second.content.revision.id);
    assert_eq!(first.content.revision.parents, second.content.revision.parents);
    // Others may still base a write on a replaced revision.
    let other = json!([{"operation": "update_page", "page": scene.page, "title": "B"}]);
    let merging =
        json!({"amend": true, "base": first.content.revision.id, "onStale": "merge", "changes": other});
    let merged = scene.save_as(&scene.w.admin, merging).await;
    assert!(merged.amended && merged.merge.is_some());
    assert_eq!(merged.tree.page(scene.page).unwrap().title, "B");
    // A save without changes replaces nothing.
    let same = scene.save("Three.").await;
    assert!(!same.amended && same.content.revision.id == merged.content.revision.id);
    scene.stored();
}

#[tokio::test]
async fn a_revision_of_others_or_of_long_ago_or_with_a_comment_stays() {
    let scene = Scene::new().await;
    scene.save("Two.").await;
    let other = scene.w.store.as_role(Role::Admin);
    let change = json!({"operation": "update_page", "page": scene.page, "document": {"markdown": "Three."}});
    let body = json!({"amend": true, "changes": [change]});
    assert!(!scene.save_as(&other, body).await.amended, "another user");
    assert!(!scene.save("Four.").await.amended, "another user's head");
    assert!(scene.save("Five.").await.amended);
    scene.wait(599);
    assert!(scene.save("Six.").await.amended);
    scene.wait(1);
    assert!(!scene.save("Seven.").await.amended, "ten minutes after the first save");
    let head = scene.save("Eight.").await.content.revision.id;
    scene.w.store.execute(&format!(
        "INSERT INTO change_request_reviewers (space_id, change_request_id, reviewer_id, is_team, revision_id, created_at) \
         SELECT space_id, change_request_id, author_id, false, id, created_at FROM revisions WHERE id = '{head}'"
    ));
    assert!(!scene.save("Nine.").await.amended, "a review was requested");
    let main = json!({"amend": true, "changes": [page("B", "")]});
    let (w, space) = (&scene.w, ContentSelector::Space);
    assert!(!w.write_as(&w.admin, w.store.storage(), space, main).await.unwrap().amended);
    let revert = json!({"operation": "revert_page", "page": scene.page});
    assert!(
        !scene.save_as(&scene.w.admin, json!({"amend": true, "changes": [revert]})).await.amended,
        "a revert"
    );
}

/// Step of two writers of a change request. One of them amends.
#[derive(Clone, Debug)]
enum Step {
    /// Saves one of few texts, so that documents recur.
    Save(usize),
    /// Saves in another change request.
    Elsewhere(usize),
    Main(usize),
    /// Reverts the page to an earlier revision.
    Revert {
        number: usize,
        of_other: bool,
    },
    Update,
    Wait(u64),
    Sweep,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..5_usize).prop_map(Step::Save),
        1 => (0..5_usize).prop_map(Step::Elsewhere),
        1 => (0..5_usize).prop_map(Step::Main),
        2 => (0..20_usize, any::<bool>()).prop_map(|(number, of_other)| Step::Revert { number, of_other }),
        1 => Just(Step::Update),
        2 => prop_oneof![Just(30), Just(700), Just(3_700)].prop_map(Step::Wait),
        2 => Just(Step::Sweep),
    ]
}

/// Checks after random steps that each existing revision has all its content.
async fn check(steps: Vec<Step>) {
    let scene = Scene::new().await;
    let w = &scene.w;
    let other = w.store.create_change_request(&w.admin.credentials, w.space);
    let other = ContentSelector::ChangeRequest(ChangeRequestKey::Id(other));
    let edit = |number: usize| json!([{"operation": "update_page", "page": scene.page, "document": {"markdown": format!("Text {number}.")}}]);
    let write = async |content: ContentSelector, amend: bool, changes: Value| {
        let body = json!({"amend": amend, "changes": changes});
        w.write_as(&w.admin, w.store.storage(), content, body).await
    };
    let mut revisions = Vec::new();
    for step in steps {
        let written = match step {
            Step::Save(number) => Some(write(scene.content(), true, edit(number)).await.unwrap()),
            Step::Elsewhere(number) => Some(write(other, number % 2 == 0, edit(number)).await.unwrap()),
            Step::Main(number) => Some(write(ContentSelector::Space, false, edit(number)).await.unwrap()),
            Step::Revert { number, of_other } if !revisions.is_empty() => {
                let revision: &RevisionId = &revisions[number % revisions.len()];
                let back = json!([{"operation": "revert_page", "page": scene.page, "revision": revision}]);
                // The revision may have been removed.
                write(if of_other { other } else { scene.content() }, true, back).await.ok()
            }
            Step::Revert { .. } => None,
            Step::Update => {
                scene.w.update(scene.id);
                None
            }
            Step::Wait(seconds) => {
                scene.wait(seconds);
                None
            }
            Step::Sweep => {
                scene.sweep();
                scene.stored();
                None
            }
        };
        revisions.extend(written.map(|written| written.content.revision.id));
    }
    scene.wait(3_700);
    scene.sweep();
    scene.wait(3_700);
    assert!(!scene.sweep(), "nothing is amended any more");
    scene.stored();
    let replaced = format!("revisions WHERE replaced_at IS NOT NULL AND change_request_id = '{}'", scene.id);
    assert_eq!(w.store.count(&replaced), 0);
}

#[test]
fn no_sweep_removes_what_a_revision_refers_to() {
    let mut runner = TestRunner::new(Config { cases: 24, max_shrink_iters: 0, ..Config::default() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let steps = proptest::collection::vec(step(), 10..40);
    let run = |steps| {
        runtime.block_on(check(steps));
        Ok(())
    };
    runner.run(&steps, run).unwrap();
}
