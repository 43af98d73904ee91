//! Lists of comments.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::comments::StatusFilter;
use quire_domain::documents::Format;
use quire_domain::ids::{ChangeRequestId, CommentId, PageId, SpaceId, UserId};
use quire_domain::list::Order;
use quire_revision::Tree;

use super::ShownComment;
use crate::Result;
use crate::content::comments::{CommentRecord, comment_columns};
use crate::content::store::ContentAt;
use crate::detail_views::comment_details::{self, BoxedQuery};
use crate::list::{Slice, fetch_limit};
use crate::lookup::Authorized;
use crate::schema::{change_requests, comments, spaces};
use crate::transaction::Reader;

/// Filter and order of comments, and the format of their bodies.
#[derive(Clone, Debug, Default)]
pub struct CommentFilter {
    /// Status.
    pub status: StatusFilter,
    /// Commented page.
    pub page: Option<PageId>,
    /// Authors; empty for all.
    pub authors: Vec<UserId>,
    /// Sort direction.
    pub order: Order,
    /// Format of the bodies.
    pub format: Format,
}

/// Numbers of the comments on a space or change request.
struct CommentCounts {
    open: i64,
    resolved: i64,
}

impl CommentCounts {
    fn of(&self, status: StatusFilter) -> i64 {
        match status {
            StatusFilter::Open => self.open,
            StatusFilter::Resolved => self.resolved,
            StatusFilter::All => self.open.saturating_add(self.resolved),
        }
    }
}

impl CommentFilter {
    /// Returns the query for the matching comments of the space, or of one of its change requests.
    fn query(&self, space: SpaceId, change_request: Option<ChangeRequestId>) -> BoxedQuery<'_, Pg> {
        let mut query = comment_details::table.filter(comment_details::space_id.eq(space)).into_boxed();
        query = match change_request {
            Some(id) => query.filter(comment_details::change_request_id.eq(id)),
            None => query.filter(comment_details::change_request_id.is_null()),
        };
        if let Some(status) = self.status.status() {
            query = query.filter(comment_details::status.eq(status));
        }
        if let Some(page) = self.page {
            query = query.filter(comment_details::target_page.eq(page));
        }
        if !self.authors.is_empty() {
            let authors = self.authors.to_vec();
            query = query.filter(comment_details::posted_by.eq_any(authors));
        }
        query
    }

    /// Counts the comments that [`CommentFilter::query`] finds with an index-only scan. It does not use the view, for
    /// which the planner would need columns that no index has.
    fn count(
        &self,
        connection: &mut PgConnection,
        space: SpaceId,
        change_request: Option<ChangeRequestId>,
    ) -> Result<i64> {
        let mut query = comments::table.filter(comments::space_id.eq(space)).into_boxed();
        query = match change_request {
            Some(id) => query.filter(comments::change_request_id.eq(id)),
            None => query.filter(comments::change_request_id.is_null()),
        };
        if let Some(status) = self.status.status() {
            query = query.filter(comments::status.eq(status));
        }
        if let Some(page) = self.page {
            query = query.filter(comments::target_page.eq(page));
        }
        if !self.authors.is_empty() {
            let authors = self.authors.to_vec();
            query = query.filter(comments::posted_by.eq_any(authors));
        }
        Ok(query.count().get_result(connection)?)
    }

    /// Returns whether the content has a counter of these comments.
    fn is_counted(&self) -> bool {
        self.page.is_none() && self.authors.is_empty()
    }

    /// Returns a page of the query.
    ///
    /// All rows have the same change request. It is part of the order because PostgreSQL does not infer that from `IS
    /// NULL`, and would sort rows that the index already returns in order.
    fn page<'a>(
        &self,
        query: BoxedQuery<'a, Pg>,
        after: Option<CommentId>,
        limit: u16,
    ) -> BoxedQuery<'a, Pg> {
        let query = match (self.order, after) {
            (Order::Asc, Some(after)) => query.filter(comment_details::id.gt(after)),
            (Order::Desc, Some(after)) => query.filter(comment_details::id.lt(after)),
            (_, None) => query,
        };
        let query = match self.order {
            Order::Asc => query.order((comment_details::change_request_id, comment_details::id)),
            Order::Desc => {
                query.order((comment_details::change_request_id.desc(), comment_details::id.desc()))
            }
        };
        query.limit(fetch_limit(limit))
    }
}

impl Reader<'_> {
    /// Returns the comments on a space or change request, depending on how the content was looked up. Takes three
    /// statements, one more if there are replies, at most two for the documents of changed pages, and those that search
    /// for moved nodes and load the content's tree.
    pub fn comments_of(
        &mut self,
        content: &Authorized<ContentAt>,
        filter: &CommentFilter,
        after: Option<CommentId>,
        limit: u16,
    ) -> Result<Slice<ShownComment>> {
        let change_request = content.change_request.as_ref().map(|change_request| change_request.id);
        let query = || filter.query(content.space.id, change_request);
        let rows: Vec<CommentRecord> = filter
            .page(query(), after, limit)
            .select(comment_columns(filter.format))
            .load(self.connection)?;
        let total = match filter.is_counted() {
            true => self.comment_counts(content.space.id, change_request)?.of(filter.status),
            false => filter.count(self.connection, content.space.id, change_request)?,
        };
        let slice = Slice::cut(rows, limit, total);
        self.show_all(content, slice)
    }

    fn comment_counts(
        &mut self,
        space: SpaceId,
        change_request: Option<ChangeRequestId>,
    ) -> Result<CommentCounts> {
        let (open, resolved): (i32, i32) = match change_request {
            None => spaces::table
                .find(space)
                .select((spaces::comments_open, spaces::comments_resolved))
                .get_result(self.connection)?,
            Some(id) => change_requests::table
                .find((space, id))
                .select((change_requests::comments_open, change_requests::comments_resolved))
                .get_result(self.connection)?,
        };
        Ok(CommentCounts { open: open.into(), resolved: resolved.into() })
    }

    /// Adds targets, reactions and repliers to comments.
    fn show_all(
        &mut self,
        content: &Authorized<ContentAt>,
        slice: Slice<CommentRecord>,
    ) -> Result<Slice<ShownComment>> {
        let space = content.space.id;
        let on_pages = slice.items.iter().any(|comment| comment.posted_on.page.is_some());
        let tree = if on_pages { self.tree_of(space, content.revision.root)? } else { Tree::empty() };
        let ids = slice.items.iter().map(|comment| comment.id).collect();
        let mut reactions = self.comment_reactions(space, ids)?;
        let mut repliers = self.repliers_of(space, &slice.items)?;
        let mut shown = slice.try_map(|comment| -> Result<ShownComment> {
            let given = (reactions.take(comment.id), repliers.take(&comment));
            Ok(ShownComment::new(space, comment, &tree, given))
        })?;
        self.anchor_nodes(space, &tree, &mut shown.items)?;
        Ok(shown)
    }
}
