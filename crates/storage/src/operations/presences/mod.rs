//! Presence: users who have content open. Rows expire, so a closed browser need not send a last request.

use diesel::RunQueryDsl as _;
use diesel::sql_types::{Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounds::PRESENCE_LIFE;
use quire_domain::ids::{ChangeRequestId, PageId, SpaceId, UserId};
use serde::Deserialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Result;
use crate::lookup::UserRecord;
use crate::transaction::Tx;

/// Location of a user in content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Location {
    /// Open page.
    #[serde(rename = "page_id")]
    pub page: Option<PageId>,
    /// Key of the node of the page's document with the caret.
    pub block: Option<String>,
    /// `true` while the user types.
    pub typing: bool,
}

/// User who has content open. The statement that watches heads returns this as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Presence {
    /// User.
    #[serde(flatten)]
    pub user: UserRecord,
    /// Location of the user.
    #[serde(flatten)]
    pub location: Location,
}

sql_files! {
    PutPresence(SqlUuid, SqlUuid, SqlUuid, Nullable<SqlUuid>, Nullable<Text>, Bool, Timestamptz, Timestamptz)
        = "put.sql";
}

impl Tx<'_> {
    /// Records for [`PRESENCE_LIFE`] that a user has the content of a change request or space open. The caller must
    /// have authorized this. Takes one statement.
    pub fn put_presence(
        &mut self,
        space: SpaceId,
        change_request: Option<ChangeRequestId>,
        user: UserId,
        location: &Location,
    ) -> Result<()> {
        let now = OffsetDateTime::from(self.now);
        let head = change_request.map_or(space.into(), Uuid::from);
        PutPresence::bind((
            space,
            head,
            user,
            location.page,
            location.block.as_deref(),
            location.typing,
            now + PRESENCE_LIFE,
            now,
        ))
        .execute(self.connection)?;
        Ok(())
    }
}
