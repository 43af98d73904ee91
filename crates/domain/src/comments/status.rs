//! Resolution of comments.

use serde::{Deserialize, Serialize};
use serde_with::apply;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::policy::Action;
use crate::users::User;

/// Resolution of a comment. `By` identifies the user who resolved it: an id inside the service, a [`User`] on the wire.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum Status<By> {
    /// Not resolved.
    #[default]
    Open,
    /// Resolved.
    Resolved {
        /// Time of the resolution.
        #[serde(rename = "resolvedAt")]
        at: Timestamp,
        /// User who resolved the comment.
        #[serde(rename = "resolvedBy")]
        by: By,
    },
}

/// Status of a comment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CommentStatus)]
pub enum StatusName {
    /// Not resolved.
    Open,
    /// Resolved.
    Resolved,
}

// A struct for the OpenAPI document, because few client generators support a union among the keys of an object.
/// Status of a comment, and its resolution.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentResolution {
    /// Status of the comment.
    pub status: StatusName,
    /// Time of the resolution. Absent for open comments.
    pub resolved_at: Option<Timestamp>,
    /// User who resolved the comment. Absent for open comments.
    pub resolved_by: Option<User>,
}

/// Event that changes the resolution of a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event<By> {
    /// The comment is resolved.
    Resolve {
        /// User who resolves it.
        by: By,
    },
    /// The comment is reopened.
    Reopen,
}

impl<By> Event<By> {
    /// Returns the action that the event requires.
    pub const fn required_action(&self) -> Action {
        match self {
            Self::Resolve { .. } | Self::Reopen => Action::ResolveComment,
        }
    }
}

impl<By> Status<By> {
    /// Returns the status after `event` at `now`. Repeating an event changes nothing: the first resolution keeps its
    /// user and time.
    #[must_use]
    pub fn apply(self, event: Event<By>, now: Timestamp) -> Self {
        match (self, event) {
            (Self::Open, Event::Resolve { by }) => Self::Resolved { at: now, by },
            (resolved @ Self::Resolved { .. }, Event::Resolve { .. }) => resolved,
            (Self::Open | Self::Resolved { .. }, Event::Reopen) => Self::Open,
        }
    }

    /// Returns whether the comment is resolved.
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
