//! Cached scores of frequent words.

use quire_search::{Hit, Index, Language, Options, Page, Query};

use crate::{add, indexed, page, space, text};

/// Number of pages of each space, enough for scores to be cached.
const PAGES: u128 = 700;

const QUERIES: [&str; 6] = ["often", "often some", "some of", "oft", "ofte", "rare often"];

fn index(score_bytes: u64) -> Index {
    let index = Index::open(Options { score_bytes, ..Options::default() }).unwrap();
    let texts: Vec<String> = (0..2 * PAGES)
        .map(|number| {
            let some = if number % 3 == 0 { "some" } else { "" };
            let rare = if number % 100 == 0 { "rare" } else { "" };
            let often = "often ".repeat(1 + usize::try_from(number % 5).unwrap());
            format!(
                "{some} words of a page {often} {rare} {}",
                "more ".repeat(usize::try_from(number % 50).unwrap())
            )
        })
        .collect();
    let mut update = index.update().unwrap();
    for (half, texts) in (1..).zip(texts.chunks(texts.len() / 2)) {
        let pages: Vec<Page<'_>> =
            (half * PAGES..).zip(texts).map(|(number, body)| text(number, "Title", body)).collect();
        update.add(space(half), Language::SIMPLE, &pages).unwrap();
    }
    update.commit().unwrap();
    index
}

fn hits(index: &Index, query: &str, spaces: &[u128]) -> Vec<Hit> {
    let scopes: Vec<_> = spaces.iter().map(|number| indexed(space(*number))).collect();
    let query = Query::new(query, Language::SIMPLE);
    index.snapshot().search(&query, &scopes).unwrap().pages(None, usize::MAX)
}

#[test]
fn kept_scores_are_those_of_the_lists() {
    let (keeps, computes) = (index(1 << 20), index(0));
    for round in 0..2 {
        for query in QUERIES {
            for spaces in [&[1][..], &[2], &[1, 2]] {
                let expected = hits(&computes, query, spaces);
                assert!(!expected.is_empty(), "{query}");
                assert_eq!(hits(&keeps, query, spaces), expected, "{query} in {spaces:?}, round {round}");
            }
        }
    }
}

#[test]
fn kept_scores_do_not_show_removed_pages() {
    let index = index(1 << 20);
    assert_eq!(hits(&index, "often", &[1, 2]).len(), 1_400);
    let mut update = index.update().unwrap();
    update.remove(space(1), [page(PAGES), page(PAGES + 1)]).unwrap();
    update.commit().unwrap();
    add(&index, space(3), &[text(9_999, "Often", "often")]);
    assert_eq!(hits(&index, "often", &[1, 2]).len(), 1_398);
    let all = hits(&index, "often", &[1, 2, 3]);
    assert_eq!((all.len(), all.first().map(|hit| hit.page)), (1_399, Some(page(9_999))));
}
