//! Rows of new comments, written together when their transaction ends.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, CommentId, PageId, ReviewId, RevisionId, SpaceId, UserId};
use serde_json::Value;
use time::OffsetDateTime;

use crate::content::comments::NewComment;
use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::schema::comments;
use crate::transaction::Tx;
use crate::{Error, Result};

sql_files! {
    InsertComments(
        Array<SqlUuid>, Array<SqlUuid>, Array<Nullable<SqlUuid>>, Array<SqlUuid>, Array<Timestamptz>, Array<Text>,
        Array<Binary>, Array<SqlUuid>, Array<Nullable<SqlUuid>>, Array<Nullable<Jsonb>>, Array<Nullable<Binary>>,
        Array<Nullable<SqlUuid>>, Array<Nullable<Text>>, Array<Nullable<Text>>,
        Array<Nullable<Jsonb>>,
    ) = "insert_comments.sql";
}

/// Row of a new comment.
#[derive(Debug, Insertable)]
// If absent values were defaults, diesel would prepare the statement for each row.
#[diesel(table_name = comments, treat_none_as_default_value = false)]
pub(crate) struct CommentRow {
    space_id: SpaceId,
    id: CommentId,
    change_request_id: Option<ChangeRequestId>,
    posted_by: UserId,
    posted_at: OffsetDateTime,
    markdown: String,
    document: Vec<u8>,
    target_revision: RevisionId,
    target_page: Option<PageId>,
    target_page_record: Option<Value>,
    target_document: Option<Vec<u8>>,
    review_id: Option<ReviewId>,
    target_node: Option<String>,
    target_node_preview: Option<String>,
    target_node_quote: Option<Value>,
}

impl CommentRow {
    pub(crate) fn new(
        content: &Authorized<ContentAt>,
        id: CommentId,
        now: Timestamp,
        NewComment { body, page, node, review }: &NewComment,
    ) -> Result<Self> {
        let record = page.as_ref().map(|target| serde_json::to_value(&target.page)).transpose();
        let record =
            record.map_err(|error| Error::Internal("a page's record can't be written", error.into()))?;
        let quote = node.as_ref().and_then(|node| node.quote.as_ref()).map(serde_json::to_value).transpose();
        let quote = quote.map_err(|error| Error::Internal("a quotation can't be written", error.into()))?;
        let change_request = content.change_request.as_ref();
        Ok(Self {
            space_id: content.space.id,
            id,
            change_request_id: change_request.map(|change_request| change_request.id),
            posted_by: content.actor().user,
            posted_at: now.into(),
            markdown: body.markdown.clone(),
            document: body.document.as_bytes().to_vec(),
            target_revision: content.revision.id,
            target_page: page.as_ref().map(|target| target.page.id),
            target_page_record: record,
            target_document: page.as_ref().and_then(|target| Some(target.document?.as_bytes().to_vec())),
            review_id: *review,
            target_node: node.as_ref().map(|node| node.id.clone()),
            target_node_preview: node.as_ref().and_then(|node| node.preview.clone()),
            target_node_quote: quote,
        })
    }
}

/// Returns one value of each row.
fn column<'a, T>(rows: &'a [CommentRow], value: impl Fn(&'a CommentRow) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

impl Tx<'_> {
    /// Writes the collected new comments, for a transaction that reads them.
    pub(crate) fn write_noted_comments(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.closing.posted);
        self.insert_comments(&rows)
    }

    /// Writes the rows of new comments. Takes one statement, or none without rows.
    pub(super) fn insert_comments(&mut self, rows: &[CommentRow]) -> Result<()> {
        match rows {
            [] => Ok(()),
            // Arrays cost more than the values of a single row.
            [row] => {
                diesel::insert_into(comments::table).values(row).execute(self.connection)?;
                Ok(())
            }
            rows => self.insert_several(rows),
        }
    }

    fn insert_several(&mut self, rows: &[CommentRow]) -> Result<()> {
        InsertComments::bind((
            column(rows, |row| row.space_id),
            column(rows, |row| row.id),
            column(rows, |row| row.change_request_id),
            column(rows, |row| row.posted_by),
            column(rows, |row| row.posted_at),
            column(rows, |row| row.markdown.as_str()),
            column(rows, |row| row.document.as_slice()),
            column(rows, |row| row.target_revision),
            column(rows, |row| row.target_page),
            column(rows, |row| row.target_page_record.as_ref()),
            column(rows, |row| row.target_document.as_deref()),
            column(rows, |row| row.review_id),
            column(rows, |row| row.target_node.as_deref()),
            column(rows, |row| row.target_node_preview.as_deref()),
            column(rows, |row| row.target_node_quote.as_ref()),
        ))
        .execute(self.connection)?;
        Ok(())
    }
}
