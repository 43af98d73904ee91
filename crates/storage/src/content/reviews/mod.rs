//! Reviews of change requests, requested reviewers and contributors.

mod contributors;
mod reviewers;

use std::collections::HashMap;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::change_requests::Event;
use quire_domain::clock::Timestamp;
use quire_domain::documents::Format;
use quire_domain::error::Reason;
use quire_domain::ids::{ChangeRequestId, ReviewId, RevisionId, SpaceId};
use quire_domain::reviews::ReviewStatus;
use quire_revision::Tree;

pub use reviewers::{ReviewerRecord, UserOrTeam};

use crate::content::change_requests::{ChangeRequestRecord, InSpace, transition};
use crate::content::comments::{CommentRecord, NewComment, ShownComment, WrittenBody, comment_columns};
use crate::content::store::{ContentAt, LockedChangeRequest};
use crate::detail_views::{
    REVIEW_AUTHOR, REVIEW_REQUESTER, ReviewAuthor, ReviewRequester, comment_details, review_details,
};
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, UserRecord};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Stored review.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = review_details, check_for_backend(Pg))]
pub struct ReviewRecord {
    /// Id.
    pub id: ReviewId,
    /// Reviewed head of the change request.
    #[diesel(column_name = revision_id)]
    pub revision: RevisionId,
    /// Author.
    #[diesel(select_expression = REVIEW_AUTHOR, select_expression_type = ReviewAuthor)]
    pub reviewer: UserRecord,
    /// User who requested the review. It has no id if the review was not requested.
    #[diesel(select_expression = REVIEW_REQUESTER, select_expression_type = ReviewRequester)]
    pub requested_by: UserRecord,
    /// Approval, or request for changes.
    pub status: ReviewStatus,
    /// Time of its submission.
    pub created_at: Timestamp,
}

/// Review with its comment.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownReview {
    /// Review.
    pub review: ReviewRecord,
    /// Comment of the reviewer, unless it was deleted.
    pub comment: Option<ShownComment>,
}

/// Filter of reviews, and the format of their comments.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReviewFilter {
    /// `true` for reviews of a revision before the head, `false` for reviews of the head.
    pub outdated: Option<bool>,
    /// Format of the comments' bodies.
    pub format: Format,
}

sql_files! {
    InsertReview(SqlUuid, SqlUuid, SqlUuid, SqlUuid, SqlUuid, Text, Timestamptz) = "insert.sql";
}

impl ReviewFilter {
    /// Returns the query for the matching reviews of a change request.
    fn query(self, change_request: &InSpace<ChangeRequestRecord>) -> review_details::BoxedQuery<'_, Pg> {
        let query = review_details::table
            .filter(review_details::space_id.eq(change_request.space.id))
            .filter(review_details::change_request_id.eq(change_request.item.id))
            .into_boxed();
        let head = change_request.item.head;
        match self.outdated {
            None => query,
            Some(true) => query.filter(review_details::revision_id.ne(head)),
            Some(false) => query.filter(review_details::revision_id.eq(head)),
        }
    }
}

impl Reader<'_> {
    /// Returns a review of a change request. Takes three statements.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the change request has no review with this id.
    pub fn review(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        id: ReviewId,
        format: Format,
    ) -> Result<ShownReview> {
        let space = change_request.space.id;
        let found = review_details::table
            .find((space, id))
            .filter(review_details::change_request_id.eq(change_request.item.id))
            .select(ReviewRecord::as_select());
        let review = found.get_result(self.connection).optional()?.ok_or(Error::NotFound)?;
        let comment = self.comments_of_reviews(space, &[review.id], format)?.remove(&review.id);
        Ok(ShownReview { review, comment })
    }

    /// Returns the reviews of a change request, newest first. Takes four statements.
    pub fn reviews(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        filter: ReviewFilter,
        before: Option<ReviewId>,
        limit: u16,
    ) -> Result<Slice<ShownReview>> {
        let space = change_request.space.id;
        let page = filter
            .query(change_request)
            .filter(review_details::id.lt(page_end(before)))
            .order(review_details::id.desc())
            .limit(fetch_limit(limit));
        let rows = page.select(ReviewRecord::as_select()).load(self.connection)?;
        let total = filter.query(change_request).count().get_result(self.connection)?;
        let slice = Slice::cut(rows, limit, total);
        let ids: Vec<ReviewId> = slice.items.iter().map(|review| review.id).collect();
        let mut comments = self.comments_of_reviews(space, &ids, filter.format)?;
        slice.try_map(|review| {
            let comment = comments.remove(&review.id);
            Ok(ShownReview { review, comment })
        })
    }

    /// Returns the comments of reviews. They refer to no page.
    fn comments_of_reviews(
        &mut self,
        space: SpaceId,
        reviews: &[ReviewId],
        format: Format,
    ) -> Result<HashMap<ReviewId, ShownComment>> {
        let ids = reviews.to_vec();
        let comments: Vec<CommentRecord> = comment_details::table
            .filter(comment_details::space_id.eq(space))
            .filter(comment_details::review_id.eq_any(ids))
            .select(comment_columns(format))
            .load(self.connection)?;
        let mut reactions =
            self.comment_reactions(space, comments.iter().map(|comment| comment.id).collect())?;
        let mut repliers = self.repliers_of(space, &comments)?;
        let shown = comments.into_iter().filter_map(|comment| {
            let given = (reactions.take(comment.id), repliers.take(&comment));
            Some((comment.review?, ShownComment::new(space, comment, &Tree::empty(), given)))
        });
        Ok(shown.collect())
    }
}

impl Tx<'_> {
    /// Submits a review of the change request of the content, for its head after it was locked, and posts the
    /// reviewer's comment.
    ///
    /// # Errors
    /// 409 if the change request is archived or merged, or the reviewer is its author; [`Error::NotFound`] if it no
    /// longer exists.
    pub fn submit_review(
        &mut self,
        content: &Authorized<ContentAt>,
        status: ReviewStatus,
        comment: Option<WrittenBody>,
    ) -> Result<ReviewId> {
        let change_request = content.change_request.as_ref().ok_or(Error::NotFound)?;
        let (space, reviewer) = (content.space.id, content.actor().user);
        let head = self.lock_for_review(space, change_request.id)?;
        if change_request.bars_reviewer(reviewer) {
            let reason = Reason::OwnChangeRequest;
            return Err(Error::refused(reason, reason.message()));
        }
        let id = ReviewId::from_uuid(self.storage.ids().uuid());
        InsertReview::bind((space, change_request.id, id, reviewer, head, status.as_str(), self.now))
            .execute(self.connection)?;
        if let Some(body) = comment {
            let comment = NewComment { body, page: None, node: None, review: Some(id) };
            self.add_comment(content, &comment)?;
            self.write_noted_comments()?;
        }
        self.record_created("change-request-review", id);
        Ok(id)
    }

    /// Locks a change request whose status permits reviews, and returns its head.
    fn lock_for_review(&mut self, space: SpaceId, id: ChangeRequestId) -> Result<RevisionId> {
        let LockedChangeRequest { status, head, .. } = self.lock_change_request_row(space, id)?;
        transition(status, Event::Review)?;
        Ok(head)
    }
}
