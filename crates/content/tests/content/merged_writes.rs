//! Writes that are merged with changes by others since their base.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use quire_content::{ExpectedRevisions, Result, Written};
use quire_domain::error::Reason;
use quire_domain::ids::{PageId, RevisionId};
use quire_revision::{BlockConflict, Conflict, ConflictKind};
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::ContentEditor;
use serde_json::{Value, json};

use crate::workspace::{Workspace, fields, page, refusal};

/// Blocks of the shared page.
const BLOCKS: usize = 4;

/// Writer with an open editor.
#[derive(Clone)]
struct Writer {
    base: RevisionId,
    /// Document at the base.
    seen: Value,
    document: Value,
}

/// Step of one of two writers.
#[derive(Clone, Debug)]
enum Step {
    Edit { writer: usize, block: usize },
    Save { writer: usize },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..2_usize, 0..BLOCKS).prop_map(|(writer, block)| Step::Edit { writer, block }),
        2 => (0..2_usize).prop_map(|writer| Step::Save { writer }),
    ]
}

fn paragraph(text: &str) -> Value {
    let words = json!({"object": "text", "leaves": [{"object": "leaf", "text": text, "marks": []}]});
    json!({"object": "block", "type": "paragraph", "data": {}, "nodes": [words]})
}

fn document(blocks: &[Value]) -> Value {
    json!({"object": "document", "data": {}, "nodes": blocks})
}

fn text_of_block(block: usize, word: &str) -> String {
    format!("Block {block} begins with the same words in each version and ends with {word}.")
}

async fn merged(w: &Workspace, base: RevisionId, changes: Value) -> Result<Written> {
    let body = json!({"base": base, "onStale": "merge", "changes": changes});
    w.write_body(body, ExpectedRevisions::default()).await
}

fn update(page: PageId, document: &Value) -> Value {
    json!([{"operation": "update_page", "page": page, "document": {"document": document}}])
}

fn conflicts(written: &Written) -> &[Conflict] {
    written.merge.as_ref().map(|merge| merge.conflicts.as_slice()).unwrap_or_default()
}

/// Returns the words that edits wrote into a document or a text.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.starts_with("edit")).map(str::to_owned).collect()
}

/// Page that two writers have open.
struct Shared {
    w: Workspace,
    page: PageId,
    writers: [Writer; 2],
    edits: usize,
}

impl Shared {
    async fn new() -> Self {
        let w = Workspace::new();
        let blocks: Vec<Value> = (0..BLOCKS).map(|block| paragraph(&text_of_block(block, "first"))).collect();
        let document = document(&blocks);
        let insert =
            json!([{"operation": "insert_page", "title": "Shared", "document": {"document": document}}]);
        let written = w.write(insert).await.unwrap();
        let page = w.page_at("shared");
        let writer = Writer { base: written.content.revision.id, seen: document.clone(), document };
        Self { w, page, writers: [writer.clone(), writer], edits: 0 }
    }

    fn edit(&mut self, writer: usize, block: usize) {
        self.edits += 1;
        let text = text_of_block(block, &format!("edit{}", self.edits));
        self.writers[writer].document["nodes"][block] = paragraph(&text);
    }

    /// Saves the document of a writer, who continues with the merged document. Returns the number of conflicts.
    async fn save(&mut self, writer: usize) -> usize {
        let Writer { base, seen, document } = self.writers[writer].clone();
        let seen = words(&seen.to_string());
        let before = words(&self.w.text("shared"));
        let written = merged(&self.w, base, update(self.page, &document)).await.unwrap();
        let after = words(&self.w.text("shared"));
        let conflicts = conflicts(&written);
        let blocks: Vec<_> = conflicts.iter().flat_map(|conflict| &conflict.blocks).collect();
        for own in words(&document.to_string()).difference(&seen) {
            let in_conflict = |block: &&BlockConflict| {
                words(&json!(block.ours).to_string()).contains(own)
                    && words(&json!(block.theirs).to_string()).iter().all(|theirs| after.contains(theirs))
            };
            assert!(after.contains(own) || blocks.iter().any(in_conflict), "{own} is lost");
        }
        for unseen in before.difference(&seen) {
            assert!(after.contains(unseen), "{unseen} was replaced by a writer who had not seen it");
        }
        let documents = written.merge.iter().flat_map(|merge| &merge.documents);
        let merged = documents.map(|(_, document)| document.as_ref().unwrap().to_value().unwrap()).next();
        let document = merged.unwrap_or(document);
        assert_eq!(words(&document.to_string()), after);
        let count = conflicts.len();
        self.writers[writer] = Writer { base: written.content.revision.id, seen: document.clone(), document };
        count
    }
}

fn check(cases: u32, steps: impl Strategy<Value = Vec<Step>>, may_conflict: bool) {
    let mut runner = TestRunner::new(Config { cases, max_shrink_iters: 0, ..Config::default() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let run = async |steps: Vec<Step>| {
        let mut shared = Shared::new().await;
        for step in steps.into_iter().chain([0, 1, 0].map(|writer| Step::Save { writer })) {
            match step {
                Step::Edit { writer, block } => shared.edit(writer, block),
                Step::Save { writer } => {
                    let conflicts = shared.save(writer).await;
                    assert!(may_conflict || conflicts == 0);
                }
            }
        }
        // The last save added nothing.
        let [first, second] = &shared.writers;
        assert_eq!(words(&first.document.to_string()), words(&second.document.to_string()));
    };
    runner
        .run(&steps, |steps| {
            runtime.block_on(run(steps));
            Ok(())
        })
        .unwrap();
}

#[test]
fn writers_of_different_blocks_lose_nothing_and_have_no_conflict() {
    let steps = proptest::collection::vec(step(), 4..16).prop_map(|steps| {
        let apart = |step| match step {
            Step::Edit { writer, block } => Step::Edit { writer, block: block / 2 * 2 + writer },
            save @ Step::Save { .. } => save,
        };
        steps.into_iter().map(apart).collect()
    });
    check(8, steps, false);
}

#[test]
fn writers_of_the_same_blocks_have_both_versions_in_the_result_or_in_the_conflict() {
    check(12, proptest::collection::vec(step(), 4..16), true);
}

#[tokio::test]
async fn writers_at_the_same_time_on_two_nodes_are_all_merged() {
    let Shared { w, page, writers: [writer, _], .. } = Shared::new().await;
    let other = w.store.another_node().storage().clone();
    let writes = (0..BLOCKS).map(async |block| {
        let storage = if block % 2 == 0 { w.store.storage() } else { &other };
        let mut document = writer.document.clone();
        document["nodes"][block] = paragraph(&text_of_block(block, &format!("writer {block}")));
        let body = json!({"base": writer.base, "onStale": "merge", "changes": update(page, &document)});
        w.write_on(storage, body, ExpectedRevisions::default()).await.unwrap()
    });
    let written = join_all(writes).await;
    assert!(written.iter().all(|written| conflicts(written).is_empty()));
    let text = w.text("shared");
    for block in 0..BLOCKS {
        assert!(text.contains(&text_of_block(block, &format!("writer {block}"))), "{block}: {text}");
    }
}

#[tokio::test]
async fn both_versions_of_a_block_are_in_the_answer_and_the_stored_one_stays() {
    let w = Workspace::new();
    let base = w.write(json!([page("A", "One.\n\nTwo.")])).await.unwrap().content.revision.id;
    let id = w.page_at("a");
    let edit = |markdown: &str| json!([{"operation": "update_page", "page": id, "document": {"markdown": markdown}}]);
    w.write(edit("One of theirs.\n\nTwo.")).await.unwrap();
    let written = merged(&w, base, edit("One of mine.\n\nTwo.\n\nThree.")).await.unwrap();
    assert_eq!(
        w.text("a").split("\n\n").map(str::trim).collect::<Vec<_>>(),
        ["# A", "One of theirs.", "Two.", "Three."]
    );
    let [conflict] = conflicts(&written) else { panic!("{:?}", written.merge) };
    let [block] = conflict.blocks.as_slice() else { panic!("{conflict:?}") };
    let versions = [&block.base, &block.ours, &block.theirs].map(|blocks| json!(blocks).to_string());
    for (version, text) in versions.iter().zip(["One.", "One of mine.", "One of theirs."]) {
        assert!(version.contains(text), "{version}");
    }
    assert_eq!((block.path.as_str(), block.length), ("0", 1));
}

#[tokio::test]
async fn an_empty_page_takes_the_first_text_of_two_writers() {
    let w = Workspace::new();
    let base = w.write(json!([page("A", "")])).await.unwrap().content.revision.id;
    let id = w.page_at("a");
    let edit = |markdown: &str| json!([{"operation": "update_page", "page": id, "document": {"markdown": markdown}}]);
    w.write(edit("Theirs.")).await.unwrap();
    let written = merged(&w, base, edit("Mine.")).await.unwrap();
    assert_eq!(w.text("a").trim(), "# A\n\nTheirs.");
    let [conflict] = conflicts(&written) else { panic!("{:?}", written.merge) };
    assert!(json!(conflict.blocks[0].ours).to_string().contains("Mine."));
}

#[tokio::test]
async fn text_of_a_page_that_others_deleted_is_in_the_answer() {
    let w = Workspace::new();
    let base = w.write(json!([page("A", "One.")])).await.unwrap().content.revision.id;
    let id = w.page_at("a");
    w.write(json!([{"operation": "delete_page", "page": id}])).await.unwrap();
    let edits = json!([
        {"operation": "update_page", "page": id, "document": {"markdown": "Edited."}},
        {"operation": "insert_page", "into": id, "title": "Below", "document": {"markdown": "New."}},
        page("B", "Kept."),
    ]);
    let written = merged(&w, base, edits).await.unwrap();
    assert_eq!(w.titles(), ["B"]);
    let lost: Vec<_> =
        conflicts(&written).iter().map(|conflict| (conflict.kind, &conflict.blocks[0])).collect();
    assert!(lost.iter().all(|(kind, block)| *kind == ConflictKind::DeletedThere && block.theirs.is_empty()));
    let texts: Vec<String> = lost.iter().map(|(_, block)| json!(block.ours).to_string()).collect();
    assert!(texts.len() == 2 && texts[0].contains("Edited.") && texts[1].contains("New."), "{texts:?}");
    assert!(json!(lost[0].1.base).to_string().contains("One."));
}

#[tokio::test]
async fn a_page_that_others_edited_is_not_deleted() {
    let w = Workspace::new();
    let base = w.write(json!([page("A", "One.")])).await.unwrap().content.revision.id;
    let id = w.page_at("a");
    w.write(json!([{"operation": "update_page", "page": id, "document": {"markdown": "Edited."}}]))
        .await
        .unwrap();
    let written = merged(&w, base, json!([{"operation": "delete_page", "page": id}])).await.unwrap();
    assert_eq!(w.text("a").trim(), "# A\n\nEdited.");
    assert_eq!(conflicts(&written)[0].kind, ConflictKind::DeletedHere);
    assert!(written.before == written.tree);
}

#[tokio::test]
async fn a_write_to_another_page_or_field_is_merged() {
    let w = Workspace::new();
    let base = w.write(json!([page("A", "One."), page("B", "Two.")])).await.unwrap().content.revision.id;
    let [a, b] = ["a", "b"].map(|path| w.page_at(path));
    let theirs = json!([
        {"operation": "update_page", "page": a, "title": "Renamed", "into": b},
        {"operation": "update_page", "page": b, "document": {"markdown": "Two of theirs."}},
    ]);
    w.write(theirs).await.unwrap();
    let mine = json!([
        {"operation": "update_page", "page": a, "document": {"markdown": "One of mine."}},
        {"operation": "update_page", "page": b, "description": "Mine"},
        page("C", "Three."),
    ]);
    let written = merged(&w, base, mine).await.unwrap();
    assert!(conflicts(&written).is_empty());
    assert_eq!(w.titles(), ["B", "Renamed", "C"]);
    assert_eq!(
        (w.text("b/a").contains("One of mine."), w.text("b").contains("Two of theirs.")),
        (true, true)
    );
    assert_eq!(w.tree().page(b).unwrap().description.as_deref(), Some("Mine"));
    // The merge changed the document of the page whose description was written.
    let merge = written.merge.as_ref().unwrap();
    assert_eq!(merge.documents.len(), 1);
    // A second write based on the result needs no merge.
    let next = merged(&w, written.content.revision.id, json!([page("D", "")])).await.unwrap();
    assert!(next.merge.is_none());
}

#[tokio::test]
async fn blocks_and_pages_are_reverted_as_seen_at_the_base() {
    let w = Workspace::new();
    w.write(json!([page("A", "One.\n\nTwo.")])).await.unwrap();
    let id = w.page_at("a");
    let edit = |markdown: &str| json!([{"operation": "update_page", "page": id, "document": {"markdown": markdown}}]);
    let base = w.write(edit("Uno.\n\nTwo.")).await.unwrap().content.revision.id;
    for revert in [
        json!({"operation": "revert_page", "page": id}),
        json!({"operation": "revert_page", "page": id, "block": ["0"]}),
    ] {
        w.write(edit("Uno.\n\nTwo of theirs.")).await.unwrap();
        let written = merged(&w, base, json!([revert])).await.unwrap();
        assert!(conflicts(&written).is_empty());
        let text = w.text("a");
        assert!(text.contains("One.") && text.contains("Two of theirs."), "{text}");
    }
}

#[tokio::test]
async fn a_base_that_the_content_never_had_is_stale() {
    let w = Workspace::new();
    let proposal = w.store.create_change_request(&w.admin.credentials, w.space);
    let content = ContentSelector::ChangeRequest(ChangeRequestKey::Id(proposal));
    let write = |draft: &mut ContentEditor| draft.page(None, "A", "One.");
    let (foreign, _) = w.store.edit(&w.admin.credentials, w.space, content, write);
    for base in [foreign, "0190a5d2-7c1e-7000-8000-000000000001".parse().unwrap()] {
        let refused = refusal(merged(&w, base, json!([page("B", "")])).await);
        assert_eq!(
            (refused.reason, fields(&refused)),
            (Reason::StaleRevision, vec!["base".to_owned(), "revision".to_owned()])
        );
    }
}

#[tokio::test]
async fn a_merged_document_is_bounded() {
    let w = Workspace::new();
    let base = w.write(json!([page("A", "One.\n\nTwo.\n\nThree.")])).await.unwrap().content.revision.id;
    let id = w.page_at("a");
    let many = "More.\n\n".repeat(13_000);
    let edit = |markdown: String| json!([{"operation": "update_page", "page": id, "document": {"markdown": markdown}}]);
    w.write(edit(format!("One.\n\n{many}Two.\n\nThree."))).await.unwrap();
    let refused = refusal(merged(&w, base, edit(format!("One.\n\nTwo.\n\nThree.\n\n{many}"))).await);
    assert_eq!((refused.reason, fields(&refused)), (Reason::InvalidContent, vec!["changes".to_owned()]));
}

#[tokio::test]
async fn an_expected_revision_is_checked_before_a_merge() {
    let w = Workspace::new();
    let base = w.head();
    w.write(json!([page("A", "")])).await.unwrap();
    let body = json!({"base": base, "onStale": "merge", "changes": [page("B", "")]});
    let refused = refusal(w.write_body(body, Some(vec![base]).into()).await);
    assert_eq!(refused.reason, Reason::PreconditionFailed);
}
