//! The last statements of a transaction.
//!
//! All comments of a space change one counter. The last statement before COMMIT locks it, so the next comment waits for
//! one statement and one COMMIT, not for a whole transaction. Entries of the audit log and events, which depend on the
//! work of the transaction, are written before the counters.

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
pub(crate) use edits::{HeldHead, NotedEdit};
pub(crate) use notices::CommentNotice;

/// Step of the counters of comments.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CommentStep {
    pub(crate) open: i32,
    pub(crate) resolved: i32,
}

/// Rows that a transaction writes at its end.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    /// Edits of the main content of one space, each on the revision of the one before it.
    pub(crate) edits: Vec<NotedEdit>,
    /// New comments.
    pub(crate) posted: Vec<CommentRow>,
    /// New comments that people are notified of.
    pub(crate) notices: Vec<CommentNotice>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) events: Events,
    pub(crate) purges: Purges,
    /// Changes of what the site files of connected sites have.
    pub(crate) structures: BTreeSet<(OrganizationId, ChangedStructure)>,
    /// Steps of the counters of comments, in the order of locks: a space's own before those of its change requests.
    pub(super) comments: BTreeMap<(SpaceId, Option<ChangeRequestId>), CommentStep>,
    /// `true` if an entry of the audit log written shortly before is about this request, too.
    pub(crate) is_audited: bool,
    /// Number of changes of counters.
    pub(super) counted: usize,
}

impl Closing {
    /// Returns a number that is another one after each row that is noted.
    pub(crate) fn size(&self) -> usize {
        let rows = [
            self.edits.len(),
            self.posted.len(),
            self.entries.len(),
            self.events.ids.len(),
            self.purges.ids.len(),
            self.structures.len(),
            self.counted,
        ];
        rows.iter().sum()
    }
}

/// Sites whose structure changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ChangedStructure {
    /// A site.
    Site(SiteId),
    /// All sites with a space.
    SitesWith(SpaceId),
}

/// Events that a transaction made, one vector for each value of them.
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

/// Tags of what a transaction changed, for the renderers of sites, one vector for each value of them.
#[derive(Debug, Default)]
pub(crate) struct Purges {
    pub(crate) organizations: Vec<OrganizationId>,
    pub(crate) tags: Vec<String>,
    /// Only renderers of sites with this space.
    pub(crate) spaces: Vec<Option<SpaceId>>,
    /// Only the renderer of this site.
    pub(crate) sites: Vec<Option<SiteId>>,
    pub(crate) ids: Vec<Uuid>,
}
