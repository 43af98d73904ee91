//! Invariants of Markdown, checked on real pages.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

#[allow(unreachable_pub)]
#[path = "support/laws.rs"]
mod laws;

use std::path::Path;

#[test]
fn real_pages_read_back_as_they_were() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut pages = 0;
    for folder in ["fluentd-docs", "rust-book"] {
        for entry in std::fs::read_dir(corpus.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            pages += 1;
            let text = std::fs::read_to_string(&path).unwrap();
            if let Err(problem) = laws::check_page(&text) {
                panic!("{}: {problem}", path.display());
            }
        }
    }
    assert_eq!(pages, 16);
}
