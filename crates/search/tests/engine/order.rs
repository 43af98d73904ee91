//! Order of pages that match equally well.

use quire_domain::ids::{PageId, SpaceId};
use quire_search::{Index, Language, Page, Query, Scope};

use crate::{indexed, memory, page, space, text};

/// Number of pages in two spaces: more equal ranks than a search sorts at once.
const PAGES: u128 = 1_500;

/// Returns an index of several segments with interleaved ids, whose pages are not in the order of their ids.
fn index() -> Index {
    let index = memory();
    for segment in 0..3 {
        let mut update = index.update().unwrap();
        for number in 1..=2 {
            let ids =
                (0..PAGES).map(|at| at * 719 % PAGES).filter(|id| id % 3 == segment && id % 2 == number % 2);
            let pages: Vec<Page<'_>> = ids.map(|id| text(id, "Title", "a common word")).collect();
            update.add(space(number), Language::SIMPLE, &pages).unwrap();
        }
        update.commit().unwrap();
    }
    index
}

#[test]
fn equal_pages_of_several_segments_are_ordered_by_their_ids() {
    let index = index();
    let scopes: Vec<Scope> = [9, 2, 1].map(|number| indexed(space(number))).into();
    // Words in a row only count for the best pages, which have the lowest ids.
    for query in ["common", "common word"] {
        let ranking = index.snapshot().search(&Query::new(query, Language::SIMPLE), &scopes).unwrap();
        let expected: Vec<PageId> = (0..PAGES).map(page).collect();
        let all: Vec<PageId> = ranking.pages(None, usize::MAX).iter().map(|hit| hit.page).collect();
        assert!(all == expected, "{query}");
        let (mut walked, mut after) = (Vec::new(), None);
        loop {
            let hits = ranking.pages(after, 70);
            let Some(last) = hits.last() else { break };
            after = Some((last.rank, last.page));
            walked.extend(hits.iter().map(|hit| hit.page));
        }
        assert!(walked == expected, "{query}, page by page");
        let positions = ranking.positions(&ranking.pages(None, 70));
        assert_eq!(positions, vec![1; 70], "equal pages share a position");
        assert_eq!(ranking.spaces_count(), 2);
        let spaces = ranking.spaces(None, 9, 3).into_iter();
        let spaces =
            spaces.map(|found| (found.space, found.scope, found.pages.iter().map(|hit| hit.page).collect()));
        let spaces: Vec<(SpaceId, usize, Vec<PageId>)> = spaces.collect();
        let of = |number, scope, ids: [u128; 3]| (space(number), scope, ids.map(page).to_vec());
        assert_eq!(spaces, [of(1, 2, [1, 3, 5]), of(2, 1, [0, 2, 4])], "{query}");
    }
}

#[test]
fn positions_are_those_among_all_pages() {
    let index = memory();
    let bodies: Vec<String> = (0..40).map(|id| format!("word{}", " filler".repeat(id % 8))).collect();
    let pages: Vec<Page<'_>> = (0..).zip(&bodies).map(|(id, body)| text(id, "Title", body)).collect();
    let (first, second) = pages.split_at(13);
    crate::add(&index, space(1), first);
    crate::add(&index, space(2), second);
    let query = Query::new("word", Language::SIMPLE);
    let ranking = index.snapshot().search(&query, &[indexed(space(1)), indexed(space(2))]).unwrap();
    let all = ranking.pages(None, usize::MAX);
    assert_eq!(all.len(), 40);
    let expected = |hit: &quire_search::Hit| {
        u64::try_from(all.iter().filter(|other| other.rank > hit.rank).count()).unwrap() + 1
    };
    for some in [&all[..], &all[30..], &all[7..8], &[]] {
        assert_eq!(ranking.positions(some), some.iter().map(expected).collect::<Vec<_>>());
    }
    assert!(all.windows(2).all(|pair| pair[0].score() >= pair[1].score()));
}
