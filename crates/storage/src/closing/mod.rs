//! The last statements of a transaction.
//!
//! All comments of a space change one counter. The last statement before COMMIT locks it, so the next comment waits for one
//! statement and one COMMIT, not for a whole transaction. Entries of the audit log and events, which depend on the work of the
//! transaction, are written before the counters.

mod write;

use std::collections::BTreeMap;

use quire_domain::ids::{ChangeRequestId, SpaceId};
use serde_json::Value;
use uuid::Uuid;

use crate::audit::Entry;

/// Rows that a transaction writes at its end.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    pub(crate) entries: Vec<Entry>,
    pub(crate) events: Events,
    /// Steps of the counters of open comments, in the order of locks: a space's own before those of its change requests.
    pub(super) comments: BTreeMap<(SpaceId, Option<ChangeRequestId>), i32>,
}

/// Events that a transaction made, one vector for each value of them.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) organizations: Vec<Uuid>,
    pub(crate) kinds: Vec<&'static str>,
    pub(crate) ids: Vec<Uuid>,
    pub(crate) payloads: Vec<Value>,
}

impl Events {
    pub(crate) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}
