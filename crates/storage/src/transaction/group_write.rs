//! Write of a group, with a result of any type.

use std::sync::Arc;

use quire_database::group_queue::Waiting;
use tokio::sync::oneshot;

use crate::content::store::AnalyzedDocument;
use crate::transaction::{LookupFacts, Tx};
use crate::{Error, Result};

/// Write that may share its transaction with others. Its work may run twice, the second time after a rollback. It must
/// not look up anything by a token.
pub struct GroupWrite<W> {
    /// Facts from its lookup.
    pub known: LookupFacts,
    /// Documents to store before the transaction.
    pub documents: Arc<[AnalyzedDocument]>,
    /// Work in the transaction.
    pub work: W,
}

/// Outcome of the work of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Performed {
    Done,
    Failed,
}

/// Write that waits for its transaction.
pub(crate) trait Member: Waiting {
    /// Returns the facts from its lookup.
    fn known(&self) -> LookupFacts;

    /// Returns the documents to store before the transaction.
    fn documents(&self) -> Arc<[AnalyzedDocument]>;

    /// Does the work, and stores its result.
    fn perform(&mut self, tx: &mut Tx<'_>) -> Performed;
}

/// Write with the type of its result.
pub(crate) struct Typed<T, E, W> {
    write: GroupWrite<W>,
    result: Option<std::result::Result<T, E>>,
    reply: oneshot::Sender<std::result::Result<T, E>>,
}

impl<T, E, W> Typed<T, E, W> {
    pub(crate) fn new(write: GroupWrite<W>, reply: oneshot::Sender<std::result::Result<T, E>>) -> Self {
        Self { write, result: None, reply }
    }
}

impl<T, E, W> Member for Typed<T, E, W>
where
    T: Send,
    E: From<Error> + Send,
    W: FnMut(&mut Tx<'_>) -> std::result::Result<T, E> + Send,
{
    fn known(&self) -> LookupFacts {
        self.write.known
    }

    fn documents(&self) -> Arc<[AnalyzedDocument]> {
        Arc::clone(&self.write.documents)
    }

    fn perform(&mut self, tx: &mut Tx<'_>) -> Performed {
        let result = (self.write.work)(tx);
        let performed = if result.is_ok() { Performed::Done } else { Performed::Failed };
        self.result = Some(result);
        performed
    }
}

impl<T, E, W> Waiting for Typed<T, E, W>
where
    T: Send,
    E: From<Error> + Send,
    W: FnMut(&mut Tx<'_>) -> std::result::Result<T, E> + Send,
{
    fn is_given_up(&self) -> bool {
        self.reply.is_closed()
    }

    fn answer(self: Box<Self>, committed: Result<()>) {
        let Self { write: _, result, reply } = *self;
        let result = match (committed, result) {
            (Ok(()), Some(result)) => result,
            // The error of the work is more specific than the error of the transaction that it ended.
            (Err(Error::Outdated), Some(Err(error))) => Err(error),
            (Err(error), _) => Err(error.into()),
            (Ok(()), None) => {
                Err(Error::Internal("a write was left out", anyhow::anyhow!("of a group")).into())
            }
        };
        // The caller may have been cancelled.
        let _ = reply.send(result);
    }
}
