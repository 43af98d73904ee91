//! Lists of comments.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_domain::comments::{Order, StatusFilter};
use quire_domain::documents::Format;
use quire_domain::ids::{CommentId, PageId, UserId};
use quire_revision::Tree;
use uuid::Uuid;

use super::ShownComment;
use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, CommentColumns, CommentRecord, ContentAt, comment_columns, comment_users};
use crate::statement::{Assembled, val};
use crate::transaction::Reader;

/// Which comments of a space or change request are meant, and how they are read.
#[derive(Clone, Debug, Default)]
pub struct CommentFilter {
    /// Where they stand.
    pub status: StatusFilter,
    /// The page that they are about.
    pub page: Option<PageId>,
    /// Who posted them, any of these; empty for anyone.
    pub authors: Vec<UserId>,
    /// By when they were posted.
    pub order: Order,
    /// How their bodies are read.
    pub format: Format,
}

const LIST: &str = concat!(
    "SELECT ",
    comment_columns!("$8"),
    " FROM comments cm",
    comment_users!(),
    " WHERE cm.space_id = $1"
);
const COUNT: &str = "SELECT count(*) AS total FROM comments cm WHERE cm.space_id = $1";

impl CommentFilter {
    /// The conditions on comments `cm`: `$2` the change request, `$3` the status, `$4` the page, `$5` the authors.
    fn conditions(&self, of_change_request: bool) -> Vec<&'static str> {
        let mut parts = vec![if of_change_request {
            " AND cm.change_request_id = $2"
        } else {
            " AND cm.change_request_id IS NULL"
        }];
        if self.status.status().is_some() {
            parts.push(" AND cm.status = $3");
        }
        if self.page.is_some() {
            parts.push(" AND cm.target_page = $4");
        }
        if !self.authors.is_empty() {
            parts.push(" AND cm.posted_by = ANY ($5)");
        }
        parts
    }

    /// Where to go on (`$6`), and the order.
    ///
    /// The change request is the same in all rows. It stands in the order because PostgreSQL doesn't know that of `IS NULL`, and
    /// would sort what its index holds in order.
    fn order(&self, follows: bool) -> Vec<&'static str> {
        let (after, order) = match self.order {
            Order::Asc => (" AND cm.id > $6", " ORDER BY cm.change_request_id, cm.id LIMIT $7"),
            Order::Desc => (" AND cm.id < $6", " ORDER BY cm.change_request_id DESC, cm.id DESC LIMIT $7"),
        };
        follows.then_some(after).into_iter().chain([order]).collect()
    }
}

impl Reader<'_> {
    /// The comments on a space or change request, whichever the content was found by: three statements, and what loading the
    /// content's tree takes.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn comments_of(
        &mut self,
        content: &Authorized<ContentAt>,
        filter: &CommentFilter,
        after: Option<CommentId>,
        limit: u16,
    ) -> Result<Slice<ShownComment>> {
        let change_request =
            content.change_request.as_ref().map(|change_request| *change_request.id.as_uuid());
        let conditions = filter.conditions(change_request.is_some());
        let space = *content.space.id.as_uuid();
        let authors: Vec<Uuid> = filter.authors.iter().map(|author| *author.as_uuid()).collect();
        let page = filter.page.map(|page| *page.as_uuid());
        let status = filter.status.status();
        let rows: Vec<CommentColumns> = Assembled::new(
            [vec![LIST], conditions.clone(), filter.order(after.is_some())].concat(),
            (
                val::<SqlUuid, _>(space),
                val::<Nullable<SqlUuid>, _>(change_request),
                val::<Nullable<Text>, _>(status),
                val::<Nullable<SqlUuid>, _>(page),
                val::<Array<SqlUuid>, _>(&authors),
                val::<Nullable<SqlUuid>, _>(after.map(|after| *after.as_uuid())),
                val::<BigInt, _>(fetch_limit(limit)),
                val::<Bool, _>(filter.format == Format::Document),
            ),
        )
        .load(self.connection)?;
        let count: CountRow = Assembled::new(
            [vec![COUNT], conditions].concat(),
            (
                val::<SqlUuid, _>(space),
                val::<Nullable<SqlUuid>, _>(change_request),
                val::<Nullable<Text>, _>(status),
                val::<Nullable<SqlUuid>, _>(page),
                val::<Array<SqlUuid>, _>(&authors),
            ),
        )
        .get_result(self.connection)?;
        let slice = Slice::cut(rows, limit, count.total).try_map(CommentRecord::try_from)?;
        self.show_all(content, slice)
    }

    /// Comments with their targets and reactions.
    fn show_all(
        &mut self,
        content: &Authorized<ContentAt>,
        slice: Slice<CommentRecord>,
    ) -> Result<Slice<ShownComment>> {
        let space = content.space.id;
        let on_pages = slice.items.iter().any(|comment| comment.posted_on.page.is_some());
        let tree = if on_pages { self.tree_of(space, content.revision.root)? } else { Tree::empty() };
        let ids = slice.items.iter().map(|comment| *comment.id.as_uuid()).collect();
        let mut reactions = self.comment_reactions(space, ids)?;
        slice.try_map(|comment| {
            let reactions = reactions.take(comment.id.as_uuid());
            Ok(ShownComment::new(space, comment, &tree, reactions))
        })
    }
}
