//! Lists of the revisions of a space's main content.

use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{RevisionId, UserId};
use quire_domain::revisions::RevisionType;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Result;
use crate::diesel_types::Stored;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, ContentPoint, UserRecord};
use crate::schema::{revisions, users};
use crate::transaction::Reader;

/// Revision as an item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct ListedRevision {
    /// Its id.
    #[diesel(deserialize_as = Uuid)]
    pub id: RevisionId,
    /// The operation that made it.
    #[diesel(deserialize_as = Stored<String>)]
    pub kind: RevisionType,
    /// Its parents, that of the main content first.
    #[diesel(deserialize_as = Stored<Vec<Option<Uuid>>>)]
    pub parents: Vec<RevisionId>,
    /// Time of its creation.
    #[diesel(deserialize_as = OffsetDateTime)]
    pub created_at: Timestamp,
    /// Its author; `None` after that user was removed.
    pub author: Option<UserRecord>,
}

/// Filter of a list of revisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RevisionFilter {
    /// Only those by this user.
    pub author: Option<UserId>,
    /// Only those that this operation made.
    pub kind: Option<RevisionType>,
}

impl Reader<'_> {
    /// The revisions of the main content of a space, newest first, from below one: two statements. Ids are in the order
    /// of creation.
    pub fn revisions_of_space<T: ContentPoint>(
        &mut self,
        content: &Authorized<T>,
        filter: RevisionFilter,
        below: Option<RevisionId>,
        limit: u16,
    ) -> Result<Slice<ListedRevision>> {
        let space = content.space();
        let matching = || {
            let mut matching = revisions::table
                .left_join(users::table)
                .filter(revisions::space_id.eq(*space.as_uuid()))
                .filter(revisions::change_request_id.is_null())
                .into_boxed();
            if let Some(author) = filter.author {
                matching = matching.filter(revisions::author_id.eq(*author.as_uuid()));
            }
            if let Some(kind) = filter.kind {
                matching = matching.filter(revisions::type_.eq(kind.as_str()));
            }
            matching
        };
        let rows = matching()
            .filter(revisions::id.lt(page_end(below)))
            .order(revisions::id.desc())
            .limit(fetch_limit(limit))
            .select((
                revisions::id,
                revisions::type_,
                revisions::parents,
                revisions::created_at,
                Option::<UserRecord>::as_select(),
            ))
            .load(self.connection)?;
        let total = matching().count().get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }
}
