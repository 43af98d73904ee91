//! Authorizing lookups of several requests in one statement.
//!
//! One statement finds the records that any number of requests want, each with its own token, so that the cost of
//! starting a statement is shared.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, Uuid as SqlUuid};
use quire_domain::ids::{OrganizationId, RevisionId, SpaceId};
use uuid::Uuid;

use super::actor::{ActorColumns, actor_columns, valid_token};
use super::content::ContentSelector;
use super::head::{ContentHead, HeadColumns, head_columns};
use super::spaces::{
    SpaceColumns, SpaceRecord, StandingColumns, space_columns, space_role, token_is_for_space,
};
use super::{Found, role_from_rank};
use crate::Result;
use crate::credentials::{Actor, Credentials};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reached, Reader};

/// A lookup of content by the token of one request. `revision` is `None` for the current content of the space.
#[derive(Clone, Copy, Debug)]
pub struct ContentKey {
    /// The token.
    pub credentials: Credentials,
    /// The space.
    pub space: SpaceId,
    /// A revision of the space.
    pub revision: Option<RevisionId>,
}

/// A lookup of a space by the token of one request.
#[derive(Clone, Copy, Debug)]
pub struct SpaceKey {
    /// The token.
    pub credentials: Credentials,
    /// The space.
    pub space: SpaceId,
}

/// A record that a lookup in a batch found, with what the log and the audit log note of the request.
pub struct FoundInBatch<T> {
    /// The record, not yet authorized.
    pub found: Found<T>,
    /// The user of the token.
    pub actor: Actor,
    /// Place that the lookup led to.
    pub reached: Reached,
}

#[derive(QueryableByName)]
pub(super) struct KeyColumn {
    #[diesel(sql_type = BigInt)]
    key: i64,
}

/// The tables after the requests: the space's organization `o`, membership `m` and collection `c`.
macro_rules! of_space {
    () => {
        " JOIN organizations o ON o.id = s.organization_id \
         LEFT JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = t.user_id \
         LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id"
    };
}
pub(super) use of_space;

/// The requests `w` of a batch, each with its valid token `t` and space `s`. `$1` are the hashes of the tokens, `$2` the
/// moment, `$3` the spaces. The subqueries around the arrays hide their lengths from the planner: it would take a plan
/// for each length to be cheaper than one for all.
macro_rules! batch {
    ($more_arrays:literal, $more_names:literal) => {
        concat!(
            " FROM unnest((SELECT $1), (SELECT $3)",
            $more_arrays,
            ") WITH ORDINALITY AS w (hash, space_id",
            $more_names,
            ", key) JOIN api_tokens t ON t.hash = w.hash AND (t.expires_at IS NULL OR t.expires_at > $2) \
             JOIN spaces s ON s.id = w.space_id AND ",
            token_is_for_space!(),
            $crate::lookup::batch::of_space!()
        )
    };
}
pub(super) use batch;

/// A batch of one, which is planned for one row: `$1` is the hash of the token, `$2` the moment, `$3` the space.
macro_rules! alone {
    () => {
        concat!(
            " FROM api_tokens t JOIN spaces s ON ",
            token_is_for_space!(),
            $crate::lookup::batch::of_space!()
        )
    };
}
pub(super) use alone;

/// The columns of a request in a batch before those of its record.
macro_rules! batch_columns {
    ($key:literal) => {
        concat!(
            "SELECT ",
            $key,
            " AS key, ",
            actor_columns!(),
            ", ",
            space_role!(),
            " AS role, o.blocked_reason IS NOT NULL AS organization_is_blocked, "
        )
    };
}
pub(super) use batch_columns;

statements! {
    FindHeads = concat!(
        batch_columns!("w.key"), head_columns!(), batch!(", (SELECT $4)", ", revision_id"),
        " JOIN revisions r ON r.space_id = s.id AND r.id = coalesce(w.revision_id, s.head_revision)"
    );
    FindHead = concat!(
        batch_columns!("1::bigint"), head_columns!(), alone!(),
        " JOIN revisions r ON r.space_id = s.id AND r.id = coalesce($4, s.head_revision)",
        " WHERE ", valid_token!(), " AND s.id = $3"
    );
    FindSpaces = concat!(batch_columns!("w.key"), space_columns!(), batch!("", ""));
    FindSpace = concat!(
        batch_columns!("1::bigint"), space_columns!(), alone!(), " WHERE ", valid_token!(), " AND s.id = $3"
    );
}

type HeadRow = (KeyColumn, ActorColumns, StandingColumns, HeadColumns);
type SpaceRow = (KeyColumn, ActorColumns, StandingColumns, SpaceColumns);

impl Reader<'_> {
    /// The content that each key names, in the order of the keys; `None` for a token or content that doesn't exist: one
    /// statement for all.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn content_heads(&mut self, keys: &[ContentKey]) -> Result<Vec<Option<FoundInBatch<ContentHead>>>> {
        let rows = self.head_rows(keys)?;
        self.in_order(keys.len(), rows, |head| {
            let organization = OrganizationId::from_uuid(head.organization_id);
            let head = ContentHead::try_from(head)?;
            Ok((Reached { organization, space: Some(head.space) }, head))
        })
    }

    fn head_rows(&mut self, keys: &[ContentKey]) -> Result<Vec<HeadRow>> {
        if let [key] = keys {
            let values = (
                val::<Binary, _>(key.credentials.token_hash.as_slice()),
                self.now_bind(),
                val::<SqlUuid, _>(*key.space.as_uuid()),
                val::<Nullable<SqlUuid>, _>(key.revision.map(|id| *id.as_uuid())),
            );
            return Ok(FindHead::bind(values).load(self.connection)?);
        }
        let hashes: Vec<&[u8]> = keys.iter().map(|key| key.credentials.token_hash.as_slice()).collect();
        let spaces: Vec<Uuid> = keys.iter().map(|key| *key.space.as_uuid()).collect();
        let revisions: Vec<Option<Uuid>> =
            keys.iter().map(|key| key.revision.map(|id| *id.as_uuid())).collect();
        let values = (
            val::<Array<Binary>, _>(hashes),
            self.now_bind(),
            val::<Array<SqlUuid>, _>(spaces),
            val::<Array<Nullable<SqlUuid>>, _>(revisions),
        );
        Ok(FindHeads::bind(values).load(self.connection)?)
    }

    /// The space that each key names, as [`Reader::content_heads`].
    ///
    /// # Errors
    /// When the statement fails.
    pub fn spaces_in_batch(&mut self, keys: &[SpaceKey]) -> Result<Vec<Option<FoundInBatch<SpaceRecord>>>> {
        let rows = self.space_rows(keys)?;
        self.in_order(keys.len(), rows, |space| {
            let space = SpaceRecord::try_from(space)?;
            Ok((Reached { organization: space.organization, space: Some(space.id) }, space))
        })
    }

    fn space_rows(&mut self, keys: &[SpaceKey]) -> Result<Vec<SpaceRow>> {
        if let [key] = keys {
            let values = (
                val::<Binary, _>(key.credentials.token_hash.as_slice()),
                self.now_bind(),
                val::<SqlUuid, _>(*key.space.as_uuid()),
            );
            return Ok(FindSpace::bind(values).load(self.connection)?);
        }
        let hashes: Vec<&[u8]> = keys.iter().map(|key| key.credentials.token_hash.as_slice()).collect();
        let spaces: Vec<Uuid> = keys.iter().map(|key| *key.space.as_uuid()).collect();
        let values = (val::<Array<Binary>, _>(hashes), self.now_bind(), val::<Array<SqlUuid>, _>(spaces));
        Ok(FindSpaces::bind(values).load(self.connection)?)
    }

    /// Content that the actor may view, in its narrow form: one statement.
    ///
    /// # Errors
    /// As [`Reader::content`].
    pub fn content_head(&mut self, space: SpaceId, selector: ContentSelector) -> Result<Found<ContentHead>> {
        let revision = match selector {
            ContentSelector::Space => None,
            ContentSelector::Revision(id) => Some(id),
            ContentSelector::ChangeRequest(_) => {
                return Ok(self.content(space, selector)?.map(ContentHead::from));
            }
        };
        self.content_head_of(&ContentKey { credentials: *self.credentials, space, revision })
    }

    /// The content that a key names: one statement.
    ///
    /// # Errors
    /// As [`Reader::content`].
    pub fn content_head_of(&mut self, key: &ContentKey) -> Result<Found<ContentHead>> {
        let Some(head) = self.content_heads(&[*key])?.pop().flatten() else { return self.not_found() };
        self.reach(head.reached.organization, head.reached.space);
        self.seen = Some(head.actor);
        Ok(head.found)
    }

    /// Puts the rows of a batch in the order of their keys. Each token's use is noted once.
    pub(super) fn in_order<C, T>(
        &mut self,
        keys: usize,
        rows: Vec<(KeyColumn, ActorColumns, StandingColumns, C)>,
        record: impl Fn(C) -> Result<(Reached, T)>,
    ) -> Result<Vec<Option<FoundInBatch<T>>>> {
        let mut noted = HashSet::new();
        let mut found: Vec<Option<FoundInBatch<T>>> = std::iter::repeat_with(|| None).take(keys).collect();
        for (KeyColumn { key }, actor, standing, columns) in rows {
            let actor = if noted.insert(actor.token_id()) { self.seen(actor)? } else { actor.actor() };
            let (reached, value) = record(columns)?;
            let role = role_from_rank(standing.role)?;
            let blocked = standing.organization_is_blocked;
            let place = usize::try_from(key).ok().and_then(|key| found.get_mut(key.checked_sub(1)?));
            if let Some(place) = place {
                let found = Found { actor, role, blocked, value };
                *place = Some(FoundInBatch { found, actor, reached });
            }
        }
        self.seen = None;
        Ok(found)
    }
}
