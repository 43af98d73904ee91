//! State of heads, inboxes and imports, for event streams.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use diesel::prelude::*;
use diesel::sql_types::{
    Array, BigInt, Binary, Bool, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid,
};
use quire_database::sql_files;
use quire_domain::change_requests::Status;
use quire_domain::ids::{ChangeRequestId, ImportId, InboxEntryId, RevisionId, SpaceId, UserId};
use quire_domain::imports::{ImportPhase, ImportProgress, ImportState};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::content::imports::ImportKey;
use crate::lookup::Credentials;
use crate::operations::presences::Presence;
use crate::transaction::Reader;
use crate::{Error, Result};

/// Head that a stream watches: of a change request, or of the main content of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WatchedHead {
    /// Space.
    pub space: SpaceId,
    /// Change request. `None` for the main content.
    pub change_request: Option<ChangeRequestId>,
}

/// State of a watched head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadState {
    /// Current revision.
    pub revision: RevisionId,
    /// Comments on the main content, or on the change request.
    pub comments: CommentState,
    /// State of the change request. `None` for the main content.
    pub change_request: Option<RequestState>,
    /// Users who have the content open.
    pub presence: Vec<Presence>,
}

/// Comment counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentState {
    /// Open comments.
    pub open: i32,
    /// Resolved comments.
    pub resolved: i32,
    /// Number of changes of comments, replies and reactions so far.
    pub changes: i32,
}

/// State of a watched change request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestState {
    /// Status.
    pub status: Status,
    /// `true` if the space has newer content than the change request.
    pub outdated: bool,
    /// Number of reviews.
    pub reviews: i64,
    /// Number of requested reviewers.
    pub reviewers: i64,
}

/// Result of [`Reader::watch`].
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// State of each head, in the order of the heads. `None` if it no longer exists.
    pub heads: Vec<Option<HeadState>>,
    /// State of each inbox.
    pub inboxes: HashMap<UserId, InboxState>,
    /// State of each existing import.
    pub imports: HashMap<ImportId, ImportStep>,
    valid: HashSet<Vec<u8>>,
}

impl Watched {
    /// Returns whether a token is neither revoked nor expired.
    #[must_use]
    pub fn is_valid(&self, credentials: &Credentials) -> bool {
        self.valid.contains(credentials.token_hash.as_slice())
    }
}

/// State of an inbox. It changes when an entry is added, marked as read or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct InboxState {
    /// Newest unread entry.
    pub newest: Option<InboxEntryId>,
    /// Number of unread entries, up to 1,000, including entries about spaces that the user may no longer see.
    pub unread: i64,
}

/// State of a watched import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ImportStep {
    /// State.
    pub state: ImportState,
    /// Phase. `None` before the start.
    pub phase: Option<ImportPhase>,
    /// Progress within the phase.
    pub progress: ImportProgress,
}

/// Subjects of event streams.
#[derive(Clone, Debug, Default)]
pub struct Subjects {
    /// Heads.
    pub heads: Vec<WatchedHead>,
    /// Users of inboxes.
    pub inboxes: Vec<UserId>,
    /// Imports.
    pub imports: Vec<ImportKey>,
    /// Tokens of the callers.
    pub tokens: Vec<Credentials>,
}

/// State of a head, or in the row with key 0 the valid tokens and the states of inboxes and imports.
#[derive(Queryable)]
struct WatchRow {
    /// Position of the head, from 1.
    key: i64,
    /// `None` for a head that does not exist.
    revision: Option<RevisionId>,
    comments_open: i32,
    comments_resolved: i32,
    comment_changes: i32,
    /// `None` for the main content.
    change_request_status: Option<Status>,
    change_request_outdated: Option<bool>,
    reviews: i64,
    reviewers: i64,
    /// [`Presence`]s.
    presence: Option<Value>,
    /// Hashes of valid tokens.
    valid: Option<Vec<Vec<u8>>>,
    /// [`InboxState`]s by user.
    inboxes: Option<Value>,
    /// [`ImportStep`]s by import.
    imports: Option<Value>,
}

sql_files! {
    WatchHeads(
        Array<SqlUuid>, Array<Nullable<SqlUuid>>, Array<Binary>, Timestamptz, Array<SqlUuid>, Array<SqlUuid>,
        Array<SqlUuid>,
    ) -> (
        BigInt, Nullable<SqlUuid>, Integer, Integer, Integer, Nullable<Text>, Nullable<Bool>, BigInt, BigInt,
        Nullable<Jsonb>, Nullable<Array<Binary>>, Nullable<Jsonb>, Nullable<Jsonb>,
    ) = "watch.sql";
}

impl Reader<'_> {
    /// Returns the states of the subjects of streams, and which of their tokens are valid. Callers must authorize the
    /// parts that they send. Takes one statement.
    pub fn watch(&mut self, subjects: &Subjects) -> Result<Watched> {
        let Subjects { heads, inboxes, imports, tokens } = subjects;
        let (spaces, requests): (Vec<SpaceId>, Vec<Option<ChangeRequestId>>) =
            heads.iter().map(|head| (head.space, head.change_request)).unzip();
        let hashes: Vec<&[u8]> = tokens.iter().map(|token| token.token_hash.as_slice()).collect();
        let (into, imports): (Vec<SpaceId>, Vec<ImportId>) =
            imports.iter().map(|key| (key.space, key.import)).unzip();
        let bound = (spaces, requests, hashes, self.now, inboxes.clone(), into, imports);
        let rows: Vec<WatchRow> = WatchHeads::bind(bound).load(self.connection)?;
        let mut watched = Watched::default();
        for row in rows {
            if row.key == 0 {
                watched.valid.extend(row.valid.into_iter().flatten());
                watched.inboxes = states(row.inboxes)?;
                watched.imports = states(row.imports)?;
                continue;
            }
            let Some(revision) = row.revision else {
                watched.heads.push(None);
                continue;
            };
            let change_request = row.change_request_status.map(|status| RequestState {
                status,
                outdated: row.change_request_outdated.unwrap_or_default(),
                reviews: row.reviews,
                reviewers: row.reviewers,
            });
            let comments = CommentState {
                open: row.comments_open,
                resolved: row.comments_resolved,
                changes: row.comment_changes,
            };
            let presence = presence(row.presence)?;
            watched.heads.push(Some(HeadState { revision, comments, change_request, presence }));
        }
        Ok(watched)
    }
}

/// Parses states by id.
fn states<Id: DeserializeOwned + Eq + Hash, State: DeserializeOwned>(
    states: Option<Value>,
) -> Result<HashMap<Id, State>> {
    let Some(states) = states else { return Ok(HashMap::new()) };
    serde_json::from_value(states)
        .map_err(|error| Error::Internal("the states of inboxes or imports can't be read", error.into()))
}

fn presence(present: Option<Value>) -> Result<Vec<Presence>> {
    let Some(present) = present else { return Ok(Vec::new()) };
    serde_json::from_value(present)
        .map_err(|error| Error::Internal("the users who have content open can't be read", error.into()))
}
