//! Measures the rendering time of pages: `cargo run --release -p quire-render --example speed -- folder…` renders every
//! Markdown file below the folders.

#![allow(clippy::print_stdout, reason = "a program prints its result")]

use quire_markup::{Document, StableRefs, parse};
use quire_render::{Highlighter, Options, Resolved, render, word_count};
use std::path::Path;
use std::time::{Duration, Instant};

fn pages(folder: &Path, found: &mut Vec<Document>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            found.push(parse(&text, &StableRefs));
        }
    }
}

fn main() {
    let mut documents = Vec::new();
    std::env::args().skip(1).for_each(|folder| pages(Path::new(&folder), &mut documents));
    let highlighter = Highlighter::default();
    let resolved = Resolved { shows_all: true, ..Resolved::default() };
    let timed = |document: &Document| {
        let start = Instant::now();
        let page = render(document, &resolved, &Options::english(&highlighter));
        (start.elapsed(), page.html.len())
    };
    let words: usize = documents.iter().map(word_count).sum();
    let first: Duration = documents.iter().map(|document| timed(document).0).sum();
    // The minimum of several runs excludes the noise of the machine.
    let best = |document: &Document| (0..5).map(|_| timed(document)).min().unwrap_or_default();
    let runs: Vec<(Duration, usize)> = documents.iter().map(best).collect();
    let total: Duration = runs.iter().map(|run| run.0).sum();
    let bytes: usize = runs.iter().map(|run| run.1).sum();
    let longest = runs.iter().map(|run| run.0).max().unwrap_or_default();
    let millis = |time: Duration| time.as_secs_f64() * 1_000.0;
    let thousands = f64::from(u32::try_from(words).unwrap_or(u32::MAX)) / 1_000.0;
    println!("{} pages, {words} words, {bytes} bytes of HTML", documents.len());
    println!(
        "first run {:.1} ms, then {:.1} ms; the slowest page {:.2} ms",
        millis(first),
        millis(total),
        millis(longest)
    );
    println!("2,000 words: {:.2} ms", millis(total) / thousands * 2.0);
}
