//! Change requests, their reviews and comments.

use quire_domain::change_requests::{ChangeRequestPermissions, ChangeRequestUrls};
use quire_domain::comments::{
    Comment, CommentPermissions, CommentReply, CommentUrls, Reaction, ReactionUser, Replier, Status,
};
use quire_domain::documents::{Format, PresentedBody};
use quire_domain::ids::{ChangeRequestId, CommentId, RevisionId, SpaceId};
use quire_domain::object::{ChangeRequestTag, CommentReplyTag, CommentTag};
use quire_domain::reviews::{
    Contributor, RequestedReviewer, RequestedReviewerTag, RequestedTeam, RequestedTeamTag, Review, ReviewTag,
    ReviewUrls, Reviewer,
};
use quire_domain::{ChangeRequest, Role, User, UserId};
use quire_storage::Reader;
use quire_storage::content::change_requests::{ChangeRequestRecord, InSpace, MergeCheck};
use quire_storage::content::comments::{CommentAt, ReplyAt, ShownComment, ShownReply};
use quire_storage::content::reviews::{ReviewerRecord, ShownReview, UserOrTeam};
use quire_storage::lookup::{Authorized, UserRecord};

use super::spaces::count;
use super::user;
use crate::error::ApiResult;
use crate::urls::Urls;

/// Returns a change request of a space whose head is `space_head`.
#[must_use]
pub fn change_request(urls: &Urls, record: &ChangeRequestRecord, space_head: RevisionId) -> ChangeRequest {
    let path = format!("{}/change-requests/{}", record.space, record.id);
    ChangeRequest {
        object: ChangeRequestTag::Tag,
        id: record.id,
        space: record.space,
        number: count(record.number),
        status: record.status,
        subject: record.subject.clone(),
        created_by: user(urls, &record.created_by),
        created_at: record.created_at,
        updated_at: record.updated_at,
        revision: record.head,
        revision_initial: record.revision_initial,
        revision_merged_ancestor: record.revision_merged_ancestor,
        revision_merged: record.revision_merged,
        comments: count(record.comments_open),
        outdated: record.is_outdated(space_head),
        urls: ChangeRequestUrls {
            app: urls.app(format_args!("s/{}/~/changes/{}", record.space, record.number)),
            location: urls.api(format_args!("spaces/{path}")),
        },
        description: None,
        permissions: None,
        merge_blocked_by: None,
    }
}

/// Parts of a change request that lists leave out.
#[derive(Clone, Debug)]
pub struct Shown {
    check: Option<MergeCheck>,
    description: Option<PresentedBody>,
}

impl Shown {
    /// Loads the parts with at most four statements.
    pub fn load(
        reader: &mut Reader<'_>,
        found: &Authorized<InSpace<ChangeRequestRecord>>,
        format: Format,
    ) -> ApiResult<Self> {
        Ok(Self { check: reader.merge_check(found)?, description: reader.description(found, format)? })
    }
}

/// Returns a change request with the caller's permissions and unmet merge rules.
#[must_use]
pub fn change_request_for(
    urls: &Urls,
    found: &InSpace<ChangeRequestRecord>,
    Shown { check, description }: Shown,
) -> ChangeRequest {
    let merge = check.as_ref().is_some_and(|check| check.blocks.is_empty());
    let bypass_rules = check.as_ref().is_some_and(|check| check.may_bypass && !check.blocks.is_empty());
    ChangeRequest {
        permissions: Some(ChangeRequestPermissions { merge, bypass_rules }),
        merge_blocked_by: check.map(|check| check.blocks),
        description,
        ..change_request(urls, &found.item, found.space.head)
    }
}

/// Returns a review of a change request as the viewer sees it.
#[must_use]
pub fn review(
    urls: &Urls,
    change_request: &ChangeRequestRecord,
    shown: ShownReview,
    viewer: Viewer,
) -> Review {
    let ShownReview { review, comment } = shown;
    let edited_at = comment.as_ref().and_then(|shown| shown.comment.edited_at);
    let parent = format!("spaces/{}/change-requests/{}", change_request.space, change_request.id);
    Review {
        object: ReviewTag::Tag,
        id: review.id,
        revision: review.revision,
        reviewer: user(urls, &review.reviewer),
        requested_by: review.requested_by.id().map(|_| user(urls, &review.requested_by)),
        status: review.status,
        outdated: review.revision != change_request.head,
        comment: comment.map(|shown| Box::new(super::comment(urls, shown, viewer))),
        created_at: review.created_at,
        updated_at: edited_at.unwrap_or(review.created_at),
        urls: ReviewUrls { location: urls.api(format_args!("{parent}/reviews/{}", review.id)) },
    }
}

/// Returns a requested reviewer.
#[must_use]
pub fn requested_reviewer(urls: &Urls, record: &ReviewerRecord) -> RequestedReviewer {
    RequestedReviewer {
        object: RequestedReviewerTag::Tag,
        revision: record.revision,
        requested_by: user(urls, &record.requested_by),
        created_at: record.created_at,
        reviewer: match &record.asked {
            UserOrTeam::User(asked) => Reviewer::User { user: user(urls, asked) },
            UserOrTeam::Team(id) => {
                Reviewer::Team { team: RequestedTeam { object: RequestedTeamTag::Tag, id: *id } }
            }
        },
    }
}

/// Returns a contributor of a change request.
#[must_use]
pub fn contributor(urls: &Urls, contributor: &Contributor<UserRecord>) -> Contributor {
    let Contributor { user: by, count, updated_at, action_type } = contributor;
    Contributor { user: user(urls, by), count: *count, updated_at: *updated_at, action_type: *action_type }
}

/// User who views a comment or reply.
#[derive(Clone, Copy, Debug)]
pub struct Viewer {
    user: UserId,
    role: Option<Role>,
}

impl Viewer {
    /// Returns the viewer who was authorized for a resource.
    #[must_use]
    pub fn of<T>(authorized: &Authorized<T>) -> Self {
        Self { user: authorized.actor().user, role: authorized.role() }
    }

    fn permissions(self, author: &UserRecord) -> CommentPermissions {
        CommentPermissions::of(self.role, author.id() == Some(self.user))
    }
}

/// Comment of a thread, below which the URLs of its replies are.
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

/// Returns a comment as the viewer sees it.
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

/// Returns a reply as the viewer sees it.
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
