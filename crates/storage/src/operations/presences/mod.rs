//! Users who have content open now. A row expires, so that a browser that is closed needs no last request.

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

/// Place of a user in content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Place {
    /// Page that is open.
    #[serde(rename = "page_id")]
    pub page: Option<PageId>,
    /// Key of the node of its document that the caret is in.
    pub block: Option<String>,
    /// `true` while the user types.
    pub typing: bool,
}

/// User who has content open. The statement that watches heads returns it as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Presence {
    /// User.
    #[serde(flatten)]
    pub user: UserRecord,
    /// Place of the user.
    #[serde(flatten)]
    pub place: Place,
}

sql_files! {
    PutPresence(SqlUuid, SqlUuid, SqlUuid, Nullable<SqlUuid>, Nullable<Text>, Bool, Timestamptz, Timestamptz)
        = "put.sql";
}

impl Tx<'_> {
    /// Notes that a user has the content of a change request or of a space open, for [`PRESENCE_LIFE`]: one statement.
    /// The caller has authorized it.
    pub fn put_presence(
        &mut self,
        space: SpaceId,
        change_request: Option<ChangeRequestId>,
        user: UserId,
        place: &Place,
    ) -> Result<()> {
        let now = OffsetDateTime::from(self.now);
        let head = change_request.map_or(space.into(), Uuid::from);
        PutPresence::bind((
            space,
            head,
            user,
            place.page,
            place.block.as_deref(),
            place.typing,
            now + PRESENCE_LIFE,
            now,
        ))
        .execute(self.connection)?;
        Ok(())
    }
}
