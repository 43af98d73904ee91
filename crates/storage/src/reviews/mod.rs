//! Reviews of change requests, who is asked for them, and who takes part.

mod contributors;
mod reviewers;

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::change_requests::Event;
use quire_domain::clock::Timestamp;
use quire_domain::documents::Format;
use quire_domain::error::Reason;
use quire_domain::ids::{ChangeRequestId, ReviewId, RevisionId, SpaceId};
use quire_domain::reviews::ReviewStatus;
use quire_revision::Tree;
use time::OffsetDateTime;
use uuid::Uuid;

pub use contributors::ContributorRecord;
pub use reviewers::{Asked, ReviewerRecord};

use crate::change_requests::transition;
use crate::comments::{NewBody, NewComment, ShownComment};
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, ChangeRequestRecord, CommentColumns, CommentRecord, ContentAt, InSpace, UserRecord,
    comment_columns, comment_users,
};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment, stored};

/// A review as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewRecord {
    /// Its id.
    pub id: ReviewId,
    /// The change request's head that was reviewed.
    pub revision: RevisionId,
    /// Who reviewed.
    pub reviewer: UserRecord,
    /// Who had asked for it; the outer `None` when nobody had.
    pub requested_by: Option<UserRecord>,
    /// What the reviewer thinks.
    pub status: ReviewStatus,
    /// When it was submitted.
    pub created_at: Timestamp,
}

/// A review with what the reviewer said.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownReview {
    /// The review.
    pub review: ReviewRecord,
    /// The comment that came with it, unless it was deleted.
    pub comment: Option<ShownComment>,
}

/// Which reviews of a change request are meant, and how their comments are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReviewFilter {
    /// Whether the change request has another revision since.
    pub outdated: Option<bool>,
    /// How the comments' bodies are read.
    pub format: Format,
}

#[derive(QueryableByName)]
struct ReviewRow {
    #[diesel(sql_type = SqlUuid)]
    review_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    revision_id: Uuid,
    #[diesel(sql_type = Text)]
    review_status: String,
    #[diesel(sql_type = Timestamptz)]
    review_created_at: OffsetDateTime,
    #[diesel(embed)]
    reviewer: UserRecord,
    #[diesel(embed)]
    requester: Requester,
}

/// The user who asked for a review: another one than the reviewer of the same row.
#[derive(QueryableByName)]
pub(crate) struct Requester {
    #[diesel(sql_type = Nullable<SqlUuid>)]
    requester_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    requester_email: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    requester_display_name: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    requester_photo_url: Option<String>,
}

impl From<Requester> for UserRecord {
    fn from(row: Requester) -> Self {
        Self {
            user_id: row.requester_id,
            user_email: row.requester_email,
            user_display_name: row.requester_display_name,
            user_photo_url: row.requester_photo_url,
        }
    }
}

impl TryFrom<ReviewRow> for ReviewRecord {
    type Error = Error;

    fn try_from(row: ReviewRow) -> Result<Self> {
        let requester = UserRecord::from(row.requester);
        Ok(Self {
            id: ReviewId::from_uuid(row.review_id),
            revision: RevisionId::from_uuid(row.revision_id),
            reviewer: row.reviewer,
            requested_by: requester.id().map(|_| requester),
            status: stored(&row.review_status)?,
            created_at: moment(row.review_created_at)?,
        })
    }
}

#[derive(QueryableByName)]
struct LockRow {
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = SqlUuid)]
    head_revision: Uuid,
}

/// The columns of a user `requester` beside another one.
macro_rules! requester_columns {
    () => {
        "requester.id AS requester_id, requester.email AS requester_email, \
         requester.display_name AS requester_display_name, requester.photo_url AS requester_photo_url"
    };
}
pub(crate) use requester_columns;

macro_rules! reviews {
    ($condition:literal) => {
        concat!(
            "SELECT rv.id AS review_id, rv.revision_id, rv.status AS review_status, rv.created_at AS review_created_at, \
             reviewer.id AS user_id, reviewer.email AS user_email, reviewer.display_name AS user_display_name, \
             reviewer.photo_url AS user_photo_url, ",
            requester_columns!(),
            " FROM change_request_reviews rv LEFT JOIN users reviewer ON reviewer.id = rv.reviewer_id \
             LEFT JOIN users requester ON requester.id = rv.requested_by \
             WHERE rv.space_id = $1 AND rv.change_request_id = $2",
            $condition
        )
    };
}

statements! {
    LockChangeRequest = "SELECT status, head_revision FROM change_requests WHERE space_id = $1 AND id = $2 FOR NO KEY UPDATE";
    InsertReview = "INSERT INTO change_request_reviews (space_id, id, change_request_id, reviewer_id, requested_by, revision_id, status, created_at) \
                    SELECT $1, $3, $2, $4, \
                           (SELECT k.requested_by FROM change_request_reviewers k JOIN spaces s ON s.id = k.space_id \
                             WHERE k.space_id = $1 AND k.change_request_id = $2 AND (k.reviewer_id = $4 OR k.is_team AND EXISTS ( \
                                   SELECT 1 FROM team_members tm WHERE tm.organization_id = s.organization_id \
                                      AND tm.team_id = k.reviewer_id AND tm.user_id = $4)) \
                             ORDER BY k.is_team, k.created_at LIMIT 1), \
                           $5, $6, $7";
    FindReview = reviews!(" AND rv.id = $3");
    ListReviews = reviews!(" AND ($3 IS NULL OR (rv.revision_id <> $4) = $3) AND ($5 IS NULL OR rv.id < $5) ORDER BY rv.id DESC LIMIT $6");
    CountReviews = "SELECT count(*) AS total FROM change_request_reviews rv WHERE rv.space_id = $1 AND rv.change_request_id = $2 \
                    AND ($3 IS NULL OR (rv.revision_id <> $4) = $3)";
    FindComments = concat!(
        "SELECT ", comment_columns!("$3"), " FROM comments cm", comment_users!(), " WHERE cm.space_id = $1 AND cm.review_id = ANY ($2)"
    );
}

impl Reader<'_> {
    /// A review of a change request: three statements, and as many for a thousand.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the change request has none with this id.
    pub fn review(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        id: ReviewId,
        format: Format,
    ) -> Result<ShownReview> {
        let space = change_request.space.id;
        let row: Option<ReviewRow> = FindReview::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*change_request.item.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        let review = ReviewRecord::try_from(row.ok_or(Error::NotFound)?)?;
        let comment = self.comments_of_reviews(space, &[review.id], format)?.remove(&review.id);
        Ok(ShownReview { review, comment })
    }

    /// The reviews of a change request, newest first: four statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn reviews(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        filter: ReviewFilter,
        before: Option<ReviewId>,
        limit: u16,
    ) -> Result<Slice<ShownReview>> {
        let (space, item) = (change_request.space.id, &change_request.item);
        let key = || (val::<SqlUuid, _>(*space.as_uuid()), val::<SqlUuid, _>(*item.id.as_uuid()));
        let outdated = || val::<Nullable<Bool>, _>(filter.outdated);
        let head = || val::<SqlUuid, _>(*item.head.as_uuid());
        let ((a, b), (c, d)) = (key(), key());
        let rows: Vec<ReviewRow> = ListReviews::bind((
            a,
            b,
            outdated(),
            head(),
            val::<Nullable<SqlUuid>, _>(before.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountReviews::bind((c, d, outdated(), head())).get_result(self.connection)?;
        let slice = Slice::cut(rows, limit, count.total).try_map(ReviewRecord::try_from)?;
        let ids: Vec<ReviewId> = slice.items.iter().map(|review| review.id).collect();
        let mut comments = self.comments_of_reviews(space, &ids, filter.format)?;
        slice.try_map(|review| {
            let comment = comments.remove(&review.id);
            Ok(ShownReview { review, comment })
        })
    }

    /// The comments that came with reviews; they are about no page.
    fn comments_of_reviews(
        &mut self,
        space: SpaceId,
        reviews: &[ReviewId],
        format: Format,
    ) -> Result<HashMap<ReviewId, ShownComment>> {
        let ids: Vec<Uuid> = reviews.iter().map(|id| *id.as_uuid()).collect();
        let rows: Vec<CommentColumns> = FindComments::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<Array<SqlUuid>, _>(ids),
            val::<Bool, _>(format == Format::Document),
        ))
        .load(self.connection)?;
        let comments = rows.into_iter().map(CommentRecord::try_from).collect::<Result<Vec<_>>>()?;
        let mut reactions =
            self.comment_reactions(space, comments.iter().map(|comment| *comment.id.as_uuid()).collect())?;
        let shown = comments.into_iter().filter_map(|comment| {
            let reactions = reactions.take(comment.id.as_uuid());
            Some((comment.review?, ShownComment::new(space, comment, &Tree::empty(), reactions)))
        });
        Ok(shown.collect())
    }
}

impl Tx<'_> {
    /// Submits a review of the change request that the content was found by, of the head that it has once it is locked, and posts
    /// what the reviewer says as a comment.
    ///
    /// # Errors
    /// 409 when the change request is archived or merged, or the reviewer's own; [`Error::NotFound`] when it is gone.
    pub fn submit_review(
        &mut self,
        content: &Authorized<ContentAt>,
        status: ReviewStatus,
        comment: Option<NewBody>,
    ) -> Result<ReviewId> {
        let change_request = content.change_request.as_ref().ok_or(Error::NotFound)?;
        let (space, reviewer) = (content.space.id, content.actor().user);
        let head = self.lock_for_review(space, change_request.id)?;
        if change_request.bars_reviewer(reviewer) {
            let reason = Reason::OwnChangeRequest;
            return Err(Error::refused(reason, reason.message()));
        }
        let id = ReviewId::from_uuid(self.storage.ids().uuid());
        InsertReview::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*change_request.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<SqlUuid, _>(*reviewer.as_uuid()),
            val::<SqlUuid, _>(*head.as_uuid()),
            val::<Text, _>(status.as_str()),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        if let Some(body) = comment {
            let comment = NewComment { body, page: None, node: None, review: Some(id) };
            self.add_comment(content, &comment)?;
            self.write_noted_comments()?;
        }
        self.note_made("change-request-review", id);
        Ok(id)
    }

    /// Locks a change request that reviews can be given on or asked for, and answers its head.
    fn lock_for_review(&mut self, space: SpaceId, id: ChangeRequestId) -> Result<RevisionId> {
        let row: LockRow =
            LockChangeRequest::bind((val::<SqlUuid, _>(*space.as_uuid()), val::<SqlUuid, _>(*id.as_uuid())))
                .get_result(self.connection)
                .optional()?
                .ok_or(Error::NotFound)?;
        transition(stored(&row.status)?, Event::Review)?;
        Ok(RevisionId::from_uuid(row.head_revision))
    }
}
