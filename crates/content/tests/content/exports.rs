//! Exports: the archive imports as the same content.

use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use quire_content::Error;
use quire_content::exports::{Export, ExportLimiter};
use quire_domain::error::Reason;
use quire_domain::ids::SpaceId;
use quire_importer::blocking::Threads;
use quire_revision::Tree;
use quire_storage::Storage;
use quire_storage::content::files::BlobLocations;
use quire_storage::content::spaces::blobs_of;
use quire_storage::content::store::ContentAt;
use quire_storage::lookup::Authorized;
use quire_test_support::{unzipped, zipped};
use serde_json::json;

use crate::workspace::{MAIN, Workspace, page};

/// Content as an export reads it.
type Read = (Authorized<ContentAt>, Tree, BlobLocations);

fn read(w: &Workspace, space: SpaceId) -> Read {
    let read = w.store.storage().read(&w.admin.credentials, |reader| {
        let (content, tree) = reader.content_with_tree(space, MAIN)?;
        let blobs = reader.blob_locations(space, &blobs_of(&tree))?;
        Ok::<_, Error>((content, tree, blobs))
    });
    read.unwrap()
}

async fn begin(
    w: &Workspace,
    limiter: &ExportLimiter,
    (content, tree, blobs): Read,
) -> Result<Export<Storage>, Error> {
    let storage = Arc::new(w.store.storage().clone());
    Export::begin(storage, limiter, w.admin.credentials, content, tree, blobs).await
}

async fn written(export: Export<Storage>) -> Vec<u8> {
    let parts: Vec<_> = export.into_stream().try_collect().await.unwrap();
    parts.concat()
}

/// Exports the main content of a space.
async fn export(w: &Workspace, space: SpaceId) -> Vec<u8> {
    written(begin(w, &limiter(1), read(w, space)).await.unwrap()).await
}

fn limiter(sent: usize) -> ExportLimiter {
    ExportLimiter::new(sent, Duration::ZERO, Threads::default())
}

/// Imports, exports, imports the export into another space, and exports again. Returns both exports. Asserts that the
/// content of the two spaces is equal.
async fn round_trip(w: &mut Workspace, archive: Vec<u8>) -> (Vec<u8>, Vec<u8>) {
    w.import(w.wanted_import(), archive).await.unwrap();
    let (first, before) = (export(w, w.space).await, w.tree());
    w.space = w.store.create_space(&w.admin.credentials, "Copy");
    w.import(w.wanted_import(), first.clone()).await.unwrap();
    let again = w.tree();
    for (page, again) in before.pages_in_order().zip(again.pages_in_order()) {
        assert_eq!(page, again);
    }
    assert_eq!(before.root(), again.root());
    (first, export(w, w.space).await)
}

#[tokio::test]
async fn the_first_page_is_the_readme_and_keeps_its_slug() {
    let mut w = Workspace::new();
    let files = [
        (
            "SUMMARY.md",
            "# Summary\n\n## Guides\n\n* [Begin](start/here.md)\n  * [More](start/more.md)\n* [Other](other.md)\n",
        ),
        ("start/here.md", "# Begin\n\nSee [more](more.md).\n"),
        ("start/more.md", "# More\n\nBack to [the beginning](here.md).\n"),
        ("other.md", "# Other\n\nText.\n"),
    ];
    let (first, second) = round_trip(&mut w, zipped(&files)).await;
    assert_eq!(first, second, "the archives differ");
    let files = unzipped(&first);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["README.md", "SUMMARY.md", "guides/here/more.md", "guides/other.md"]);
    assert!(files["README.md"].starts_with("---\nslug: here\n---\n\n# Begin"), "{}", files["README.md"]);
    assert!(files["guides/here/more.md"].contains("(../../)"), "{}", files["guides/here/more.md"]);
}

/// The archive has the pages in other folders than the imported one, where names alone would match them.
#[tokio::test]
async fn broken_links_stay_broken_after_a_round_trip() {
    let mut w = Workspace::new();
    let files = [
        (
            "SUMMARY.md",
            "# Summary\n\n* [Begin](x/begin.md)\n* [Set-up](x/set-up.md)\n* [Other](y/other.md)\n* [Nowhere](gone.md#)\n",
        ),
        ("x/begin.md", "# Begin\n\nText.\n"),
        ("x/set-up.md", "# Set-up\n\n## TLS/SSL\n\nText.\n"),
        (
            "y/other.md",
            "# Other\n\n[a](Set-Up.md#tls-ssl) [b](set-up) [c](../README) [d](gone.md) ![e](s%65t-up/?q=1)\n",
        ),
    ];
    let (first, second) = round_trip(&mut w, zipped(&files)).await;
    assert_eq!(unzipped(&first), unzipped(&second));
    let other = &unzipped(&first)["other.md"];
    for part in [
        "[a](/.gitbook/broken?Set-Up.md%23tls-ssl)",
        "[b](/.gitbook/broken?set-up)",
        "[c](/.gitbook/broken?..%2FREADME)",
        "[d](gone.md)",
    ] {
        assert!(other.contains(part), "{part}: {other}");
    }
}

#[tokio::test]
async fn files_that_are_alike_survive_a_round_trip() {
    let mut w = Workspace::new();
    let names: Vec<String> = (1..=12).map(|n| format!("pictures/{n}/same.png")).collect();
    let pages: Vec<(String, String)> = (1..=12)
        .map(|n| (format!("page-{n}.md"), format!("# Page {n}\n\nIt shows ![it](pictures/{n}/same.png).\n")))
        .collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "the same bytes")).collect();
    files.extend(pages.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let (first, second) = round_trip(&mut w, zipped(&files)).await;
    assert_eq!(first, second, "the archives differ");
    assert_eq!(unzipped(&first).keys().filter(|name| name.ends_with(".png")).count(), 12);
}

#[tokio::test]
async fn an_export_is_of_the_revision_that_was_read() {
    let w = Workspace::new();
    w.write(json!([page("A", "Before.")])).await.unwrap();
    let before = read(&w, w.space);
    let id = w.page_at("a");
    w.edit(|draft| draft.write(id, "After."));
    let archive = written(begin(&w, &limiter(1), before).await.unwrap()).await;
    let texts: String = unzipped(&archive).into_values().collect();
    assert!(texts.contains("Before.") && !texts.contains("After."), "{texts}");
}

#[tokio::test]
async fn an_export_keeps_its_permit_until_it_is_sent_or_dropped() {
    let w = Workspace::new();
    w.write(json!([page("A", "Text.")])).await.unwrap();
    let limiter = limiter(2);
    let started = || async { begin(&w, &limiter, read(&w, w.space)).await };
    let (first, second) = (started().await.unwrap(), started().await.unwrap());
    let refused = started().await.err().unwrap();
    assert!(
        matches!(&refused, Error::Refused(refusal) if refusal.reason == Reason::Unavailable),
        "{refused:?}"
    );
    drop(first.into_stream());
    let third = started().await.unwrap();
    assert_eq!(written(third).await, written(second).await);
    started().await.unwrap();
}
