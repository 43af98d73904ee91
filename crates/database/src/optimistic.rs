//! Optimistic work: drafted before its transaction, and committed in it.
//!
//! Parsing, merging and analyzing documents takes too long under a lock that other writers wait for. It happens before
//! the transaction, on the content read then. Under the lock, the content is compared with the content that the draft
//! was made from: by hashes, and by the results of the lookups that the draft depends on. If they differ, the
//! transaction ends with [`Error::Outdated`] and the work is drafted again.

use std::cell::Cell;

use crate::Error;

/// Maximum number of drafts of a piece of work. A draft becomes outdated only if another writer changed its inputs
/// between the read and the lock, so this many attempts in a row mean that the content changes faster than it can be
/// read.
pub const MAX_DRAFTS: usize = 5;

/// Errors that can mean that a draft is outdated.
pub trait DraftError {
    /// Returns whether the error is [`Error::Outdated`].
    fn is_outdated(&self) -> bool;
}

impl DraftError for Error {
    fn is_outdated(&self) -> bool {
        matches!(self, Self::Outdated)
    }
}

/// Drafts work and commits it. If a draft is outdated at the commit, it is replaced by a new one, up to [`MAX_DRAFTS`]
/// drafts.
///
/// # Errors
/// The error of `draft` or `commit`; the error of the last commit if every draft was outdated.
pub async fn commit_draft<D, T, E, Drafting, Committing>(
    mut draft: impl FnMut() -> Drafting,
    mut commit: impl FnMut(D) -> Committing,
) -> Result<T, E>
where
    E: DraftError,
    Drafting: Future<Output = Result<D, E>>,
    Committing: Future<Output = Result<T, E>>,
{
    let mut drafts: usize = 0;
    loop {
        drafts = drafts.saturating_add(1);
        match commit(draft().await?).await {
            Err(error) if error.is_outdated() && drafts < MAX_DRAFTS => {
                log::debug!("draft {drafts} was outdated when it was committed");
            }
            result => return result,
        }
    }
}

thread_local! {
    static OPEN_TRANSACTIONS: Cell<usize> = const { Cell::new(0) };
}

/// Guard that marks the calling thread as inside a transaction until it is dropped.
pub(crate) struct InTransaction(());

impl InTransaction {
    pub(crate) fn enter() -> Self {
        OPEN_TRANSACTIONS.set(OPEN_TRANSACTIONS.get().saturating_add(1));
        Self(())
    }
}

impl Drop for InTransaction {
    fn drop(&mut self) {
        OPEN_TRANSACTIONS.set(OPEN_TRANSACTIONS.get().saturating_sub(1));
    }
}

/// Asserts in debug builds that the calling thread is not inside a transaction. Functions that must not run under a
/// lock call this, so that every test checks it.
pub fn debug_assert_outside_transaction() {
    debug_assert!(OPEN_TRANSACTIONS.get() == 0, "this work must not be done inside a transaction");
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use futures_util::FutureExt as _;

    use super::*;

    fn commit(outdated: usize) -> (Result<usize, Error>, usize) {
        let mut drafts = 0;
        let draft = || {
            drafts += 1;
            ready(Ok(drafts))
        };
        let commit = |draft| ready(if draft <= outdated { Err(Error::Outdated) } else { Ok(draft) });
        let result = commit_draft(draft, commit).now_or_never().unwrap();
        (result, drafts)
    }

    #[test]
    fn an_outdated_draft_is_replaced() {
        assert!(matches!(commit(0), (Ok(1), 1)));
        assert!(matches!(commit(2), (Ok(3), 3)));
    }

    #[test]
    fn the_number_of_drafts_is_bounded() {
        assert!(matches!(commit(usize::MAX), (Err(Error::Outdated), MAX_DRAFTS)));
    }

    #[test]
    fn other_errors_end_the_work() {
        let result: Result<(), Error> =
            commit_draft(|| ready(Ok(())), |()| ready(Err(Error::NotFound))).now_or_never().unwrap();
        assert!(matches!(result, Err(Error::NotFound)));
    }

    #[test]
    #[should_panic(expected = "must not be done inside a transaction")]
    fn work_inside_a_transaction_is_detected() {
        let _open = InTransaction::enter();
        debug_assert_outside_transaction();
    }
}
