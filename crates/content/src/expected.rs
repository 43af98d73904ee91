//! Preconditions of content writes.

use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::RevisionId;

/// The revisions of which one must be the head for a write to happen; any without a condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedRevisions(Option<Vec<RevisionId>>);

impl ExpectedRevisions {
    /// Passes when there is no condition, or the head is one of the expected revisions.
    ///
    /// # Errors
    /// [`Reason::PreconditionFailed`] otherwise.
    pub fn check(&self, head: RevisionId) -> Result<(), Refusal> {
        match &self.0 {
            Some(expected) if !expected.contains(&head) => Err(Refusal::new(Reason::PreconditionFailed)),
            _ => Ok(()),
        }
    }

    /// The revisions; `None` without a condition.
    #[must_use]
    pub fn into_revisions(self) -> Option<Vec<RevisionId>> {
        self.0
    }
}

impl From<Option<Vec<RevisionId>>> for ExpectedRevisions {
    fn from(revisions: Option<Vec<RevisionId>>) -> Self {
        Self(revisions)
    }
}
