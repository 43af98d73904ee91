//! Import runner: one revision with its report, or nothing.

use std::time::Duration;

use quire_content::ExpectedRevisions;
use quire_content::imports::{Destination, ImportLimiter};
use quire_domain::error::Reason;
use quire_importer::source::GatherLimits;
use quire_test_support::zipped;

use crate::workspace::{MAIN, Workspace, refusal};

#[tokio::test]
async fn an_import_is_one_revision_and_reports_what_it_left() {
    let w = Workspace::new();
    let before = w.store.count("revisions");
    let files = zipped(&[
        ("README.md", "# Home\n\n[guide](guide.md)\n\n![](logo.png)\n"),
        ("guide.md", "# Guide\n\n[gone](gone.md)\n"),
        ("logo.png", "not really a picture"),
    ]);
    let result = w.import(w.wanted_import(), files).await.unwrap();
    assert_eq!(result.revision, w.head());
    assert_eq!(w.store.count("revisions"), before + 1);
    assert_eq!(w.titles(), ["Home", "Guide"]);
    assert!(!result.report.is_empty(), "the link to a missing file is not reported");
    assert_eq!(w.store.count("blobs"), 1);
}

#[tokio::test]
async fn a_failed_import_leaves_no_revision_page_or_named_file() {
    let w = Workspace::new();
    let head = w.head();
    let archive = || zipped(&[("a.md", "# A\n"), ("logo.png", "bytes")]);

    let refused = refusal(w.import(w.wanted_import(), b"no archive".to_vec()).await);
    assert_eq!(refused.reason.status(), 400);

    let mut small = w.wanted_import();
    small.limits = GatherLimits::default().with_bytes(4);
    assert!(w.import(small, archive()).await.is_err());

    let mut stale = w.wanted_import();
    w.edit(|draft| draft.page(None, "Other", ""));
    stale.expected = ExpectedRevisions::from(Some(vec![head]));
    assert_eq!(refusal(w.import(stale, archive()).await).reason, Reason::PreconditionFailed);

    let mut group = w.wanted_import();
    let (head, id) = w.edit(|draft| draft.group("Group"));
    group.destination = Destination { space: w.space, selector: MAIN, page: Some(id) };
    assert_eq!(refusal(w.import(group, archive()).await).reason.status(), 400);

    assert_eq!((w.head(), w.titles()), (head, vec!["Other".to_owned(), "Group".to_owned()]));
    assert_eq!(w.store.count("blobs"), 0);
}

#[tokio::test]
async fn an_import_that_its_caller_calls_off_leaves_nothing() {
    let w = Workspace::new();
    let head = w.head();
    let limiter = ImportLimiter::new(1, Duration::ZERO, w.fetcher.threads().clone());
    let runner = quire_content::imports::ImportRunner { fetcher: w.fetcher.clone(), limiter };
    let input = quire_content::imports::ImportInput::Upload {
        source: quire_domain::imports::ImportSource::Zip,
        file_name: None,
        content: zipped(&[("a.md", "# A\n")]).into(),
    };
    let progress = quire_importer::progress::Progress::default();
    let call_off = |_: &mut quire_storage::Tx<'_>, _: &_| Err(quire_content::Error::CalledOff);
    let result = runner.run(w.store.storage(), w.wanted_import(), input, &progress, call_off).await;
    assert!(matches!(result, Err(quire_content::Error::CalledOff)), "{result:?}");
    assert_eq!((w.head(), w.titles().len()), (head, 0));
}

#[tokio::test]
async fn only_so_many_imports_are_waited_for_at_once() {
    let w = Workspace::new();
    let limiter = ImportLimiter::new(2, Duration::ZERO, w.fetcher.threads().clone());
    let (first, _second) = (limiter.begin().await.unwrap(), limiter.clone().begin().await.unwrap());
    assert_eq!(refusal(limiter.begin().await).reason, Reason::Unavailable);
    drop(first);
    assert!(limiter.begin().await.is_ok());
}

#[tokio::test]
async fn refusals_precede_any_reading() {
    let w = Workspace::new();
    let limiter = ImportLimiter::new(1, Duration::ZERO, w.fetcher.threads().clone());
    let runner = quire_content::imports::ImportRunner { fetcher: w.fetcher.clone(), limiter };
    let (_, group) = w.edit(|draft| draft.group("Group"));
    let destination = |page| Destination { space: w.space, selector: MAIN, page };
    let any = ExpectedRevisions::default;
    let check = async |page, expected| {
        runner.preflight(w.store.storage(), w.admin.credentials, destination(page), expected).await
    };
    assert!(check(None, any()).await.is_ok());
    assert_eq!(refusal(check(Some(group), any()).await).reason.status(), 400);
    let never = ExpectedRevisions::from(Some(Vec::new()));
    assert_eq!(refusal(check(None, never).await).reason, Reason::PreconditionFailed);
    w.store.execute(&format!("UPDATE spaces SET edit_mode = 'locked' WHERE id = '{}'", w.space));
    assert_eq!(refusal(check(None, any()).await).reason, Reason::SpaceLocked);
}
