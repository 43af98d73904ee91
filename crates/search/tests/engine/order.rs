//! The order of pages that match equally well.

use quire_domain::ids::{PageId, SpaceId};
use quire_search::{Index, Language, Page, Query, Scope};

use crate::{indexed, memory, page, space, text};

/// Pages of two spaces, with more equal ranks than a search orders at once.
const PAGES: u128 = 1_500;

/// An index of several segments, in which ids take turns and the pages are not in the order of their ids.
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
    // The words in a row count only for the best pages, which are those with the lowest ids.
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
        assert_eq!(ranking.spaces_count(), 2);
        let spaces = ranking.spaces(None, 9, 3).into_iter();
        let spaces =
            spaces.map(|found| (found.space, found.scope, found.pages.iter().map(|hit| hit.page).collect()));
        let spaces: Vec<(SpaceId, usize, Vec<PageId>)> = spaces.collect();
        let of = |number, scope, ids: [u128; 3]| (space(number), scope, ids.map(page).to_vec());
        assert_eq!(spaces, [of(1, 2, [1, 3, 5]), of(2, 1, [0, 2, 4])], "{query}");
    }
}
