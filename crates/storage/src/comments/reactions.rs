//! Reactions: added, taken back, and read for many comments or replies at once.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{CommentId, CommentReplyId, SpaceId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::lookup::UserRecord;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Result, moment};

/// One emoji that was given to a comment or reply, with all who gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReactionRecord {
    /// The emoji.
    pub emoji: String,
    /// Who gave it and when, in this order; never empty.
    pub users: Vec<(UserRecord, Timestamp)>,
}

/// What is reacted to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    Comment(CommentId),
    Reply(CommentId, CommentReplyId),
}

macro_rules! reactions {
    ($subject:literal, $condition:literal) => {
        concat!(
            "SELECT ",
            $subject,
            " AS subject, k.emoji, k.reacted_at, u.id AS user_id, u.email AS user_email, \
             u.display_name AS user_display_name, u.photo_url AS user_photo_url \
             FROM comment_reactions k JOIN users u ON u.id = k.user_id \
             WHERE k.space_id = $1 AND ",
            $condition,
            " ORDER BY k.id"
        )
    };
}

statements! {
    CommentReactions = reactions!("k.comment_id", "k.comment_id = ANY ($2) AND k.reply_id IS NULL");
    ReplyReactions = reactions!("k.reply_id", "k.reply_id = ANY ($2)");
    AddReactions = "INSERT INTO comment_reactions (space_id, id, comment_id, reply_id, user_id, emoji, reacted_at) \
                    SELECT $1, n.id, $2, $3, $4, n.emoji, $5 FROM unnest($6, $7) AS n (id, emoji) ORDER BY n.emoji ON CONFLICT DO NOTHING";
    RemoveReactions = "DELETE FROM comment_reactions WHERE space_id = $1 AND comment_id = $2 \
                       AND coalesce(reply_id, comment_id) = coalesce($3, $2) AND emoji = ANY ($4) AND user_id = $5";
}

#[derive(QueryableByName)]
struct ReactionRow {
    #[diesel(sql_type = SqlUuid)]
    subject: Uuid,
    #[diesel(sql_type = Text)]
    emoji: String,
    #[diesel(sql_type = Timestamptz)]
    reacted_at: OffsetDateTime,
    #[diesel(embed)]
    user: UserRecord,
}

/// The reactions to many comments or replies, by their ids.
pub(crate) struct Reactions(HashMap<Uuid, Vec<ReactionRecord>>);

impl Reactions {
    /// Those to one of them.
    pub(crate) fn take(&mut self, subject: &Uuid) -> Vec<ReactionRecord> {
        self.0.remove(subject).unwrap_or_default()
    }

    /// Emojis stand in the order in which they were first given, and so do the users of each.
    fn group(rows: Vec<ReactionRow>) -> Result<Self> {
        let mut subjects: HashMap<Uuid, Vec<ReactionRecord>> = HashMap::new();
        for row in rows {
            let reactions = subjects.entry(row.subject).or_default();
            let given = (row.user, moment(row.reacted_at)?);
            match reactions.iter_mut().find(|reaction| reaction.emoji == row.emoji) {
                Some(reaction) => reaction.users.push(given),
                None => reactions.push(ReactionRecord { emoji: row.emoji, users: vec![given] }),
            }
        }
        Ok(Self(subjects))
    }
}

impl Reader<'_> {
    /// The reactions to comments: one statement for all of them.
    pub(crate) fn comment_reactions(&mut self, space: SpaceId, comments: Vec<Uuid>) -> Result<Reactions> {
        if comments.is_empty() {
            return Ok(Reactions(HashMap::new()));
        }
        let comments = val::<Array<SqlUuid>, _>(comments);
        Reactions::group(
            CommentReactions::bind((val::<SqlUuid, _>(*space.as_uuid()), comments)).load(self.connection)?,
        )
    }

    /// The reactions to replies: one statement for all of them.
    pub(super) fn reply_reactions(&mut self, space: SpaceId, replies: Vec<Uuid>) -> Result<Reactions> {
        if replies.is_empty() {
            return Ok(Reactions(HashMap::new()));
        }
        let replies = val::<Array<SqlUuid>, _>(replies);
        Reactions::group(
            ReplyReactions::bind((val::<SqlUuid, _>(*space.as_uuid()), replies)).load(self.connection)?,
        )
    }
}

/// What a user adds to its reactions and takes back from them. What is there already is not added again.
#[derive(Clone, Debug, Default)]
pub struct ReactionChanges {
    /// Emojis to add.
    pub added: Vec<String>,
    /// Emojis to take back, after those were added.
    pub removed: Vec<String>,
}

impl Tx<'_> {
    pub(super) fn change_reactions(
        &mut self,
        space: SpaceId,
        subject: Subject,
        user: UserId,
        changes: &ReactionChanges,
    ) -> Result<()> {
        let (comment, reply) = match subject {
            Subject::Comment(comment) => (comment, None),
            Subject::Reply(comment, reply) => (comment, Some(*reply.as_uuid())),
        };
        let space = *space.as_uuid();
        if !changes.added.is_empty() {
            let ids: Vec<Uuid> = changes.added.iter().map(|_| self.storage.ids().uuid()).collect();
            AddReactions::bind((
                val::<SqlUuid, _>(space),
                val::<SqlUuid, _>(*comment.as_uuid()),
                val::<Nullable<SqlUuid>, _>(reply),
                val::<SqlUuid, _>(*user.as_uuid()),
                self.now_bind(),
                val::<Array<SqlUuid>, _>(ids),
                val::<Array<Text>, _>(&changes.added),
            ))
            .execute(self.connection)?;
        }
        if !changes.removed.is_empty() {
            RemoveReactions::bind((
                val::<SqlUuid, _>(space),
                val::<SqlUuid, _>(*comment.as_uuid()),
                val::<Nullable<SqlUuid>, _>(reply),
                val::<Array<Text>, _>(&changes.removed),
                val::<SqlUuid, _>(*user.as_uuid()),
            ))
            .execute(self.connection)?;
        }
        Ok(())
    }
}
