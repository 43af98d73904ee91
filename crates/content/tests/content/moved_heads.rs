//! Writes that are drafted against a head that moves before they are committed.
//!
//! In debug builds the storage panics if a document is analyzed inside a transaction, so these tests also prove that
//! none is.

use std::collections::HashMap;

use futures_util::future::{join, join_all};
use quire_content::ExpectedRevisions;
use quire_domain::error::Reason;
use quire_domain::ids::RevisionId;
use quire_domain::policy::Action;
use quire_storage::Error;
use quire_storage::content::change_requests::MergeReport;
use quire_test_support::{ContentEditor, zipped};
use serde_json::json;

use crate::workspace::{Workspace, fields, page, refusal};

#[tokio::test]
async fn an_edit_is_replayed_on_the_new_head() {
    let w = Workspace::new();
    let other = |draft: &mut ContentEditor| draft.page(None, "Other", "Text.");
    w.meeting(other, w.write(json!([page("Mine", "Some text.")]))).await.unwrap();
    assert_eq!(w.titles(), ["Other", "Mine"]);
}

#[tokio::test]
async fn an_edit_is_drafted_again_when_its_links_lead_elsewhere() {
    let w = Workspace::new();
    let target = |draft: &mut ContentEditor| draft.page(None, "Target", "Text.");
    w.meeting(target, w.write(json!([page("Mine", "[to it](target)")]))).await.unwrap();
    assert!(w.text("mine").contains(&w.page_at("target").to_string()));
}

#[tokio::test]
async fn an_edit_of_a_page_whose_text_changed_keeps_that_text() {
    let w = Workspace::new();
    let (_, id) = w.edit(|draft| draft.page(None, "Page", "One."));
    let write = |draft: &mut ContentEditor| draft.write(id, "Zebra.");
    let rename = json!([{"operation": "update_page", "page": id, "title": "Renamed"}]);
    w.meeting(write, w.write(rename)).await.unwrap();
    assert_eq!(w.titles(), ["Renamed"]);
    assert!(w.text("page").contains("Zebra."));
}

#[tokio::test]
async fn conditions_are_checked_against_the_head_under_the_lock() {
    let w = Workspace::new();
    let other = |draft: &mut ContentEditor| draft.page(None, "Other", "");
    let expected = ExpectedRevisions::from(Some(vec![w.head()]));
    let conditional = w.write_body(json!({"changes": [page("Mine", "")]}), expected);
    assert_eq!(refusal(w.meeting(other, conditional).await).reason, Reason::PreconditionFailed);
    let body = json!({"base": w.head(), "changes": [page("Mine", "")]});
    let based = w.write_body(body, ExpectedRevisions::default());
    assert_eq!(refusal(w.meeting(other, based).await).reason, Reason::StaleRevision);
    let lock = format!("UPDATE spaces SET edit_mode = 'locked' WHERE id = '{}'", w.space);
    let refused = w.store.while_locked(&lock, 1, w.write(json!([page("Mine", "")]))).await;
    assert_eq!(refusal(refused).reason, Reason::SpaceLocked);
    assert_eq!(w.titles(), ["Other", "Other"]);
}

#[tokio::test]
async fn changes_that_no_longer_fit_are_refused() {
    let w = Workspace::new();
    let (_, id) = w.edit(|draft| draft.page(None, "Page", "One."));
    let update = json!([{"operation": "update_page", "page": id, "document": {"markdown": "New."}}]);
    let refused = refusal(w.meeting(|draft| draft.remove(id), w.write(update)).await);
    assert_eq!(fields(&refused), ["changes[0].page"]);
}

#[tokio::test]
async fn an_import_is_replayed_or_drafted_again() {
    let w = Workspace::new();
    let files = zipped(&[("a.md", "# A\n\n[b](b.md)\n"), ("b.md", "# B\n\nText.\n")]);
    let other = |draft: &mut ContentEditor| draft.page(None, "Other", "Text.");
    w.meeting(other, w.import(w.wanted_import(), files)).await.unwrap();
    assert_eq!(w.titles(), ["Other", "A", "B"]);
    // Another write takes the slug of a page that the import links to, so this page gets another id.
    let files = zipped(&[("c.md", "# C\n\n[d](d.md)\n"), ("d.md", "# D\n\nText.\n")]);
    let taken = |draft: &mut ContentEditor| draft.page(None, "D", "Text.");
    w.meeting(taken, w.import(w.wanted_import(), files)).await.unwrap();
    assert_eq!(w.titles(), ["Other", "A", "B", "D", "C", "D"]);
    assert!(w.text("c").contains(&w.page_at("d-1").to_string()));
}

/// Each page links to the next one by path, so the result of a write depends on earlier writes.
#[tokio::test]
async fn many_writers_at_once_leave_the_result_of_some_serial_order() {
    const WRITERS: usize = 8;
    let w = Workspace::new();
    let mut proposals = Vec::new();
    for n in 0..3 {
        proposals.push(w.proposal(&format!("Proposal {n}")));
    }
    let first = w.head();
    let writes = (0..WRITERS).map(|n| {
        let markdown = format!("[next](writer-{})", (n + 1) % WRITERS);
        w.write(json!([page(&format!("Writer {n}"), &markdown)]))
    });
    let merges = proposals.iter().map(|(_, proposal)| w.merge(*proposal));
    let (written, merged) = join(join_all(writes), join_all(merges)).await;
    for result in written {
        result.unwrap();
    }
    for report in merged {
        assert!(matches!(report, Ok(MergeReport::Done(_))), "{report:?}");
    }

    // The history from the head to the first revision is linear. Each revision adds pages.
    let mut history = Vec::new();
    let mut at = w.head();
    while at != first {
        let (parent, titles) = revision(&w, at);
        history.push(titles);
        at = parent;
    }
    history.reverse();
    assert_eq!(history.len(), WRITERS + proposals.len());
    let came_at: HashMap<String, usize> = (0..WRITERS)
        .map(|n| format!("Writer {n}"))
        .map(|title| (title.clone(), history.iter().position(|titles| titles.contains(&title)).unwrap()))
        .collect();
    for n in 0..WRITERS {
        let next = (n + 1) % WRITERS;
        let came_before = came_at[&format!("Writer {next}")] < came_at[&format!("Writer {n}")];
        let target = w.page_at(&format!("writer-{next}")).to_string();
        assert_eq!(w.text(&format!("writer-{n}")).contains(&target), came_before, "{n}");
    }
    for (path, _) in &proposals {
        assert!(w.text(path).contains("ONE.\n\nTwo."), "{path} was not merged");
    }
}

#[tokio::test]
async fn of_many_writers_that_name_the_same_base_one_writes() {
    let w = Workspace::new();
    let base = w.head();
    let writes = (0..6).map(|n| {
        let body = json!({"base": base, "changes": [page(&format!("Page {n}"), "")]});
        w.write_body(body, ExpectedRevisions::default())
    });
    let (written, refused): (Vec<_>, Vec<_>) = join_all(writes).await.into_iter().partition(Result::is_ok);
    assert_eq!((written.len(), refused.len(), w.titles().len()), (1, 5, 1));
    for refused in refused {
        assert_eq!(refusal(refused).reason, Reason::StaleRevision);
    }
}

/// Returns the parent of a revision of the main content, and the titles of its pages.
fn revision(w: &Workspace, id: RevisionId) -> (RevisionId, Vec<String>) {
    let selector = quire_storage::content::store::ContentSelector::Revision(id);
    let found = w.store.storage().read(&w.admin.credentials, |reader| {
        let content = reader.content(w.space, selector)?.authorize(Action::ViewSpace)?;
        let tree = reader.tree(&content)?;
        let titles = tree.pages_in_order().map(|page| page.title.clone()).collect();
        Ok::<_, Error>((content.revision.parents[0], titles))
    });
    found.unwrap()
}
