//! Users who replied to comments, read for many comments at once.

use std::collections::HashMap;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::comments::Replier;
use quire_domain::ids::{CommentId, SpaceId};
use time::OffsetDateTime;

use crate::content::comments::CommentRecord;
use crate::lookup::UserRecord;
use crate::transaction::Reader;
use crate::{Result, to_timestamp};

sql_files! {
    FindRepliers(SqlUuid, Array<SqlUuid>)
        -> (SqlUuid, BigInt, Timestamptz, dsl::SqlTypeOf<dsl::AsSelect<UserRecord, Pg>>) = "repliers.sql";
}

/// Users who replied, by comment.
pub(crate) struct Repliers(HashMap<CommentId, Vec<Replier<UserRecord>>>);

impl Repliers {
    /// Removes and returns the users who replied to a comment.
    pub(crate) fn take(&mut self, comment: &CommentRecord) -> Vec<Replier<UserRecord>> {
        self.0.remove(&comment.id).unwrap_or_default()
    }
}

impl Reader<'_> {
    /// Returns the users who replied to comments. Takes one statement, or none if there are no replies.
    pub(crate) fn repliers_of<'c>(
        &mut self,
        space: SpaceId,
        comments: impl IntoIterator<Item = &'c CommentRecord>,
    ) -> Result<Repliers> {
        let replied = comments.into_iter().filter(|comment| comment.replies > 0);
        let replied: Vec<_> = replied.map(|comment| comment.id).collect();
        let mut repliers: HashMap<CommentId, Vec<Replier<UserRecord>>> = HashMap::new();
        if replied.is_empty() {
            return Ok(Repliers(repliers));
        }
        let rows: Vec<(CommentId, i64, OffsetDateTime, UserRecord)> =
            FindRepliers::bind((space, replied)).load(self.connection)?;
        for (comment, count, updated_at, user) in rows {
            let count = u64::try_from(count).unwrap_or(0);
            let replier = Replier { user, count, updated_at: to_timestamp(updated_at)? };
            repliers.entry(comment).or_default().push(replier);
        }
        Ok(Repliers(repliers))
    }
}
