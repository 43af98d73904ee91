//! Scoring of words in a row, for the best pages.

use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet as _, SegmentReader, Term};

use crate::Result;
use crate::query::Rows;
use crate::schema::FIELDS;

/// Returns the fields with the weights of words in a row.
fn fields() -> [(Field, f32); 3] {
    [(FIELDS.title, 2.0), (FIELDS.headings, 1.5), (FIELDS.body, 1.0)]
}

/// Calls `add` with the index of each page and the score of its words in a row. `pages` are in the order of their
/// numbers.
///
/// The positions of a word in a page are read once, even if the word belongs to several pairs.
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
            // Reading positions is slower than reading lists, so only pages with at least two of the words are read.
            let mut present = 0;
            for list in lists.iter_mut().flatten() {
                present += usize::from(has(list, *page));
            }
            if present < 2 {
                continue;
            }
            for (list, positions) in lists.iter_mut().zip(&mut positions) {
                positions.clear();
                if let Some(list) = list.as_mut().filter(|list| list.doc() == *page) {
                    list.positions(positions);
                }
            }
            let mut score = rows.in_order(&positions) * weight;
            if field == FIELDS.body {
                score += rows.in_any_order(&positions);
            }
            add(at, score);
        }
    }
    Ok(())
}

/// Returns whether a page has a word. Must be called in the order of page numbers.
fn has(list: &mut SegmentPostings, page: DocId) -> bool {
    if list.doc() < page {
        list.seek(page);
    }
    list.doc() == page
}
