//! Comments: posts, lists, edits, resolution and deletion, with the counters of open comments.
//!
//! Lock order: a comment before its replies. The space or change request that counts comments is locked by the last
//! statement of the transaction.

mod anchors;
mod list;
mod lookup;
mod moved_anchors;
mod reactions;
mod repliers;
mod replies;
mod target;

use diesel::prelude::*;
use diesel::sql_types::{Binary, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::comments::{CommentTarget, Event, Reaction, Replier, Status, TargetNode};
use quire_domain::documents::{DocumentJson, Format, PresentedBody};
use quire_domain::ids::{ChangeRequestId, CommentId, ReviewId, SpaceId, UserId};
use quire_domain::webhooks::EventKind;
use quire_revision::Tree;
use uuid::Uuid;

pub use self::lookup::{CommentAt, CommentRecord, CommentsOf, PostedOn, ReplyAt, ReplyRecord};
pub(crate) use self::lookup::{comment_columns, reply_columns};
pub use list::CommentFilter;
pub use replies::ShownReply;
pub use target::CommentedPage;

use self::reactions::Subject;
use crate::content::store::ContentAt;
use crate::detail_views::comment_details;
use crate::end_of_transaction::{CommentNotice, CommentRow, CommentStep};
use crate::lookup::{Authorized, UserRecord};
use crate::operations::webhooks;
use crate::schema::comments;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

sql_files! {
    EditComment(SqlUuid, SqlUuid, Text, Binary, Timestamptz) = "edit.sql";
    SetStatus(SqlUuid, SqlUuid, Text, Nullable<Timestamptz>, Nullable<SqlUuid>) = "set_status.sql";
}

/// Body of a comment or reply in both formats.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenBody {
    /// Markdown.
    pub markdown: String,
    /// Document.
    pub document: DocumentJson,
    /// Users mentioned in the body.
    pub mentions: Vec<UserId>,
}

impl WrittenBody {
    /// Returns the body in one of its formats.
    fn into_format(self, format: Format) -> PresentedBody {
        match format {
            Format::Document => PresentedBody::Document { document: self.document },
            _ => PresentedBody::Markdown { markdown: self.markdown },
        }
    }
}

/// Comment to post.
#[derive(Clone, Debug, PartialEq)]
pub struct NewComment {
    /// Body.
    pub body: WrittenBody,
    /// Commented page.
    pub page: Option<CommentedPage>,
    /// Node in the page's document.
    pub node: Option<TargetNode>,
    /// Review with which the comment is posted.
    pub review: Option<ReviewId>,
}

/// Changes to a comment or reply. `None` keeps a value.
#[derive(Clone, Debug, Default)]
pub struct CommentChanges {
    /// `true` resolves the comment, `false` reopens it.
    pub resolved: Option<bool>,
    /// Body.
    pub body: Option<WrittenBody>,
    /// Emojis of reactions to add. An existing reaction is not added again.
    pub added_reactions: Vec<String>,
    /// Emojis of reactions to remove, after the others were added.
    pub removed_reactions: Vec<String>,
}

/// Comment with everything that responses show.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownComment {
    /// Comment.
    pub comment: CommentRecord,
    /// Target in the current content.
    pub target: CommentTarget,
    /// Reactions.
    pub reactions: Vec<Reaction<UserRecord>>,
    /// Users who replied.
    pub repliers: Vec<Replier<UserRecord>>,
}

impl ShownComment {
    pub(crate) fn new(
        space: SpaceId,
        comment: CommentRecord,
        tree: &Tree,
        (reactions, repliers): (Vec<Reaction<UserRecord>>, Vec<Replier<UserRecord>>),
    ) -> Self {
        Self { target: target::target(space, &comment, tree), comment, reactions, repliers }
    }
}

impl Reader<'_> {
    /// Returns a comment with its target, reactions and repliers. Takes one statement, one more if there are replies,
    /// at most two for the documents of a changed page, and those that search for a moved node and load the content's
    /// tree.
    ///
    /// # Errors
    /// [`Error::Outdated`] within a transaction for a node in documents that were not compared yet.
    pub fn show_comment(&mut self, comment: &Authorized<CommentAt>) -> Result<ShownComment> {
        let (space, record) = (comment.space.id, comment.comment.clone());
        let tree = match record.posted_on.page {
            Some(_) => self.tree_of(space, comment.head.root)?,
            None => Tree::empty(),
        };
        let reactions = self.comment_reactions(space, vec![record.id])?.take(record.id);
        let repliers = self.repliers_of(space, [&record])?.take(&record);
        let mut shown = [ShownComment::new(space, record, &tree, (reactions, repliers))];
        self.anchor_nodes(space, &tree, &mut shown)?;
        let [shown] = shown;
        Ok(shown)
    }

    fn read_comment(&mut self, space: SpaceId, id: CommentId, format: Format) -> Result<CommentRecord> {
        let comment = comment_details::table.find((space, id));
        Ok(comment.select(comment_columns(format)).get_result(self.connection)?)
    }
}

impl Tx<'_> {
    /// Posts a comment on the space or change request of the content, and returns it. The row is written when the
    /// transaction ends.
    ///
    /// The end of the transaction fails with [`Error::NotFound`] if the space or change request was deleted after its
    /// lookup.
    pub fn post_comment(
        &mut self,
        content: &Authorized<ContentAt>,
        poster: UserRecord,
        comment: NewComment,
        format: Format,
    ) -> Result<ShownComment> {
        let tree = match comment.page {
            Some(_) => self.tree_of(content.space.id, content.revision.root)?,
            None => Tree::empty(),
        };
        let id = self.add_comment(content, &comment)?;
        let NewComment { body, page, node, review } = comment;
        let (page, document) = page.map(|target| (target.page, target.document)).unzip();
        let record = CommentRecord {
            id,
            change_request: content.change_request.as_ref().map(|change_request| change_request.id),
            review,
            posted_by: poster,
            posted_at: self.now,
            edited_at: None,
            body: body.into_format(format),
            status: Status::Open,
            replies: 0,
            posted_on: PostedOn { revision: content.revision.id, page, document: document.flatten(), node },
        };
        Ok(ShownComment::new(content.space.id, record, &tree, (Vec::new(), Vec::new())))
    }

    /// Like [`Tx::post_comment`], for a caller who does not show the comment.
    pub fn add_comment(
        &mut self,
        content: &Authorized<ContentAt>,
        comment: &NewComment,
    ) -> Result<CommentId> {
        let space = content.space.id;
        let id = CommentId::from_uuid(self.storage.ids().uuid());
        self.record_created("comment", id);
        let row = CommentRow::new(content, id, self.now, comment)?;
        let change_request = content.change_request.as_ref().map(|change_request| change_request.id);
        self.closing.posted.push(row);
        self.closing.notices.push(CommentNotice {
            space,
            change_request,
            comment: id,
            reply: None,
            author: content.actor().user,
            mentions: comment.body.mentions.clone(),
        });
        self.emit_comment_event(EventKind::CommentCreated, space, change_request, id)?;
        self.count_comments(space, change_request, CommentStep { open: 1, resolved: 0 });
        Ok(id)
    }

    /// Emits an event of a comment.
    fn emit_comment_event(
        &mut self,
        kind: EventKind,
        space: SpaceId,
        change_request: Option<ChangeRequestId>,
        id: CommentId,
    ) -> Result<()> {
        let event = webhooks::Event::in_space(kind, space);
        self.emit_in_space(event.with("commentId", id).with_some("changeRequestId", change_request))
    }

    /// Locks a comment until the transaction ends, and reads it again, because it may have changed after its lookup.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the comment no longer exists.
    pub fn lock_comment(
        &mut self,
        comment: Authorized<CommentAt>,
        format: Format,
    ) -> Result<Authorized<CommentAt>> {
        self.lock_comment_row(comment.space.id, comment.comment.id)?;
        // A join in the locking statement would return the joined tables as they were before the wait for the lock.
        self.read_again(comment, format)
    }

    /// Returns a locked comment after its changes.
    pub fn read_again(
        &mut self,
        comment: Authorized<CommentAt>,
        format: Format,
    ) -> Result<Authorized<CommentAt>> {
        let fresh = self.read_comment(comment.space.id, comment.comment.id, format)?;
        Ok(comment.map(|at| CommentAt { comment: fresh, ..at }))
    }

    /// Changes a locked comment.
    pub fn update_comment(
        &mut self,
        comment: &Authorized<CommentAt>,
        changes: &CommentChanges,
    ) -> Result<()> {
        let (space, id, user) = (comment.space.id, comment.comment.id, comment.actor().user);
        if let Some(resolved) = changes.resolved {
            self.resolve(space, comment.comment.change_request, id, resolved, user)?;
        }
        if let Some(body) = &changes.body {
            EditComment::bind((space, id, body.markdown.as_str(), body.document.as_bytes(), self.now))
                .execute(self.connection)?;
            self.emit_comment_event(EventKind::CommentUpdated, space, comment.comment.change_request, id)?;
            self.write_comment_notice(&CommentNotice {
                space,
                change_request: comment.comment.change_request,
                comment: id,
                reply: None,
                author: user,
                mentions: body.mentions.clone(),
            })?;
        }
        self.note_comment_change(space, comment.comment.change_request);
        self.change_reactions(
            space,
            Subject::Comment(id),
            user,
            &changes.added_reactions,
            &changes.removed_reactions,
        )
    }

    /// Deletes a comment with its replies and reactions.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the comment no longer exists.
    pub fn delete_comment(&mut self, comment: Authorized<CommentAt>) -> Result<()> {
        let comment = self.lock_comment(comment, Format::Markdown)?;
        let (space, id) = (comment.space.id, comment.comment.id);
        diesel::delete(comments::table.find((space, id))).execute(self.connection)?;
        self.emit_comment_event(EventKind::CommentDeleted, space, comment.comment.change_request, id)?;
        let step = match comment.comment.status.is_resolved() {
            true => CommentStep { open: 0, resolved: -1 },
            false => CommentStep { open: -1, resolved: 0 },
        };
        self.count_comments(space, comment.comment.change_request, step);
        Ok(())
    }

    /// Resolves or reopens a locked comment. Nothing changes if it already has that status.
    fn resolve(
        &mut self,
        space: SpaceId,
        change_request: Option<ChangeRequestId>,
        id: CommentId,
        resolved: bool,
        by: UserId,
    ) -> Result<()> {
        let before = self.read_comment(space, id, Format::Markdown)?.status;
        if before.is_resolved() == resolved {
            return Ok(());
        }
        let before = match before {
            Status::Open => Status::Open,
            Status::Resolved { at, by: resolver } => Status::Resolved { at, by: resolver.id() },
        };
        let event = if resolved { Event::Resolve { by: Some(by) } } else { Event::Reopen };
        let (status, at, by, step) = match before.apply(event, self.now) {
            Status::Open => ("open", None, None, CommentStep { open: 1, resolved: -1 }),
            Status::Resolved { at, by } => {
                let step = CommentStep { open: -1, resolved: 1 };
                ("resolved", Some(at), by, step)
            }
        };
        SetStatus::bind((space, id, status, at, by)).execute(self.connection)?;
        let kind = if resolved { EventKind::CommentResolved } else { EventKind::CommentReopened };
        self.count_comments(space, change_request, step);
        self.emit_comment_event(kind, space, change_request, id)
    }

    fn lock_comment_row(&mut self, space: SpaceId, id: CommentId) -> Result<()> {
        let comment = comments::table.find((space, id));
        let comment = comment.select(comments::id).for_no_key_update();
        comment.get_result::<Uuid>(self.connection).optional()?.map(drop).ok_or(Error::NotFound)
    }
}
