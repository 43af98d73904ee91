//! Lookups of content to write to, for several requests in one statement.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;

use crate::Result;
use crate::content::spaces::spaces_with_access;
use crate::content::spaces::{SpaceActor, SpaceActorType, SpaceRecord, space_actor};
use crate::content::store::ContentAt;
use crate::lookup::{Authorized, Found, FoundInBatch, Guarded, SpaceKey, UserRecord, arrays, token_is_valid};
use crate::schema::{revisions, users};
use crate::transaction::{Reader, Tenant};
use crate::views::space_access;

/// Current content of a space, and the user who writes to it.
#[derive(Clone, Debug)]
pub struct ContentToWrite {
    /// Content.
    pub content: ContentAt,
    /// User of the token.
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

sql_files! {
    FindContentsToWrite(Array<Binary>, Timestamptz, Array<SqlUuid>)
        -> (
            BigInt,
            SpaceActorType,
            dsl::SqlTypeOf<dsl::AsSelect<ContentAt, Pg>>,
            dsl::SqlTypeOf<dsl::AsSelect<UserRecord, Pg>>,
        )
        = "contents_to_write.sql" of SpaceRecord;
}

/// Position of the key, actor, content and user.
type Row = (i64, SpaceActor, ContentAt, UserRecord);

impl Reader<'_> {
    /// Returns the current content of the spaces of several keys, like [`Reader::content_heads`]. Takes one statement.
    pub fn contents_to_write(
        &mut self,
        keys: &[SpaceKey],
    ) -> Result<Vec<Option<FoundInBatch<ContentToWrite>>>> {
        let rows: Vec<Row> = match keys {
            [key] => self.row_to_write(key)?,
            keys => {
                let (hashes, spaces) = arrays(keys.iter().map(|key| (&key.credentials, key.space)));
                let now = self.now;
                FindContentsToWrite::bind((hashes, now, spaces)).load(self.connection)?
            }
        };
        let rows =
            rows.into_iter().map(|(key, actor, content, user)| (key, actor, (content, user))).collect();
        self.in_order(keys.len(), rows, |(content, user)| {
            let tenant = Tenant { organization: content.space.organization, space: Some(content.space.id) };
            Ok((tenant, ContentToWrite { content, user }))
        })
    }

    /// Looks up a single key with a statement that is planned for one row.
    fn row_to_write(&mut self, key: &SpaceKey) -> Result<Vec<Row>> {
        let head = revisions::space_id
            .eq(space_access::content_id)
            .and(revisions::id.eq(space_access::head_revision));
        let row: Option<(SpaceActor, ContentAt, UserRecord)> = spaces_with_access()
            .inner_join(revisions::table.on(head))
            .inner_join(users::table.on(users::id.eq(space_access::actor_id)))
            .filter(token_is_valid::<space_access::table>(&key.credentials, self.now))
            .filter(space_access::id.eq(key.space))
            .select((space_actor(), ContentAt::as_select(), UserRecord::as_select()))
            .get_result(self.connection)
            .optional()?;
        Ok(row.into_iter().map(|(actor, content, user)| (1, actor, content, user)).collect())
    }

    /// Returns the authorized user. Takes one statement.
    pub fn user_of<T>(&mut self, authorized: &Authorized<T>) -> Result<UserRecord> {
        let user = users::table.find(authorized.actor().user).select(UserRecord::as_select());
        Ok(user.get_result(self.connection)?)
    }

    /// Returns the current content of a space and the user of the token. Takes one statement.
    ///
    /// # Errors
    /// See [`Reader::content`].
    pub fn content_to_write(&mut self, space: SpaceId) -> Result<Found<ContentToWrite>> {
        let key = SpaceKey { credentials: *self.credentials, space };
        let Some(found) = self.contents_to_write(&[key])?.pop().flatten() else { return self.not_found() };
        self.record_tenant(found.tenant.organization, found.tenant.space);
        self.actor = Some(found.actor);
        Ok(found.found)
    }
}
