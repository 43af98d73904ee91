//! Preconditions of content writes.

use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::RevisionId;

/// Accepted head revisions of a write. Without a condition any head is accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedRevisions(Option<Vec<RevisionId>>);

impl ExpectedRevisions {
    /// Passes if there is no condition, or if the head is one of the expected revisions.
    ///
    /// # Errors
    /// [`Reason::PreconditionFailed`] otherwise.
    pub fn check(&self, head: RevisionId) -> Result<(), Refusal> {
        match &self.0 {
            Some(expected) if !expected.contains(&head) => Err(Refusal::new(Reason::PreconditionFailed)),
            _ => Ok(()),
        }
    }
}

impl From<Option<Vec<RevisionId>>> for ExpectedRevisions {
    fn from(revisions: Option<Vec<RevisionId>>) -> Self {
        Self(revisions)
    }
}

/// Returns the refusal of a write whose base is not the head.
pub(crate) fn stale_revision(base: RevisionId, head: RevisionId) -> Refusal {
    let refusal = Refusal::new(Reason::StaleRevision).at("base", base.to_string());
    refusal.at("revision", head.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_passes_without_a_condition_or_when_it_is_expected() {
        let [head, other] = ["01", "02"]
            .map(|last| format!("0190a5d2-7c1e-7000-8000-0000000000{last}").parse::<RevisionId>().unwrap());
        assert_eq!(ExpectedRevisions::default().check(head), Ok(()));
        assert_eq!(ExpectedRevisions::from(Some(vec![other, head])).check(head), Ok(()));
        for expected in [vec![], vec![other]] {
            let refused = ExpectedRevisions::from(Some(expected)).check(head).unwrap_err();
            assert_eq!(refused.reason, Reason::PreconditionFailed);
        }
    }
}
