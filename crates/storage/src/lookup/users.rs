//! Users, as others see them.

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use quire_domain::ids::UserId;

use super::actor::{ActorColumns, UserRecord, actor_columns, valid_token};
use crate::Result;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

statements! {
    // `Action::ViewOrganization` on an organization that has both.
    FindUser = concat!(
        "SELECT ", actor_columns!(), ", u.id AS user_id, u.email AS user_email, u.display_name AS user_display_name, \
         u.photo_url AS user_photo_url FROM api_tokens t JOIN users u ON u.id = $3 WHERE ", valid_token!(),
        " AND (u.id = t.user_id OR EXISTS (SELECT 1 FROM organization_members own \
           JOIN organization_members other ON other.organization_id = own.organization_id AND other.user_id = u.id \
           WHERE own.user_id = t.user_id AND NOT own.disabled \
           AND (t.organizations IS NULL OR own.organization_id = ANY (t.organizations))))"
    );
}

impl Reader<'_> {
    /// A user: the actor, or somebody whom an organization has as well as the actor, as a member or guest. One statement.
    ///
    /// # Errors
    /// [`crate::Error::Unauthenticated`], or [`crate::Error::NotFound`] when there is none that the actor may know.
    pub fn user(&mut self, id: UserId) -> Result<UserRecord> {
        let row: Option<(ActorColumns, UserRecord)> =
            FindUser::bind((self.token_bind(), self.now_bind(), val::<SqlUuid, _>(*id.as_uuid())))
                .get_result(self.connection)
                .optional()?;
        let Some((actor, user)) = row else { return self.not_found() };
        self.seen(actor)?;
        Ok(user)
    }
}
