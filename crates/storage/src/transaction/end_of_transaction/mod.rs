//! Last statements of a transaction.
//!
//! All comments of a space change the same counter. The last statement before COMMIT locks it, so the next comment
//! waits for one statement and one COMMIT, not for a whole transaction. Audit log entries and events, which depend on
//! the work of the transaction, are written before the counters.

mod comments;
mod edits;
mod notices;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use quire_domain::ids::{ChangeRequestId, OrganizationId, SiteId, SpaceId};
use serde_json::Value;
use uuid::Uuid;

use crate::operations::audit::Entry;

pub(crate) use comments::CommentRow;
pub(crate) use edits::{NotedEdit, PendingHead};
pub(crate) use notices::CommentNotice;

/// Difference of the comment counters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CommentStep {
    pub(crate) open: i32,
    pub(crate) resolved: i32,
}

/// Rows that a transaction writes at its end.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    /// Edits of the main content of one space. The parent of each revision is the revision of the previous edit.
    pub(crate) edits: Vec<NotedEdit>,
    /// New comments.
    pub(crate) posted: Vec<CommentRow>,
    /// New comments about which users are notified.
    pub(crate) notices: Vec<CommentNotice>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) events: Events,
    pub(crate) purges: Purges,
    /// Changes of data that the site files of connected sites contain.
    pub(crate) structures: BTreeSet<(OrganizationId, ChangedStructure)>,
    /// Spaces that are connected to repositories and whose main content changed.
    pub(crate) connected: BTreeSet<SpaceId>,
    /// Differences of the comment counters, in lock order: the counters of a space before those of its change requests.
    pub(super) comments: BTreeMap<(SpaceId, Option<ChangeRequestId>), CommentStep>,
    /// `true` if a recent audit log entry already covers this request.
    pub(crate) is_audited: bool,
    /// Number of counter changes.
    pub(super) counted: usize,
}

impl Closing {
    /// Returns a number that increases with each collected row.
    pub(crate) fn size(&self) -> usize {
        let rows = [
            self.edits.len(),
            self.posted.len(),
            self.entries.len(),
            self.events.ids.len(),
            self.purges.ids.len(),
            self.structures.len(),
            self.connected.len(),
            self.counted,
        ];
        rows.iter().sum()
    }
}

/// Sites whose structure changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ChangedStructure {
    /// Site.
    Site(SiteId),
    /// All sites with a space.
    SitesWith(SpaceId),
}

/// Events of a transaction, as parallel vectors.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) organizations: Vec<OrganizationId>,
    pub(crate) kinds: Vec<&'static str>,
    pub(crate) ids: Vec<Uuid>,
    pub(crate) payloads: Vec<Value>,
}

impl Events {
    pub(crate) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

/// Cache tags of changed content, for site renderers, as parallel vectors.
#[derive(Debug, Default)]
pub(crate) struct Purges {
    pub(crate) organizations: Vec<OrganizationId>,
    pub(crate) tags: Vec<String>,
    /// Limits the purge to renderers of sites with this space.
    pub(crate) spaces: Vec<Option<SpaceId>>,
    /// Limits the purge to the renderer of this site.
    pub(crate) sites: Vec<Option<SiteId>>,
    pub(crate) ids: Vec<Uuid>,
}
