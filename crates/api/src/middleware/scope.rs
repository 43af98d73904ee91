//! What the work behind a handler knows of the request that it is done for.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use quire_domain::ids::UserId;
use quire_storage::audit::Change;
use quire_storage::{Reader, Result, Tx};

/// Who asks, once a lookup has found out, and what goes into the audit log. Shared with the threads that do the work.
#[derive(Clone, Default)]
pub(crate) struct RequestScope(Arc<Inner>);

#[derive(Default)]
struct Inner {
    actor: OnceLock<UserId>,
    change: Option<Change>,
    audited: AtomicBool,
}

tokio::task_local! {
    static SCOPE: RequestScope;
}

impl RequestScope {
    /// That of a request; `change` is what the audit log shall say if it changes something.
    pub(crate) fn new(change: Option<Change>) -> Self {
        Self(Arc::new(Inner { change, ..Inner::default() }))
    }

    /// That of the request which the current task answers; outside of a request, one that nobody reads.
    pub(crate) fn current() -> Self {
        SCOPE.try_with(Clone::clone).unwrap_or_default()
    }

    /// Does `work` within this scope.
    pub(crate) async fn enclose<T>(self, work: impl Future<Output = T>) -> T {
        SCOPE.scope(self, work).await
    }

    /// Notes whom a lookup has found; the first one stays.
    pub(crate) fn note(&self, reader: &Reader<'_>) {
        if let Some(actor) = reader.seen_actor() {
            let _ = self.0.actor.set(actor.user);
        }
    }

    /// The user of the token, once a lookup has found it.
    pub(crate) fn actor(&self) -> Option<UserId> {
        self.0.actor.get().copied()
    }

    /// Takes the entry of the audit log away, for what is only done after the answer: it goes with the work.
    pub(crate) fn defer(&self) -> Option<Change> {
        let first = !self.0.audited.swap(true, Ordering::Relaxed);
        self.0.change.clone().filter(|_| first)
    }

    /// Writes the entry of the audit log, at the end of the first transaction of the request.
    ///
    /// # Errors
    /// When the statement fails.
    pub(crate) fn audit(&self, tx: &mut Tx<'_>) -> Result<()> {
        match &self.0.change {
            Some(change) if !self.0.audited.swap(true, Ordering::Relaxed) => tx.audit(change),
            _ => Ok(()),
        }
    }
}

/// The actor, as the access log shows it.
impl fmt::Display for RequestScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.actor.get() {
            Some(user) => user.fmt(f),
            None => f.write_str("-"),
        }
    }
}
