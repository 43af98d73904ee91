//! No visible word is lost by an import: words of the files, extracted by independent rules, are compared with the
//! pages.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "helpers of tests may fail as tests do"
)]

#[allow(unreachable_pub)]
#[path = "../../markup/tests/support/words.rs"]
mod words;

use std::path::Path;

use bytes::Bytes;
use quire_domain::CountingIds;
use quire_domain::imports::ImportSource;
use quire_importer::archive::{ArchiveLimits, read_zip};
use quire_importer::plan::{GeneratedIds, PlannedPage, plan};
use quire_importer::progress::Progress;
use quire_importer::tree::SourceTree;
use quire_markup::{FrontMatter, StableRefs, plain_text, print_page};
use words::{lost, visible_markdown};

/// Imports a tree of Markdown and returns all lost words, one page per line, and the number of compared pages.
fn losses(tree: SourceTree) -> (Vec<String>, usize) {
    let sources: Vec<(String, String)> = tree
        .files
        .iter()
        .filter(|(path, _)| path.ends_with(".md"))
        .map(|(path, content)| (path.clone(), String::from_utf8_lossy(&content.read().unwrap()).into_owned()))
        .collect();
    let plan = plan(ImportSource::Zip, tree, &mut GeneratedIds(&CountingIds::default())).unwrap();
    let (mut losses, mut compared) = (Vec::new(), 0);
    for page in &plan.pages {
        let Some((path, source)) = sources.iter().find(|(path, _)| page.source_path.as_ref() == Some(path))
        else {
            continue;
        };
        compared += 1;
        let visible = visible_markdown(&source.replace("\r\n", "\n"));
        for (form, output) in outputs(page) {
            let lost = lost(&visible, &output);
            if !lost.is_empty() {
                losses.push(format!("{path} as {form}: {}", lost.join(" ")));
            }
        }
    }
    (losses, compared)
}

/// Returns a page as Markdown and as plain text.
fn outputs(page: &PlannedPage) -> [(&'static str, String); 2] {
    let document = page.read_document().unwrap();
    let front_matter = FrontMatter { description: page.description.clone(), ..FrontMatter::default() };
    let printed = print_page(&front_matter, &page.title, &document, &StableRefs);
    // Elements may be in the middle of a word.
    let printed = format!("{printed}\n{}", visible_markdown(&printed));
    let description = page.description.clone().unwrap_or_default();
    [
        ("Markdown", printed),
        ("plain text", format!("{}\n{description}\n{}", page.title, plain_text(&document))),
    ]
}

#[test]
fn pages_keep_their_words() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../markup/tests/corpus");
    for folder in ["fluentd-docs", "rust-book"] {
        let entries = std::fs::read_dir(corpus.join(folder)).unwrap().map(Result::unwrap);
        let files = entries.map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, Bytes::from(std::fs::read(entry.path()).unwrap()))
        });
        let (losses, compared) = losses(SourceTree::from_files(files));
        assert_eq!(losses, [""; 0], "{folder}");
        assert!(compared >= 7, "{compared}");
    }
}

/// `QUIRE_ARCHIVES=a.zip:b.zip cargo test -p quire-importer --test words -- --ignored` compares other archives.
#[test]
#[ignore = "needs archives that QUIRE_ARCHIVES names"]
#[allow(clippy::disallowed_methods, reason = "the archives are named by the caller")]
fn pages_of_given_archives_keep_their_words() {
    for path in std::env::var("QUIRE_ARCHIVES").unwrap().split(':') {
        let archive = std::fs::read(path).unwrap().into();
        let files = read_zip(&archive, ArchiveLimits::default(), &Progress::default()).unwrap();
        let (losses, compared) = losses(files);
        assert_eq!(losses.join("\n"), "", "{path}");
        eprintln!("{path}: {compared} pages, no word is lost");
    }
}
