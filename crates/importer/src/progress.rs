//! How far an import is, for whoever watches it.

use std::sync::{Arc, Mutex, PoisonError};

use quire_domain::imports::ImportPhase;

/// Where the work of an import stands. Its clones show the same.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<Mutex<Stand>>);

/// What is done of a phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stand {
    /// The phase; `None` before the first.
    pub phase: Option<ImportPhase>,
    /// How much of it is done: bytes while fetching, files while reading and storing, pages of a website.
    pub done: u64,
    /// How much there is to do, where that is known.
    pub total: Option<u64>,
}

impl Progress {
    /// Begins a phase.
    pub fn enter(&self, phase: ImportPhase, total: Option<u64>) {
        self.change(|stand| *stand = Stand { phase: Some(phase), done: 0, total });
    }

    /// Notes that this much more is done.
    pub fn advance(&self, by: u64) {
        self.change(|stand| stand.done = stand.done.saturating_add(by));
    }

    /// Notes that there is this much to do in all.
    pub fn expect(&self, total: u64) {
        self.change(|stand| stand.total = Some(total));
    }

    /// Where it stands now.
    #[must_use]
    pub fn now(&self) -> Stand {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Stand)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
