//! Slugs of the pages of a specification.

use std::collections::{HashMap, HashSet};

/// Assigned slugs of pages.
#[derive(Default)]
pub(super) struct Slugs {
    /// Assigned slugs below each page.
    taken: HashSet<(Option<usize>, String)>,
    /// Number of requests for each slug that was taken.
    wished: HashMap<(Option<usize>, String), usize>,
}

impl Slugs {
    /// Returns the wanted slug, with a number if a sibling has it.
    pub(super) fn free(&mut self, parent: Option<usize>, wanted: String) -> String {
        let mut slug = wanted.clone();
        loop {
            if self.taken.insert((parent, slug.clone())) {
                return slug;
            }
            let number = self.wished.entry((parent, wanted.clone())).or_default();
            *number = number.saturating_add(1);
            slug = format!("{wanted}-{number}");
        }
    }
}
