//! The operations that leave entries in the audit log.

use std::collections::HashMap;

use actix_web::http::Method;

/// The entries that an operation may leave in the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Its id.
    pub operation: &'static str,
    /// Set for an entry when it is done.
    pub when_done: bool,
    /// Set for an entry when it is refused.
    pub when_refused: bool,
}

/// The recordings of an application, by method and path pattern as actix matches them. It is in the application's data
/// as `web::Data<Recordings>`.
#[derive(Clone, Debug, Default)]
pub struct Recordings(HashMap<(Method, String), Recording>);

impl Recordings {
    /// Returns the recording of an operation; `None` for one that leaves no entries.
    #[must_use]
    pub fn get(&self, method: Method, pattern: String) -> Option<Recording> {
        self.0.get(&(method, pattern)).copied()
    }
}

impl FromIterator<((Method, String), Recording)> for Recordings {
    fn from_iter<I: IntoIterator<Item = ((Method, String), Recording)>>(recordings: I) -> Self {
        let leaves_entries = |(_, recording): &(_, Recording)| recording.when_done || recording.when_refused;
        Self(recordings.into_iter().filter(leaves_entries).collect())
    }
}
