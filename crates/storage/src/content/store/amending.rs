//! Effect of a save on the previous revision.

use quire_domain::clock::Timestamp;

use crate::content::store::RevisionRecord;

/// Effect of an edit on the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Amending {
    /// Both revisions stay.
    #[default]
    Never,
    /// The head stays, and later saves may replace the new revision.
    Begins,
    /// The new revision replaces the head.
    Replaces,
}

/// Returns the time of the first save of a revision.
pub(super) fn begun_at(revision: &RevisionRecord) -> Timestamp {
    revision.begun_at.unwrap_or(revision.created_at)
}
