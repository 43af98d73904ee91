//! Positions of imported pages.

use std::collections::HashMap;

use quire_domain::ids::PageId;
use quire_revision::{Position, Tree};

use crate::plan::PlannedPage;

/// Positions of planned pages. Those of siblings are generated together, since consecutive single keys grow in length.
pub(super) struct Rows {
    /// The number of children of each planned page, and at the top of the plan.
    lengths: HashMap<Option<PageId>, usize>,
    /// Their unused positions.
    free: HashMap<Option<PageId>, std::vec::IntoIter<Position>>,
}

impl Rows {
    /// Counts the pages below the replaced page as pages at the top of the plan: both become its children.
    pub(super) fn of(pages: &[PlannedPage], replaced: Option<PageId>) -> Self {
        let mut rows = Self { lengths: HashMap::new(), free: HashMap::new() };
        for page in pages.iter().filter(|page| Some(page.id) != replaced) {
            *rows.lengths.entry(page.parent.filter(|parent| Some(*parent) != replaced)).or_default() += 1;
        }
        rows
    }

    /// Returns the next position after the children of `parent`; `planned` is the id of the parent in the plan.
    pub(super) fn next(
        &mut self,
        tree: &Tree,
        parent: Option<PageId>,
        planned: Option<PageId>,
    ) -> Option<Position> {
        let positions = self.free.entry(parent).or_insert_with(|| {
            // A parent that is not in the plan is the destination, which holds the top of the plan.
            let length = self.lengths.get(&planned).or_else(|| self.lengths.get(&None));
            let last = tree.children(parent).next_back().map(|page| &page.position);
            Position::n_between(last, None, length.copied().unwrap_or_default())
                .unwrap_or_default()
                .into_iter()
        });
        positions.next()
    }
}
