//! Effect of a save on the revision before it.

use quire_domain::clock::Timestamp;

use crate::content::store::RevisionRecord;

/// Effect of an edit on the revision that it is made to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Amending {
    /// It stays, and so does the new one.
    #[default]
    Never,
    /// It stays, and later saves may replace the new one.
    Begins,
    /// The new one replaces it.
    Replaces,
}

/// Returns the time of the first save of a revision.
pub(super) fn begun_at(revision: &RevisionRecord) -> Timestamp {
    revision.begun_at.unwrap_or(revision.created_at)
}
