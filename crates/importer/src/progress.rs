//! Progress of an import.

use std::sync::{Arc, Mutex, PoisonError};

use quire_domain::imports::ImportPhase;

/// Shared progress counter of an import. Clones share its state.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<Mutex<Snapshot>>);

/// Progress of a phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The phase; `None` before the first.
    pub phase: Option<ImportPhase>,
    /// Units done: bytes while fetching, files while reading, pages while planning or crawling a website, files and
    /// documents while storing.
    pub done: u64,
    /// Total units, if known.
    pub total: Option<u64>,
}

impl Progress {
    /// Begins a phase.
    pub fn enter(&self, phase: ImportPhase, total: Option<u64>) {
        self.change(|snapshot| *snapshot = Snapshot { phase: Some(phase), done: 0, total });
    }

    /// Adds to the units done, up to the total, since work may be repeated.
    pub fn advance(&self, by: u64) {
        self.change(|snapshot| {
            let done = snapshot.done.saturating_add(by);
            snapshot.done = snapshot.total.map_or(done, |total| done.min(total));
        });
    }

    /// Sets the total units.
    pub fn expect(&self, total: u64) {
        self.change(|snapshot| snapshot.total = Some(total));
    }

    /// Returns the current progress.
    #[must_use]
    pub fn now(&self) -> Snapshot {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Snapshot)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_work_does_not_exceed_the_total() {
        let progress = Progress::default();
        progress.enter(ImportPhase::Storing, Some(3));
        progress.advance(2);
        progress.advance(2);
        assert_eq!((progress.now().done, progress.now().total), (3, Some(3)));
        progress.enter(ImportPhase::Planning, None);
        progress.advance(5);
        assert_eq!(progress.now().done, 5);
    }
}
