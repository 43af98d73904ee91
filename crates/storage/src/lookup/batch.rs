//! Authorizing lookups for several requests in one statement.
//!
//! One statement looks up the records of any number of requests, each with its own token, which amortizes the cost of a
//! statement.

use std::collections::HashSet;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, Timestamptz, Uuid as SqlUuid};
use quire_database::functions::coalesce;
use quire_database::{Actor, Credentials, sql_files};
use quire_domain::ids::{RevisionId, SpaceId};

use super::actor::token_is_valid;
use crate::Result;
use crate::content::spaces::spaces_with_access;
use crate::content::spaces::{SpaceActor, SpaceActorType, SpaceRecord, space_actor};
use crate::content::store::{ContentHead, ContentSelector, HeadTypes};
use crate::lookup::{Found, role_from_rank};
use crate::schema::{organizations, revisions};
use crate::transaction::{Reader, Tenant};
use crate::views::{Access, space_access};

/// Key of a lookup of content. `revision` is `None` for the current content of the space.
#[derive(Clone, Copy, Debug)]
pub struct ContentKey {
    /// Token.
    pub credentials: Credentials,
    /// Space.
    pub space: SpaceId,
    /// Revision of the space.
    pub revision: Option<RevisionId>,
}

/// Key of a lookup of a space.
#[derive(Clone, Copy, Debug)]
pub struct SpaceKey {
    /// Token.
    pub credentials: Credentials,
    /// Space.
    pub space: SpaceId,
}

/// Record found by a lookup in a batch, with the facts for logs.
pub struct FoundInBatch<T> {
    /// Record, not yet authorized.
    pub found: Found<T>,
    /// User of the token.
    pub actor: Actor,
    /// Organization and space of the record.
    pub tenant: Tenant,
}

sql_files! {
    FindHeads(Array<Binary>, Timestamptz, Array<SqlUuid>, Array<Nullable<SqlUuid>>)
        -> (BigInt, SpaceActorType, HeadTypes) = "heads.sql";
    FindSpaces(Array<Binary>, Timestamptz, Array<SqlUuid>)
        -> (BigInt, SpaceActorType, dsl::SqlTypeOf<dsl::AsSelect<SpaceRecord, Pg>>)
        = "spaces.sql" of SpaceRecord;
}

/// Row of a batch: the position of its key, from 1, the actor and the record.
pub(crate) type BatchRow<T> = (i64, SpaceActor, T);

/// Returns the hashes of the tokens and the spaces of keys.
pub(crate) fn arrays<'a>(
    keys: impl Iterator<Item = (&'a Credentials, SpaceId)>,
) -> (Vec<&'a [u8]>, Vec<SpaceId>) {
    keys.map(|(credentials, space)| (credentials.token_hash.as_slice(), space)).unzip()
}

impl Reader<'_> {
    /// Returns the content of each key, in the order of the keys; `None` for a token or content that does not exist.
    /// Takes one statement.
    pub fn content_heads(&mut self, keys: &[ContentKey]) -> Result<Vec<Option<FoundInBatch<ContentHead>>>> {
        let rows = match keys {
            [key] => self.head_row(key)?,
            keys => {
                let (hashes, spaces) = arrays(keys.iter().map(|key| (&key.credentials, key.space)));
                let revisions: Vec<Option<RevisionId>> = keys.iter().map(|key| key.revision).collect();
                let now = self.now;
                FindHeads::bind((hashes, now, spaces, revisions)).load(self.connection)?
            }
        };
        self.in_order(keys.len(), rows, |head: ContentHead| {
            Ok((Tenant { organization: head.organization, space: Some(head.space) }, head))
        })
    }

    /// Looks up a single key with a statement that is planned for one row.
    fn head_row(&mut self, key: &ContentKey) -> Result<Vec<BatchRow<ContentHead>>> {
        let revision = key.revision.into_sql::<Nullable<SqlUuid>>();
        let named = coalesce(revision, space_access::head_revision.nullable());
        let row: Option<(SpaceActor, ContentHead)> =
            space_access::table
                .inner_join(organizations::table.on(organizations::id.eq(space_access::organization_id)))
                .inner_join(revisions::table.on(
                    revisions::space_id.eq(space_access::content_id).and(revisions::id.nullable().eq(named)),
                ))
                .filter(token_is_valid::<space_access::table>(&key.credentials, self.now))
                .filter(space_access::id.eq(key.space))
                .select((
                    (
                        space_access::table::actor(),
                        space_access::role,
                        organizations::blocked_reason.is_not_null(),
                    ),
                    (
                        space_access::member_role,
                        space_access::id,
                        space_access::organization_id,
                        space_access::deleted_at.is_not_null(),
                        revisions::id,
                        revisions::root,
                        organizations::search_language,
                        space_access::site_visibility,
                    ),
                ))
                .get_result(self.connection)
                .optional()?;
        Ok(row.into_iter().map(|(actor, head)| (1, actor, head)).collect())
    }

    /// Returns the space of each key, like [`Reader::content_heads`].
    pub fn spaces_in_batch(&mut self, keys: &[SpaceKey]) -> Result<Vec<Option<FoundInBatch<SpaceRecord>>>> {
        let rows = match keys {
            [key] => self.space_row(key)?,
            keys => {
                let (hashes, spaces) = arrays(keys.iter().map(|key| (&key.credentials, key.space)));
                let now = self.now;
                FindSpaces::bind((hashes, now, spaces)).load(self.connection)?
            }
        };
        self.in_order(keys.len(), rows, |space: SpaceRecord| {
            Ok((Tenant { organization: space.organization, space: Some(space.id) }, space))
        })
    }

    fn space_row(&mut self, key: &SpaceKey) -> Result<Vec<BatchRow<SpaceRecord>>> {
        let row: Option<(SpaceActor, SpaceRecord)> = spaces_with_access()
            .filter(token_is_valid::<space_access::table>(&key.credentials, self.now))
            .filter(space_access::id.eq(key.space))
            .select((space_actor(), SpaceRecord::as_select()))
            .get_result(self.connection)
            .optional()?;
        Ok(row.into_iter().map(|(actor, space)| (1, actor, space)).collect())
    }

    /// Returns content that the actor may view, in its narrow form. Takes one statement.
    ///
    /// # Errors
    /// See [`Reader::content`].
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

    /// Returns the content of a key. Takes one statement.
    ///
    /// # Errors
    /// See [`Reader::content`].
    pub fn content_head_of(&mut self, key: &ContentKey) -> Result<Found<ContentHead>> {
        let Some(head) = self.content_heads(&[*key])?.pop().flatten() else { return self.not_found() };
        self.record_tenant(head.tenant.organization, head.tenant.space);
        self.actor = Some(head.actor);
        Ok(head.found)
    }

    /// Sorts the rows of a batch by their keys. The use of each token is written once.
    pub(crate) fn in_order<Row, T>(
        &mut self,
        keys: usize,
        rows: Vec<BatchRow<Row>>,
        record: impl Fn(Row) -> Result<(Tenant, T)>,
    ) -> Result<Vec<Option<FoundInBatch<T>>>> {
        let mut written = HashSet::new();
        let mut found: Vec<Option<FoundInBatch<T>>> = std::iter::repeat_with(|| None).take(keys).collect();
        for (key, (actor, role, blocked), row) in rows {
            let actor =
                if written.insert(actor.token_id()) { self.note_actor(actor)? } else { actor.actor() };
            let (tenant, value) = record(row)?;
            let role = role_from_rank(role)?;
            let slot = usize::try_from(key).ok().and_then(|key| found.get_mut(key.checked_sub(1)?));
            if let Some(slot) = slot {
                let found = Found { actor, role, blocked, value };
                *slot = Some(FoundInBatch { found, actor, tenant });
            }
        }
        self.actor = None;
        Ok(found)
    }
}
