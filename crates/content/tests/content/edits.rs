//! Content writes: all changes or none, based on the revision that the writer has seen.

use quire_content::ExpectedRevisions;
use quire_domain::error::Reason;
use serde_json::json;

use crate::workspace::{Workspace, fields, page, refusal};

#[tokio::test]
async fn a_write_makes_all_its_changes_in_one_revision() {
    let w = Workspace::new();
    let before = w.store.count("revisions");
    let written = w.write(json!([page("A", "[b](b)"), page("B", "# One\n\nText.")])).await.unwrap();
    assert_eq!((written.before.pages_in_order().count(), written.tree.pages_in_order().count()), (0, 2));
    assert_eq!(w.titles(), ["A", "B"]);
    assert_eq!(w.store.count("revisions"), before + 1);
    assert!(w.text("b").contains("Text."));
}

#[tokio::test]
async fn a_change_that_is_refused_takes_the_others_with_it() {
    let w = Workspace::new();
    let (head, revisions) = (w.head(), w.store.count("revisions"));
    let absent = "0190a5d2-7c1e-7000-8000-000000000001";
    for (change, field) in [
        (json!({"operation": "delete_page", "page": absent}), "changes[1].page"),
        (json!({"operation": "insert_page", "title": "B", "slug": "a"}), "changes[1].slug"),
        (json!({"operation": "insert_page", "title": "B", "into": absent}), "changes[1].into"),
    ] {
        let change = match change["operation"].as_str() {
            Some("insert_page") => {
                let mut change = change;
                change["document"] = json!({"markdown": ""});
                change
            }
            _ => change,
        };
        let refused = refusal(w.write(json!([page("A", "Text."), change])).await);
        assert_eq!((refused.reason, fields(&refused)), (Reason::InvalidContent, vec![field.to_owned()]));
    }
    assert_eq!((w.head(), w.store.count("revisions"), w.titles().len()), (head, revisions, 0));
}

#[tokio::test]
async fn a_write_that_changes_nothing_makes_no_revision() {
    let w = Workspace::new();
    w.write(json!([page("A", "Text.")])).await.unwrap();
    let (head, id) = (w.head(), w.page_at("a"));
    let same =
        json!([{"operation": "update_page", "page": id, "title": "A", "document": {"markdown": "Text."}}]);
    let written = w.write(same).await.unwrap();
    assert_eq!(written.before.root(), written.tree.root());
    assert_eq!(w.head(), head);
}

#[tokio::test]
async fn a_write_on_another_revision_than_its_base_is_stale() {
    let w = Workspace::new();
    let base = w.head();
    let body = |title: &str| json!({"base": base, "changes": [page(title, "")]});
    w.write_body(body("First"), ExpectedRevisions::default()).await.unwrap();
    let head = w.head();
    let refused = refusal(w.write_body(body("Second"), ExpectedRevisions::default()).await);
    assert_eq!(refused.reason, Reason::StaleRevision);
    let details: Vec<_> = refused.details.iter().map(|detail| detail.message.clone()).collect();
    assert_eq!(details, [base.to_string(), head.to_string()]);
    let expected = ExpectedRevisions::from(Some(vec![base]));
    let refused = refusal(w.write_body(json!({"changes": [page("Third", "")]}), expected).await);
    assert_eq!(refused.reason, Reason::PreconditionFailed);
    assert_eq!((w.head(), w.titles()), (head, vec!["First".to_owned()]));
}

#[tokio::test]
async fn files_are_stored_once_by_their_bytes_and_only_with_their_write() {
    let w = Workspace::new();
    let file = |name: &str| json!({"name": name, "contentType": "text/plain", "base64": "aGVsbG8="});
    let files = json!([{"operation": "insert_files", "files": [file("a.txt"), file("b.txt")]}]);
    let written = w.write(files.clone()).await.unwrap();
    assert_eq!(written.files.len(), 2);
    let blobs: Vec<_> = written.files.iter().map(|id| written.tree.file(*id).unwrap().blob).collect();
    assert_eq!(blobs[0], blobs[1]);
    assert_eq!(w.store.count("blobs"), 1);
    let stored = w.store.storage().files().get(w.space, blobs[0], None).await.unwrap();
    assert!(stored.is_some(), "the bytes are not in the store");
    // No table refers to the bytes of a refused write, so the sweep removes them.
    let other = json!({"name": "c.txt", "contentType": "text/plain", "base64": "b3RoZXI="});
    let refused = w.write(json!([
        {"operation": "insert_files", "files": [other]},
        {"operation": "delete_page", "page": "0190a5d2-7c1e-7000-8000-000000000001"},
    ]));
    assert_eq!(refusal(refused.await).reason, Reason::InvalidContent);
    assert_eq!(w.store.count("blobs"), 1);
}

#[tokio::test]
async fn files_that_are_larger_together_than_an_upload_are_refused() {
    let w = Workspace::new();
    let file = json!({"name": "a.bin", "contentType": "a/b", "base64": "AAAA".repeat(200_000)});
    let refused = refusal(w.write(json!([{"operation": "insert_files", "files": [file, file]}])).await);
    assert_eq!(refused.reason, Reason::PayloadTooLarge);
    assert_eq!(w.store.count("blobs"), 0);
}
