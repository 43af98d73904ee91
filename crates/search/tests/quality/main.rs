//! Quality of search: queries derived from real documentation must find the page that they come from.
//!
//! Each rule states the share of queries that must succeed. A rule that fails prints its misses.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::print_stdout,
    reason = "a test that can't go on can only fail"
)]

mod material;
mod queries;

use std::collections::HashMap;

use material::{Corpus, Random};
use quire_domain::ids::PageId;
use quire_search::Query;

/// Query and the page that it must find.
struct Case {
    query: String,
    page: PageId,
}

/// Runs all queries of a rule. The page must be among the first `first` hits.
fn check(corpus: &Corpus, rule: &str, share: f64, first: usize, cases: Vec<Case>) -> Result<(), String> {
    let titles: HashMap<PageId, &str> =
        corpus.texts.iter().map(|text| (text.id, text.title.as_str())).collect();
    let mut misses = Vec::new();
    for case in &cases {
        let query = Query::new(&case.query, corpus.language);
        let found = corpus.index.snapshot().search(&query, &[corpus.scope()]).unwrap();
        let hits = found.pages(None, first);
        if !hits.iter().any(|hit| hit.page == case.page) {
            let found: Vec<&str> = hits.iter().map(|hit| titles[&hit.page]).collect();
            misses.push(format!("  `{}` misses `{}`, finds {found:?}", case.query, titles[&case.page]));
        }
    }
    let found = (cases.len() - misses.len()) as f64 / cases.len() as f64;
    let line = format!(
        "{}: {rule}: {:.1} % of {}, {:.0} % wanted",
        corpus.name,
        found * 100.0,
        cases.len(),
        share * 100.0
    );
    println!("{line}\n{}", misses.join("\n"));
    assert!(cases.len() >= 20, "{line}: too few queries");
    if found < share { Err(format!("{line}\n{}", misses.join("\n"))) } else { Ok(()) }
}

#[test]
fn queries_find_the_pages_that_they_come_from() {
    let mut failures = Vec::new();
    for corpus in material::corpora() {
        let mut random = Random::new();
        let mut rule = |name: &str, share: f64, first: usize, cases: Vec<Case>| {
            failures.extend(check(&corpus, name, share, first, cases).err());
        };
        rule("titles", 0.97, 1, queries::titles(&corpus));
        rule("headings", 0.95, 3, queries::headings(&corpus));
        rule("prefixes of titles", 0.98, 3, queries::prefixes(&corpus, &mut random));
        if corpus.is_dense {
            rule("four consecutive characters", 0.99, usize::MAX, queries::characters(&corpus, &mut random));
            rule("eight consecutive characters", 0.95, 3, queries::long_characters(&corpus, &mut random));
            continue;
        }
        rule("five consecutive words", 0.95, 3, queries::five_words(&corpus, &mut random, false));
        rule("five reordered words", 0.95, 3, queries::five_words(&corpus, &mut random, true));
        rule("one typing error in a title", 0.98, 3, queries::errors_in_titles(&corpus, &mut random));
        rule("one typing error in a text", 0.98, 3, queries::errors_in_texts(&corpus, &mut random));
        if corpus.name == "German" {
            rule("compounds", 0.98, usize::MAX, queries::compounds(&corpus));
            rule("ends of compounds", 0.98, usize::MAX, queries::ends_of_compounds(&corpus));
            rule("umlauts left off", 0.98, usize::MAX, queries::umlauts(&corpus, false));
            rule("umlauts spelled out", 0.98, usize::MAX, queries::umlauts(&corpus, true));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
