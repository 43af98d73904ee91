//! Content that requests write to, looked up for several of them in one statement.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Uuid as SqlUuid};
use quire_domain::ids::SpaceId;
use quire_domain::policy::{Action, Membership};
use uuid::Uuid;

use super::actor::{ActorColumns, UserRecord, actor_columns, valid_token};
use super::batch::{FoundInBatch, KeyColumn, SpaceKey, alone, batch, batch_columns};
use super::content::{ContentAt, MemberRoleColumn, RevisionColumns, revision_columns};
use super::spaces::{
    SpaceColumns, SpaceRecord, StandingColumns, space_columns, space_role, token_is_for_space,
};
use super::{Authorized, Found, Guarded, role_from_rank};
use crate::Result;
use crate::openapi_specs::ReadableSpecs;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reached, Reader};

/// The current content of a space, and the user who wants to write to it.
#[derive(Clone, Debug)]
pub struct ContentToWrite {
    /// The content.
    pub content: ContentAt,
    /// The user of the token.
    pub user: UserRecord,
}

impl Guarded for ContentToWrite {
    const VIEW: Action = ContentAt::VIEW;

    fn is_deleted(&self) -> bool {
        self.content.is_deleted()
    }
}

impl Authorized<ContentToWrite> {
    /// Returns the authorized content and the user.
    #[must_use]
    pub fn split(self) -> (Authorized<ContentAt>, UserRecord) {
        let user = self.user.clone();
        (self.map(|at| at.content), user)
    }
}

/// The columns of content to write, after those of its request.
macro_rules! columns {
    () => {
        concat!(
            "m.role AS member_role, ",
            space_columns!(),
            ", ",
            revision_columns!(),
            ", u.id AS user_id, u.email AS user_email, u.display_name AS user_display_name, \
             u.photo_url AS user_photo_url"
        )
    };
}

/// The tables after the space: its head `r` and the user `u` of the token.
macro_rules! head_and_user {
    () => {
        " JOIN revisions r ON r.space_id = s.id AND r.id = s.head_revision JOIN users u ON u.id = t.user_id"
    };
}

statements! {
    FindUser = "SELECT u.id AS user_id, u.email AS user_email, u.display_name AS user_display_name, u.photo_url AS user_photo_url \
                FROM users u WHERE u.id = $1";
    FindAllToWrite = concat!(batch_columns!("w.key"), columns!(), batch!("", ""), head_and_user!());
    FindOneToWrite = concat!(
        batch_columns!("1::bigint"), columns!(), alone!(), head_and_user!(), " WHERE ", valid_token!(), " AND s.id = $3"
    );
}

type Columns = (MemberRoleColumn, SpaceColumns, RevisionColumns, UserRecord);
type Row = (KeyColumn, ActorColumns, StandingColumns, Columns);

impl Reader<'_> {
    /// The current content of the space that each key names, as [`Reader::content_heads`]: one statement for all.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn contents_to_write(
        &mut self,
        keys: &[SpaceKey],
    ) -> Result<Vec<Option<FoundInBatch<ContentToWrite>>>> {
        let rows = self.rows_to_write(keys)?;
        self.in_order(keys.len(), rows, |(member, space, revision, user)| {
            let space = SpaceRecord::try_from(space)?;
            let reached = Reached { organization: space.organization, space: Some(space.id) };
            let membership = Membership::active(role_from_rank(member.member_role)?);
            let specs = ReadableSpecs::of(membership, space.id, space.organization);
            let content = ContentAt { space, change_request: None, revision: revision.try_into()?, specs };
            Ok((reached, ContentToWrite { content, user }))
        })
    }

    fn rows_to_write(&mut self, keys: &[SpaceKey]) -> Result<Vec<Row>> {
        if let [key] = keys {
            let values = (
                val::<Binary, _>(key.credentials.token_hash.as_slice()),
                self.now_bind(),
                val::<SqlUuid, _>(*key.space.as_uuid()),
            );
            return Ok(FindOneToWrite::bind(values).load(self.connection)?);
        }
        let hashes: Vec<&[u8]> = keys.iter().map(|key| key.credentials.token_hash.as_slice()).collect();
        let spaces: Vec<Uuid> = keys.iter().map(|key| *key.space.as_uuid()).collect();
        let values = (val::<Array<Binary>, _>(hashes), self.now_bind(), val::<Array<SqlUuid>, _>(spaces));
        Ok(FindAllToWrite::bind(values).load(self.connection)?)
    }

    /// The user who was authorized: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn user_of<T>(&mut self, authorized: &Authorized<T>) -> Result<UserRecord> {
        let user = val::<SqlUuid, _>(*authorized.actor().user.as_uuid());
        Ok(FindUser::bind((user,)).get_result(self.connection)?)
    }

    /// The current content of a space and the user of the token: one statement.
    ///
    /// # Errors
    /// As [`Reader::content`].
    pub fn content_to_write(&mut self, space: SpaceId) -> Result<Found<ContentToWrite>> {
        let key = SpaceKey { credentials: *self.credentials, space };
        let Some(found) = self.contents_to_write(&[key])?.pop().flatten() else { return self.not_found() };
        self.reach(found.reached.organization, found.reached.space);
        self.seen = Some(found.actor);
        Ok(found.found)
    }
}
