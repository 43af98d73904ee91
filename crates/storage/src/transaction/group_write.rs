//! A write of a group, of any result.

use std::sync::Arc;

use quire_database::group_queue::Waiting;
use tokio::sync::oneshot;

use crate::content::store::AnalyzedDocument;
use crate::transaction::{Known, Tx};
use crate::{Error, Result};

/// A write that may share its transaction. Its work may run twice, the second time after a rollback. It must not look
/// anything up by a token.
pub struct GroupWrite<W> {
    /// Facts of its lookup.
    pub known: Known,
    /// Documents to store ahead of the transaction.
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

/// A write that waits for its transaction.
pub(crate) trait Member: Waiting {
    /// Returns the facts of its lookup.
    fn known(&self) -> Known;

    /// Returns the documents to store ahead of the transaction.
    fn documents(&self) -> Arc<[AnalyzedDocument]>;

    /// Does the work, and keeps its result.
    fn perform(&mut self, tx: &mut Tx<'_>) -> Performed;
}

/// A write with the type of its result.
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
    fn known(&self) -> Known {
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
            // The error of the work says more than that of the transaction that it ended.
            (Err(Error::Outdated), Some(Err(error))) => Err(error),
            (Err(error), _) => Err(error.into()),
            (Ok(()), None) => {
                Err(Error::Internal("a write was left out", anyhow::anyhow!("of a group")).into())
            }
        };
        // The caller may have gone meanwhile.
        let _ = reply.send(result);
    }
}
