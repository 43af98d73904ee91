//! Rows of new comments, written together when their transaction ends.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::ids::CommentId;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::comments::{NewBody, NewComment};
use crate::lookup::{Authorized, ContentAt};
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

/// The insert of comments, up to their source.
macro_rules! insert_comments {
    ($source:literal) => {
        concat!(
            "INSERT INTO comments (space_id, id, change_request_id, posted_by, posted_at, markdown, document, target_revision, \
               target_page, target_page_record, target_document, review_id, target_node, target_node_preview) ",
            $source
        )
    };
}

statements! {
    // Arrays cost more than the values of a single row.
    InsertComment = insert_comments!("VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)");
    InsertComments =
        insert_comments!("SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)");
}

/// A new comment as a row.
#[derive(Debug)]
pub(crate) struct CommentRow {
    space: Uuid,
    id: Uuid,
    change_request: Option<Uuid>,
    posted_by: Uuid,
    posted_at: OffsetDateTime,
    body: NewBody,
    revision: Uuid,
    page: Option<Uuid>,
    page_record: Option<Value>,
    document: Option<Vec<u8>>,
    review: Option<Uuid>,
    node: Option<String>,
    preview: Option<String>,
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
        Ok(Self {
            space: *content.space.id.as_uuid(),
            id: *id.as_uuid(),
            change_request: content
                .change_request
                .as_ref()
                .map(|change_request| *change_request.id.as_uuid()),
            posted_by: *content.actor().user.as_uuid(),
            posted_at: now.into(),
            body: body.clone(),
            revision: *content.revision.id.as_uuid(),
            page: page.as_ref().map(|target| *target.page.id.as_uuid()),
            page_record: record,
            document: page.as_ref().and_then(|target| Some(target.document?.as_bytes().to_vec())),
            review: review.map(|id| *id.as_uuid()),
            node: node.as_ref().map(|node| node.id.clone()),
            preview: node.as_ref().and_then(|node| node.preview.clone()),
        })
    }
}

/// One value of each row.
fn column<'a, T>(rows: &'a [CommentRow], value: impl Fn(&'a CommentRow) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

impl Tx<'_> {
    /// Writes the new comments that were noted, for a transaction that reads them.
    pub(crate) fn write_noted_comments(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.closing.posted);
        self.insert_comments(&rows)
    }

    /// Writes the rows of new comments: one statement, none without a row.
    pub(super) fn insert_comments(&mut self, rows: &[CommentRow]) -> Result<()> {
        match rows {
            [] => Ok(()),
            [row] => self.insert_comment(row),
            rows => self.insert_several(rows),
        }
    }

    fn insert_comment(&mut self, row: &CommentRow) -> Result<()> {
        InsertComment::bind((
            val::<SqlUuid, _>(row.space),
            val::<SqlUuid, _>(row.id),
            val::<Nullable<SqlUuid>, _>(row.change_request),
            val::<SqlUuid, _>(row.posted_by),
            val::<Timestamptz, _>(row.posted_at),
            val::<Text, _>(row.body.markdown.as_str()),
            val::<Jsonb, _>(&row.body.document),
            val::<SqlUuid, _>(row.revision),
            val::<Nullable<SqlUuid>, _>(row.page),
            val::<Nullable<Jsonb>, _>(row.page_record.as_ref()),
            val::<Nullable<Binary>, _>(row.document.as_deref()),
            val::<Nullable<SqlUuid>, _>(row.review),
            val::<Nullable<Text>, _>(row.node.as_deref()),
            val::<Nullable<Text>, _>(row.preview.as_deref()),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    fn insert_several(&mut self, rows: &[CommentRow]) -> Result<()> {
        InsertComments::bind((
            val::<Array<SqlUuid>, _>(column(rows, |row| row.space)),
            val::<Array<SqlUuid>, _>(column(rows, |row| row.id)),
            val::<Array<Nullable<SqlUuid>>, _>(column(rows, |row| row.change_request)),
            val::<Array<SqlUuid>, _>(column(rows, |row| row.posted_by)),
            val::<Array<Timestamptz>, _>(column(rows, |row| row.posted_at)),
            val::<Array<Text>, _>(column(rows, |row| row.body.markdown.as_str())),
            val::<Array<Jsonb>, _>(column(rows, |row| &row.body.document)),
            val::<Array<SqlUuid>, _>(column(rows, |row| row.revision)),
            val::<Array<Nullable<SqlUuid>>, _>(column(rows, |row| row.page)),
            val::<Array<Nullable<Jsonb>>, _>(column(rows, |row| row.page_record.as_ref())),
            val::<Array<Nullable<Binary>>, _>(column(rows, |row| row.document.as_deref())),
            val::<Array<Nullable<SqlUuid>>, _>(column(rows, |row| row.review)),
            val::<Array<Nullable<Text>>, _>(column(rows, |row| row.node.as_deref())),
            val::<Array<Nullable<Text>>, _>(column(rows, |row| row.preview.as_deref())),
        ))
        .execute(self.connection)?;
        Ok(())
    }
}
