//! Whether a comment still waits for an answer.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::features::ToSchema;
use crate::policy::Action;
use crate::users::User;

/// Whether a comment still waits for an answer. `By` is the user who resolved it: an id inside the service, a
/// [`User`] on the wire.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum Status<By> {
    /// It does.
    #[default]
    Open,
    /// It doesn't.
    Resolved {
        /// Since when.
        #[serde(rename = "resolvedAt")]
        at: Timestamp,
        /// Who said so.
        #[serde(rename = "resolvedBy")]
        by: By,
    },
}

/// Status of a comment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CommentStatus)]
pub enum StatusName {
    /// The comment waits for an answer.
    Open,
    /// The comment is resolved.
    Resolved,
}

// The OpenAPI document describes the status by this struct, since few generators of clients know a union among the keys of
// an object.
/// Status of a comment, and its resolution.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentResolution {
    /// Status of the comment.
    pub status: StatusName,
    /// Time of the resolution, of a resolved comment.
    #[schema(nullable = false)]
    pub resolved_at: Option<Timestamp>,
    /// User who resolved the comment.
    #[schema(nullable = false)]
    pub resolved_by: Option<User>,
}

/// What can happen to a comment's status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event<By> {
    /// Somebody resolves it.
    Resolve {
        /// Who.
        by: By,
    },
    /// Somebody opens it again.
    Reopen,
}

impl<By> Event<By> {
    /// The action that the event needs.
    pub const fn required_action(&self) -> Action {
        match self {
            Self::Resolve { .. } | Self::Reopen => Action::ResolveComment,
        }
    }
}

impl<By> Status<By> {
    /// The status after `event` at `now`. Setting what already is changes nothing: who resolved a comment first, and
    /// when, stays. Every event can happen in every status.
    #[must_use]
    pub fn apply(self, event: Event<By>, now: Timestamp) -> Self {
        match (self, event) {
            (Self::Open, Event::Resolve { by }) => Self::Resolved { at: now, by },
            (resolved @ Self::Resolved { .. }, Event::Resolve { .. }) => resolved,
            (Self::Open | Self::Resolved { .. }, Event::Reopen) => Self::Open,
        }
    }

    /// Whether it is resolved.
    pub const fn is_resolved(&self) -> bool {
        matches!(self, Self::Resolved { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_in_every_status() {
        let at = |millis| Timestamp::from_millis(millis).unwrap();
        let resolved = |millis, by| Status::Resolved { at: at(millis), by };
        for (from, event, to) in [
            (Status::Open, Event::Resolve { by: "ada" }, resolved(2, "ada")),
            (Status::Open, Event::Reopen, Status::Open),
            (resolved(1, "ada"), Event::Resolve { by: "bob" }, resolved(1, "ada")),
            (resolved(1, "ada"), Event::Reopen, Status::Open),
        ] {
            assert_eq!(from.clone().apply(event.clone(), at(2)), to, "{event:?} of {from:?}");
        }
    }
}
