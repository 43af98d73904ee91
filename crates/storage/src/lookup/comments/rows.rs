//! The rows of comments and replies.

use diesel::prelude::*;
use diesel::sql_types::{Binary, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::comments::{CommentBody, Status, TargetNode};
use quire_domain::ids::{ChangeRequestId, CommentId, CommentReplyId, ReviewId, RevisionId};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::super::actor::UserRecord;
use super::{CommentRecord, PostedOn, ReplyRecord};
use crate::content::document_id;
use crate::{Error, Result, moment};

/// The columns of a comment `cm`, its author `poster` and who resolved it `resolver`; the placeholder says whether the body is
/// wanted as a document.
macro_rules! comment_columns {
    ($as_document:literal) => {
        concat!(
            "cm.id AS comment_id, cm.change_request_id AS comment_change_request, cm.review_id AS comment_review, cm.posted_at AS comment_posted_at, \
             cm.edited_at AS comment_edited_at, CASE WHEN ",
            $as_document,
            " THEN cm.document END AS comment_document, CASE WHEN NOT ",
            $as_document,
            " THEN cm.markdown END AS comment_markdown, cm.target_revision, cm.target_page_record, cm.target_document, \
             cm.target_node, cm.target_node_preview, cm.status AS comment_status, cm.resolved_at, cm.replies, \
             poster.id AS poster_id, poster.email AS poster_email, poster.display_name AS poster_display_name, \
             poster.photo_url AS poster_photo_url, resolver.id AS resolver_id, resolver.email AS resolver_email, \
             resolver.display_name AS resolver_display_name, resolver.photo_url AS resolver_photo_url"
        )
    };
}
pub(crate) use comment_columns;

/// The users that [`comment_columns`] names.
macro_rules! comment_users {
    () => {
        " LEFT JOIN users poster ON poster.id = cm.posted_by LEFT JOIN users resolver ON resolver.id = cm.resolved_by"
    };
}
pub(crate) use comment_users;

/// The columns of a reply `rp` and its author `poster`.
macro_rules! reply_columns {
    ($as_document:literal) => {
        concat!(
            "rp.id AS reply_id, rp.posted_at AS reply_posted_at, rp.edited_at AS reply_edited_at, CASE WHEN ",
            $as_document,
            " THEN rp.document END AS reply_document, CASE WHEN NOT ",
            $as_document,
            " THEN rp.markdown END AS reply_markdown, poster.id AS poster_id, poster.email AS poster_email, \
             poster.display_name AS poster_display_name, poster.photo_url AS poster_photo_url"
        )
    };
}
pub(crate) use reply_columns;

/// Declares the columns of a user who isn't the only one in its row.
macro_rules! user_columns {
    ($name:ident: $id:ident, $email:ident, $display_name:ident, $photo_url:ident) => {
        #[derive(QueryableByName)]
        struct $name {
            #[diesel(sql_type = Nullable<SqlUuid>)]
            $id: Option<Uuid>,
            #[diesel(sql_type = Nullable<Text>)]
            $email: Option<String>,
            #[diesel(sql_type = Nullable<Text>)]
            $display_name: Option<String>,
            #[diesel(sql_type = Nullable<Text>)]
            $photo_url: Option<String>,
        }

        impl From<$name> for UserRecord {
            fn from(row: $name) -> Self {
                Self {
                    user_id: row.$id,
                    user_email: row.$email,
                    user_display_name: row.$display_name,
                    user_photo_url: row.$photo_url,
                }
            }
        }
    };
}
user_columns!(Poster: poster_id, poster_email, poster_display_name, poster_photo_url);
user_columns!(Resolver: resolver_id, resolver_email, resolver_display_name, resolver_photo_url);

#[derive(QueryableByName)]
pub(crate) struct CommentColumns {
    #[diesel(sql_type = SqlUuid)]
    comment_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    comment_change_request: Option<Uuid>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    comment_review: Option<Uuid>,
    #[diesel(sql_type = Timestamptz)]
    comment_posted_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    comment_edited_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    comment_document: Option<Value>,
    #[diesel(sql_type = Nullable<Text>)]
    comment_markdown: Option<String>,
    #[diesel(sql_type = SqlUuid)]
    target_revision: Uuid,
    #[diesel(sql_type = Nullable<Jsonb>)]
    target_page_record: Option<Value>,
    #[diesel(sql_type = Nullable<Binary>)]
    target_document: Option<Vec<u8>>,
    #[diesel(sql_type = Nullable<Text>)]
    target_node: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    target_node_preview: Option<String>,
    #[diesel(sql_type = Text)]
    comment_status: String,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    resolved_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Integer)]
    replies: i32,
    #[diesel(embed)]
    poster: Poster,
    #[diesel(embed)]
    resolver: Resolver,
}

#[derive(QueryableByName)]
pub(crate) struct ReplyColumns {
    #[diesel(sql_type = SqlUuid)]
    reply_id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    reply_posted_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    reply_edited_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    reply_document: Option<Value>,
    #[diesel(sql_type = Nullable<Text>)]
    reply_markdown: Option<String>,
    #[diesel(embed)]
    poster: Poster,
}

/// The body of which one format was read.
fn body(markdown: Option<String>, document: Option<Value>) -> Result<CommentBody> {
    match (markdown, document) {
        (Some(markdown), _) => Ok(CommentBody::Markdown { markdown }),
        (None, Some(document)) => Ok(CommentBody::Document { document }),
        (None, None) => Err(Error::corrupt("a comment has no body", anyhow::anyhow!("no format was read"))),
    }
}

impl TryFrom<CommentColumns> for CommentRecord {
    type Error = Error;

    fn try_from(row: CommentColumns) -> Result<Self> {
        let status = match (row.comment_status.as_str(), row.resolved_at) {
            ("open", None) => Status::Open,
            ("resolved", Some(at)) => Status::Resolved { at: moment(at)?, by: row.resolver.into() },
            (status, _) => {
                return Err(Error::corrupt("a comment's status is damaged", anyhow::anyhow!("{status}")));
            }
        };
        let page = row.target_page_record.map(serde_json::from_value).transpose();
        Ok(Self {
            id: CommentId::from_uuid(row.comment_id),
            change_request: row.comment_change_request.map(ChangeRequestId::from_uuid),
            review: row.comment_review.map(ReviewId::from_uuid),
            posted_by: row.poster.into(),
            posted_at: moment(row.comment_posted_at)?,
            edited_at: row.comment_edited_at.map(moment).transpose()?,
            body: body(row.comment_markdown, row.comment_document)?,
            status,
            replies: row.replies,
            posted_on: PostedOn {
                revision: RevisionId::from_uuid(row.target_revision),
                page: page.map_err(|error| {
                    Error::corrupt("a page's record is damaged", anyhow::Error::from(error))
                })?,
                document: row.target_document.as_deref().map(document_id).transpose()?,
                node: row.target_node.map(|id| TargetNode { id, preview: row.target_node_preview }),
            },
        })
    }
}

impl TryFrom<ReplyColumns> for ReplyRecord {
    type Error = Error;

    fn try_from(row: ReplyColumns) -> Result<Self> {
        Ok(Self {
            id: CommentReplyId::from_uuid(row.reply_id),
            posted_by: row.poster.into(),
            posted_at: moment(row.reply_posted_at)?,
            edited_at: row.reply_edited_at.map(moment).transpose()?,
            body: body(row.reply_markdown, row.reply_document)?,
        })
    }
}
