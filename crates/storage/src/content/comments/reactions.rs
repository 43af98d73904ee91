//! Reactions: adding, removing, and reading for many comments or replies at once.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::functions::coalesce;
use quire_database::sql_files;
use quire_domain::bounds::REACTIONS_OF_COMMENT_MAX;
use quire_domain::comments::{Reaction, ReactionUser, emoji_spellings, is_same_emoji};
use quire_domain::error::Reason;
use quire_domain::ids::{CommentId, CommentReplyId, SpaceId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::lookup::UserRecord;
use crate::schema::{comment_reactions, users};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, to_timestamp};

/// Target of a reaction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    Comment(CommentId),
    Reply(CommentId, CommentReplyId),
}

sql_files! {
    AddReactions(SqlUuid, SqlUuid, Nullable<SqlUuid>, SqlUuid, Timestamptz, Array<SqlUuid>, Array<Text>, BigInt)
        -> (BigInt,) = "add_reactions.sql";
}

/// Id of the comment or reply, emoji, time and user.
type ReactionRow = (Uuid, String, OffsetDateTime, UserRecord);

/// Reactions by the id of their comment or reply.
pub(crate) struct Reactions(HashMap<Uuid, Vec<Reaction<UserRecord>>>);

impl Reactions {
    /// Removes and returns the reactions to one comment or reply.
    pub(crate) fn take(&mut self, subject: impl Into<Uuid>) -> Vec<Reaction<UserRecord>> {
        self.0.remove(&subject.into()).unwrap_or_default()
    }

    /// Groups rows by target and emoji, in the order of the first reaction. A user who gave an emoji in several
    /// spellings counts once.
    fn group(rows: Vec<ReactionRow>) -> Result<Self> {
        let mut subjects: HashMap<Uuid, Vec<Reaction<UserRecord>>> = HashMap::new();
        for (subject, emoji, reacted_at, user) in rows {
            let reactions = subjects.entry(subject).or_default();
            let user = ReactionUser { user, reacted_at: to_timestamp(reacted_at)? };
            match reactions.iter_mut().find(|reaction| is_same_emoji(&reaction.emoji, &emoji)) {
                Some(reaction) if has_given(reaction, user.user.id()) => {}
                Some(reaction) => {
                    reaction.count += 1;
                    reaction.users.push(user);
                }
                None => reactions.push(Reaction { emoji, count: 1, users: vec![user] }),
            }
        }
        Ok(Self(subjects))
    }
}

/// Returns whether a user is among those who gave a reaction. Removed users have no id, and count each.
fn has_given(reaction: &Reaction<UserRecord>, user: Option<UserId>) -> bool {
    user.is_some() && reaction.users.iter().any(|given| given.user.id() == user)
}

impl Reader<'_> {
    /// Returns the reactions to comments. Takes one statement.
    pub(crate) fn comment_reactions(
        &mut self,
        space: SpaceId,
        comments: Vec<CommentId>,
    ) -> Result<Reactions> {
        if comments.is_empty() {
            return Ok(Reactions(HashMap::new()));
        }
        let rows = comment_reactions::table
            .inner_join(users::table)
            .filter(comment_reactions::space_id.eq(space))
            .filter(comment_reactions::comment_id.eq_any(comments))
            .filter(comment_reactions::reply_id.is_null())
            .order(comment_reactions::id)
            .select((
                comment_reactions::comment_id,
                comment_reactions::emoji,
                comment_reactions::reacted_at,
                UserRecord::as_select(),
            ));
        Reactions::group(rows.load(self.connection)?)
    }

    /// Returns the reactions to replies. Takes one statement.
    pub(super) fn reply_reactions(
        &mut self,
        space: SpaceId,
        replies: Vec<CommentReplyId>,
    ) -> Result<Reactions> {
        if replies.is_empty() {
            return Ok(Reactions(HashMap::new()));
        }
        let rows = comment_reactions::table
            .inner_join(users::table)
            .filter(comment_reactions::space_id.eq(space))
            .filter(comment_reactions::reply_id.eq_any(replies))
            .order(comment_reactions::id)
            .select((
                comment_reactions::reply_id.assume_not_null(),
                comment_reactions::emoji,
                comment_reactions::reacted_at,
                UserRecord::as_select(),
            ));
        Reactions::group(rows.load(self.connection)?)
    }
}

impl Tx<'_> {
    /// Adds missing reactions of a user, and then removes others.
    ///
    /// # Errors
    /// [`Reason::TooMany`] if the comment or reply would have more than [`REACTIONS_OF_COMMENT_MAX`] emojis.
    pub(super) fn change_reactions(
        &mut self,
        space: SpaceId,
        subject: Subject,
        user: UserId,
        added: &[String],
        removed: &[String],
    ) -> Result<()> {
        let (comment, reply) = match subject {
            Subject::Comment(comment) => (comment, None),
            Subject::Reply(comment, reply) => (comment, Some(reply)),
        };
        if !added.is_empty() {
            let ids: Vec<Uuid> = added.iter().map(|_| self.storage.ids().uuid()).collect();
            let most = i64::try_from(REACTIONS_OF_COMMENT_MAX).unwrap_or(i64::MAX);
            let add = AddReactions::bind((space, comment, reply, user, self.now, ids, added, most));
            let (emojis,): (i64,) = add.get_result(self.connection)?;
            if emojis > most {
                let message = format!("A comment or reply can have at most {most} different reactions.");
                return Err(Error::refused(Reason::TooMany, message));
            }
        }
        if !removed.is_empty() {
            let removed: Vec<String> = removed.iter().flat_map(|emoji| emoji_spellings(emoji)).collect();
            let subject = coalesce(comment_reactions::reply_id, comment_reactions::comment_id.nullable());
            let of_user = comment_reactions::table
                .filter(comment_reactions::space_id.eq(space))
                .filter(comment_reactions::comment_id.eq(comment))
                .filter(subject.eq(reply.map_or(comment.into(), Uuid::from)))
                .filter(comment_reactions::emoji.eq_any(removed))
                .filter(comment_reactions::user_id.eq(user));
            diesel::delete(of_user).execute(self.connection)?;
        }
        Ok(())
    }
}
