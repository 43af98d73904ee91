//! Words that follow each other in the best pages.

use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet as _, SegmentReader, Term};

use crate::Result;
use crate::query::Rows;
use crate::schema::FIELDS;

/// Fields with the weights of words in a row.
fn fields() -> [(Field, f32); 3] {
    [(FIELDS.title, 2.0), (FIELDS.headings, 1.5), (FIELDS.body, 1.0)]
}

/// Calls `add` with the position of each page and the score of the words that follow each other in it. `pages` are in
/// the order of their numbers.
///
/// The positions of a word in a page are read once, however many pairs of words it belongs to.
pub(super) fn for_each_row(
    segment: &SegmentReader,
    rows: &Rows,
    pages: &[DocId],
    mut add: impl FnMut(usize, f32),
) -> Result<()> {
    for (field, weight) in fields() {
        let index = segment.inverted_index(field)?;
        let open = |(_, word): &(u32, String)| {
            let term = Term::from_field_text(field, word);
            index.read_postings(&term, IndexRecordOption::WithFreqsAndPositions)
        };
        let mut lists = rows.words.iter().map(open).collect::<std::io::Result<Vec<_>>>()?;
        if lists.iter().filter(|list| list.is_some()).count() < 2 {
            continue;
        }
        let mut positions: Vec<Vec<u32>> = vec![Vec::new(); lists.len()];
        for (at, page) in pages.iter().enumerate() {
            let mut present = 0;
            for (list, positions) in lists.iter_mut().zip(&mut positions) {
                positions.clear();
                present += usize::from(list.as_mut().is_some_and(|list| read(list, *page, positions)));
            }
            if present >= 2 {
                let mut score = rows.in_order(&positions) * weight;
                if field == FIELDS.body {
                    score += rows.in_any_order(&positions);
                }
                add(at, score);
            }
        }
    }
    Ok(())
}

/// Reads the positions of a word in a page; returns false if the page lacks it.
fn read(list: &mut SegmentPostings, page: DocId, positions: &mut Vec<u32>) -> bool {
    if list.doc() < page {
        list.seek(page);
    }
    let is_present = list.doc() == page;
    if is_present {
        list.positions(positions);
    }
    is_present
}
