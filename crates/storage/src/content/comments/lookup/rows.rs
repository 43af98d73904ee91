//! Rows of comments and replies.

use diesel::dsl::{self, case_when};
use diesel::prelude::*;
use diesel::sql_types::Bool;
use quire_domain::clock::Timestamp;
use quire_domain::comments::{Status, TargetNode};
use quire_domain::documents::{Format, PresentedBody};
use serde_json::Value;

use crate::Error;
use crate::content::store::document_json;
use crate::detail_views::{
    COMMENT_POSTER, COMMENT_RESOLVER, CommentPoster, CommentResolver, REPLY_POSTER, ReplyPoster,
    comment_details, reply_details,
};
use crate::lookup::UserRecord;

/// Columns of a [`CommentRecord`](super::CommentRecord), in the order of its fields.
pub(crate) type CommentColumns = (
    comment_details::id,
    comment_details::change_request_id,
    comment_details::review_id,
    CommentPoster,
    comment_details::posted_at,
    comment_details::edited_at,
    Body<comment_details::document, comment_details::markdown>,
    (comment_details::status, comment_details::resolved_at, CommentResolver),
    comment_details::replies,
    (
        comment_details::target_revision,
        comment_details::target_page_record,
        comment_details::target_document,
        (
            comment_details::target_node,
            comment_details::target_node_preview,
            comment_details::target_node_quote,
        ),
    ),
);

/// Columns of a [`ReplyRecord`](super::ReplyRecord), in the order of its fields.
pub(crate) type ReplyColumns = (
    reply_details::id,
    ReplyPoster,
    reply_details::posted_at,
    reply_details::edited_at,
    Body<reply_details::document, reply_details::markdown>,
);

/// Columns of a body. The format that was not requested is null.
type Body<Document, Markdown> = (
    dsl::case_when<dsl::AsExprOf<bool, Bool>, Document>,
    dsl::case_when<dsl::AsExprOf<bool, Bool>, Markdown>,
);

/// Returns the columns of a comment with its body in one format.
pub(crate) fn comment_columns(format: Format) -> CommentColumns {
    let is_document = format == Format::Document;
    (
        comment_details::id,
        comment_details::change_request_id,
        comment_details::review_id,
        COMMENT_POSTER,
        comment_details::posted_at,
        comment_details::edited_at,
        (
            case_when(is_document.into_sql::<Bool>(), comment_details::document),
            case_when((!is_document).into_sql::<Bool>(), comment_details::markdown),
        ),
        (comment_details::status, comment_details::resolved_at, COMMENT_RESOLVER),
        comment_details::replies,
        (
            comment_details::target_revision,
            comment_details::target_page_record,
            comment_details::target_document,
            (
                comment_details::target_node,
                comment_details::target_node_preview,
                comment_details::target_node_quote,
            ),
        ),
    )
}

/// Returns the columns of a reply with its body in one format.
pub(crate) fn reply_columns(format: Format) -> ReplyColumns {
    let is_document = format == Format::Document;
    (
        reply_details::id,
        REPLY_POSTER,
        reply_details::posted_at,
        reply_details::edited_at,
        (
            case_when(is_document.into_sql::<Bool>(), reply_details::document),
            case_when((!is_document).into_sql::<Bool>(), reply_details::markdown),
        ),
    )
}

/// Body of a comment or reply, of which only one format is selected.
#[derive(Debug, Queryable)]
pub struct BodyColumns {
    document: Option<Vec<u8>>,
    markdown: Option<String>,
}

impl TryFrom<BodyColumns> for PresentedBody {
    type Error = Error;

    fn try_from(body: BodyColumns) -> Result<Self, Error> {
        match (body.document, body.markdown) {
            (_, Some(markdown)) => Ok(Self::Markdown { markdown }),
            (Some(document), None) => Ok(Self::Document { document: document_json(document)? }),
            (None, None) => {
                Err(Error::corrupt("a comment has no body", anyhow::anyhow!("no format was read")))
            }
        }
    }
}

/// Status of a comment, with the user who resolved it.
#[derive(Debug, Queryable)]
pub struct StatusColumns {
    status: String,
    resolved_at: Option<Timestamp>,
    resolved_by: UserRecord,
}

impl TryFrom<StatusColumns> for Status<UserRecord> {
    type Error = Error;

    fn try_from(columns: StatusColumns) -> Result<Self, Error> {
        match (columns.status.as_str(), columns.resolved_at) {
            ("open", None) => Ok(Self::Open),
            ("resolved", Some(at)) => Ok(Self::Resolved { at, by: columns.resolved_by }),
            (status, _) => Err(Error::corrupt("a comment's status is damaged", anyhow::anyhow!("{status}"))),
        }
    }
}

/// Node on which a comment was posted.
#[derive(Debug, Queryable)]
pub struct NodeColumns {
    id: Option<String>,
    preview: Option<String>,
    quote: Option<Value>,
}

impl TryFrom<NodeColumns> for Option<TargetNode> {
    type Error = Error;

    fn try_from(NodeColumns { id, preview, quote }: NodeColumns) -> Result<Self, Error> {
        let quote = quote.map(serde_json::from_value).transpose();
        let quote = quote.map_err(|error| Error::corrupt("a comment's quotation is damaged", error))?;
        Ok(id.map(|id| TargetNode { id, preview, quote }))
    }
}
