//! Memory of documents: sizes of nodes, and peaks of their readers.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "helpers of tests may fail like tests, and a failed bound prints its figures"
)]

use quire_markup::document::{InlineNode, MAX_NODES, Text};
use quire_markup::html::{Extract, HtmlOptions};
use quire_markup::{Block, Document, Inline, Leaf, StableRefs, html, try_parse};

/// Counts allocated bytes.
#[global_allocator]
static ALLOCATED: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Returns a result, its size in bytes, and the peak of allocated bytes during the work.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let result = work();
    let held = ALLOCATED.current_usage() - before;
    (result, held, ALLOCATED.peak_usage() - before)
}

fn markdown(text: &str) -> (Option<Document>, usize, usize) {
    measured(|| try_parse(text, &StableRefs, &|| false).ok())
}

/// A single test, because the peak is measured for the whole process.
#[test]
fn documents_and_their_readers_take_bounded_memory() {
    nodes_are_compact();
    a_list_at_the_limit();
    refused_input_is_refused_early();
    prose();
}

fn nodes_are_compact() {
    assert!(size_of::<Block>() <= 80, "{}", size_of::<Block>());
    assert!(size_of::<Inline>() <= 48, "{}", size_of::<Inline>());
    assert!(size_of::<Text>() <= 48 && size_of::<Leaf>() <= 48);
    assert!(size_of::<InlineNode>() <= 72, "{}", size_of::<InlineNode>());
}

/// Measures a list with as many items of four words as a page may have.
fn a_list_at_the_limit() {
    let items = MAX_NODES / 3 - 1;
    let text = "- alpha beta gamma delta\n".repeat(items);
    let (document, held, peak) = markdown(&text);
    let document = document.unwrap();
    let per_node = held / (3 * items);
    assert!(per_node <= 110, "{per_node} bytes for each node");
    assert!(peak <= 64 << 20, "{peak}");
    let json = document.to_canonical_json();
    drop(document);
    let (document, held, peak) = measured(|| Document::from_stored(json.get().as_bytes()));
    assert!(document.is_ok() && held / (3 * items) <= 110 && peak < 2 * held, "{held} and {peak}");
}

fn refused_input_is_refused_early() {
    for text in ["- alpha beta gamma delta\n".repeat(120_000), "a\n".repeat(1 << 20), "*".repeat(4 << 20)] {
        let (document, _, peak) = markdown(&text);
        assert!(document.is_none() && peak < 1 << 20, "{peak}");
    }
    let options = HtmlOptions { refs: &StableRefs, extract: Extract::Everything };
    let text = "<p>a".repeat(1 << 20);
    let (page, _, peak) = measured(|| html::try_parse(&text, &options, &|| false));
    assert!(page.is_err() && peak < 1 << 20, "{peak}");
}

/// Measures 3.6 MB of paragraphs.
fn prose() {
    let sentence = "The quick brown fox jumps over the lazy dog and then it rests in the shade of a tree. ";
    let text = format!("{}\n\n", sentence.repeat(6)).repeat(7_000);
    let (document, held, peak) = markdown(&text);
    assert!(document.is_some() && held < 2 * text.len(), "{held}");
    assert!(peak <= 6 * text.len(), "{peak} for {}", text.len());
}
