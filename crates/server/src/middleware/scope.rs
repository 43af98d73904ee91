//! Context of a request for the work behind its handler.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use quire_domain::ids::UserId;
use quire_storage::lookup::Actor;
use quire_storage::operations::audit::Change;
use quire_storage::{ReadRoute, Reader, Server, Tenant, Tx};

use crate::audit_rule::Recording;
use crate::idempotency::keyed::Keyed;

/// Actor of a request, once a lookup has found it, and the pending audit log entry. The scope is shared with the
/// threads that do the work.
#[derive(Clone, Default)]
pub struct RequestScope(Arc<Inner>);

#[derive(Default)]
struct Inner {
    actor: OnceLock<Actor>,
    tenant: OnceLock<Tenant>,
    change: Option<(Recording, Change)>,
    audited: AtomicBool,
    keyed: OnceLock<Arc<Keyed>>,
    route: ReadRoute,
    written: AtomicBool,
}

tokio::task_local! {
    static SCOPE: RequestScope;
}

impl RequestScope {
    /// Creates the scope of a request. `change` is its possible audit log entry, `route` selects the server of its
    /// reads.
    pub fn new(change: Option<(Recording, Change)>, route: ReadRoute) -> Self {
        Self(Arc::new(Inner { change, route, ..Inner::default() }))
    }

    /// Returns the route of the reads of the request. Outside a request it is the primary.
    pub(crate) fn route(&self) -> &ReadRoute {
        &self.0.route
    }

    /// Records that the request may write. Its later reads use the primary, so that they see the write.
    pub(crate) fn note_writing(&self) {
        self.0.route.note(Server::Primary);
        self.0.written.store(true, Ordering::Relaxed);
    }

    /// Returns whether the request may have written.
    pub(crate) fn has_written(&self) -> bool {
        self.0.written.load(Ordering::Relaxed)
    }

    /// Returns the scope of the request of the current task. Outside a request, it returns a new scope.
    pub fn current() -> Self {
        SCOPE.try_with(Clone::clone).unwrap_or_default()
    }

    /// Runs `work` within this scope.
    pub async fn enclose<T>(self, work: impl Future<Output = T>) -> T {
        SCOPE.scope(self, work).await
    }

    /// Records the actor and the resource of a lookup. The first ones are kept.
    pub fn note(&self, reader: &Reader<'_>) {
        if let Some(actor) = reader.known_actor() {
            let _ = self.0.actor.set(actor);
        }
        if let Some(tenant) = reader.tenant() {
            let _ = self.0.tenant.set(tenant);
        }
    }

    /// Records the actor and the resource of a lookup in a batch. The first ones are kept.
    pub(crate) fn note_found(&self, actor: Actor, tenant: Tenant) {
        let _ = self.0.actor.set(actor);
        let _ = self.0.tenant.set(tenant);
    }

    /// Returns the user of the token, once a lookup has found it.
    pub fn actor(&self) -> Option<UserId> {
        self.0.actor.get().map(|actor| actor.user)
    }

    /// Records that the request has a new idempotency key.
    pub(crate) fn set_keyed(&self, keyed: Arc<Keyed>) {
        let _ = self.0.keyed.set(keyed);
    }

    /// Returns the request with its idempotency key.
    pub(crate) fn keyed(&self) -> Option<&Arc<Keyed>> {
        self.0.keyed.get()
    }

    /// Hands the pending audit entry to a background job, which writes it when the work commits.
    pub fn defer(&self) -> Option<Change> {
        self.done().cloned()
    }

    /// Returns the audit log entry for work that writes it itself, unless a transaction of the request has written it.
    pub fn pending(&self) -> Option<Change> {
        let (_, change) = self.0.change.as_ref().filter(|(recording, _)| recording.when_done)?;
        (!self.0.audited.load(Ordering::Relaxed)).then(|| change.clone())
    }

    /// Records that the audit log entry was written.
    pub fn note_audited(&self) {
        self.0.audited.store(true, Ordering::Relaxed);
    }

    /// Returns the entry of a completed request on the first call, and `None` afterwards.
    fn done(&self) -> Option<&Change> {
        let (_, change) = self.0.change.as_ref().filter(|(recording, _)| recording.when_done)?;
        let first = !self.0.audited.swap(true, Ordering::Relaxed);
        first.then_some(change)
    }

    /// Returns the audit log entry of a refused request, with its actor and target. Returns `None` if the target is not
    /// visible to the actor.
    pub fn refusal(&self) -> Option<(Change, Actor, Tenant)> {
        let (_, change) = self.0.change.as_ref().filter(|(recording, _)| recording.when_refused)?;
        Some((change.clone(), *self.0.actor.get()?, *self.0.tenant.get()?))
    }

    /// Adds the audit log entry to the first transaction of the request.
    pub fn audit(&self, tx: &mut Tx<'_>) {
        if let Some(change) = self.done() {
            tx.audit(change);
        }
    }
}

/// Form of the access log: the actor.
impl fmt::Display for RequestScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.actor.get() {
            Some(actor) => actor.user.fmt(f),
            None => f.write_str("-"),
        }
    }
}
