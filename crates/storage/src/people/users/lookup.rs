//! Lookups of users by other users.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::UserId;

use crate::Result;
use crate::lookup::{ActorRow, ActorTypes, UserRecord};
use crate::transaction::Reader;

sql_files! {
    FindUser(Binary, Timestamptz, SqlUuid)
        -> (ActorTypes, dsl::SqlTypeOf<dsl::AsSelect<UserRecord, Pg>>)
        = "find.sql";
}

impl Reader<'_> {
    /// Returns a user: the actor itself, or a member or guest of an organization of the actor. Takes one statement.
    ///
    /// # Errors
    /// [`crate::Error::Unauthenticated`], or [`crate::Error::NotFound`] for a user who shares no organization with the
    /// actor.
    pub fn user(&mut self, id: UserId) -> Result<UserRecord> {
        let row: Option<(ActorRow, UserRecord)> =
            FindUser::bind((self.credentials.token_hash.as_slice(), self.now, id))
                .get_result(self.connection)
                .optional()?;
        let Some((actor, user)) = row else { return self.not_found() };
        self.record_actor(actor)?;
        Ok(user)
    }
}
