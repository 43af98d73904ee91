//! Comments and replies.

use quire_domain::comments::{
    Comment, CommentPermissions, CommentReply, CommentUrls, Reaction, ReactionUser, Replier, Status,
};
use quire_domain::ids::{ChangeRequestId, CommentId, SpaceId};
use quire_domain::object::{CommentReplyTag, CommentTag};
use quire_domain::{Role, User, UserId};
use quire_storage::content::comments::{CommentAt, ReplyAt, ShownComment, ShownReply};
use quire_storage::lookup::{Authorized, UserRecord};

use super::spaces::count;
use super::users::user;
use crate::urls::Urls;

/// Caller who reads a comment or reply.
#[derive(Clone, Copy, Debug)]
pub struct Viewer {
    user: UserId,
    role: Option<Role>,
}

impl Viewer {
    /// Returns the authorized actor.
    #[must_use]
    pub fn of<T>(authorized: &Authorized<T>) -> Self {
        Self { user: authorized.actor().user, role: authorized.role() }
    }

    fn permissions(self, author: &UserRecord) -> CommentPermissions {
        CommentPermissions::of(self.role, author.id() == Some(self.user))
    }
}

/// Parent comment of replies, whose URLs are below its own.
#[derive(Clone, Copy, Debug)]
pub struct Thread {
    space: SpaceId,
    change_request: Option<ChangeRequestId>,
    comment: CommentId,
}

impl From<&CommentAt> for Thread {
    fn from(at: &CommentAt) -> Self {
        Self { space: at.space.id, change_request: at.comment.change_request, comment: at.comment.id }
    }
}

impl From<&ReplyAt> for Thread {
    fn from(at: &ReplyAt) -> Self {
        Self { space: at.space.id, change_request: at.change_request, comment: at.comment }
    }
}

impl Thread {
    /// Returns the path of the comment, below `/v1/`.
    fn path(self) -> String {
        let Self { space, change_request, comment } = self;
        match change_request {
            None => format!("spaces/{space}/comments/{comment}"),
            Some(change_request) => {
                format!("spaces/{space}/change-requests/{change_request}/comments/{comment}")
            }
        }
    }
}

/// Returns a comment as this viewer sees it.
#[must_use]
pub fn comment(urls: &Urls, shown: ShownComment, viewer: Viewer) -> Comment {
    let ShownComment { comment, target, reactions, repliers } = shown;
    let thread = Thread { space: target.space, change_request: comment.change_request, comment: comment.id };
    Comment {
        object: CommentTag::Tag,
        id: comment.id,
        posted_by: user(urls, &comment.posted_by),
        posted_at: comment.posted_at,
        edited_at: comment.edited_at,
        reactions: reactions.into_iter().map(|record| reaction(urls, record)).collect(),
        replies: count(comment.replies),
        repliers: repliers.into_iter().map(|record| replier(urls, record)).collect(),
        body: comment.body,
        target,
        urls: CommentUrls { location: urls.api(thread.path()) },
        permissions: viewer.permissions(&comment.posted_by),
        status: status(urls, comment.status),
    }
}

/// Returns a reply as this viewer sees it.
#[must_use]
pub fn reply(urls: &Urls, thread: Thread, shown: ShownReply, viewer: Viewer) -> CommentReply {
    let ShownReply { reply, reactions } = shown;
    CommentReply {
        object: CommentReplyTag::Tag,
        id: reply.id,
        posted_by: user(urls, &reply.posted_by),
        posted_at: reply.posted_at,
        edited_at: reply.edited_at,
        reactions: reactions.into_iter().map(|record| reaction(urls, record)).collect(),
        body: reply.body,
        urls: CommentUrls { location: urls.api(format_args!("{}/replies/{}", thread.path(), reply.id)) },
        permissions: viewer.permissions(&reply.posted_by),
    }
}

fn reaction(urls: &Urls, reaction: Reaction<UserRecord>) -> Reaction {
    let Reaction { emoji, count, users } = reaction;
    let shown =
        |by: ReactionUser<UserRecord>| ReactionUser { user: user(urls, &by.user), reacted_at: by.reacted_at };
    Reaction { emoji, count, users: users.into_iter().map(shown).collect() }
}

fn replier(urls: &Urls, replier: Replier<UserRecord>) -> Replier {
    let Replier { user: by, count, updated_at } = replier;
    Replier { user: user(urls, &by), count, updated_at }
}

fn status(urls: &Urls, status: Status<UserRecord>) -> Status<User> {
    match status {
        Status::Open => Status::Open,
        Status::Resolved { at, by } => Status::Resolved { at, by: user(urls, &by) },
    }
}
