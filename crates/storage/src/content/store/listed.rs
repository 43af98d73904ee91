//! Lists of the revisions of a space's main content.

use std::collections::HashMap;

use diesel::dsl;
use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{PageId, RevisionId, SpaceId, UserId};
use quire_domain::revisions::{GitCommit, RevisionType};
use quire_revision::{Tree, TreeHash};
use serde_json::Value;

use crate::Result;
use crate::content::store::ContentPoint;
use crate::diesel_types::{Elements, Json};
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, UserRecord};
use crate::schema::{revisions, users};
use crate::transaction::Reader;

/// Maximum number of revisions that the filter by page compares with their parents: the newest ones that match the
/// other filters.
const MOST_COMPARED: i64 = 2_000;

/// Revision in a list.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct ListedRevision {
    /// Id.
    pub id: RevisionId,
    /// Operation that created the revision.
    pub kind: RevisionType,
    /// Parents; the parent in the main content is first.
    #[diesel(deserialize_as = Elements<Vec<Option<RevisionId>>>)]
    pub parents: Vec<RevisionId>,
    /// Time of its creation.
    pub created_at: Timestamp,
    /// Author; `None` after that user was removed.
    pub author: Option<UserRecord>,
    /// Commit from which the revision was imported, without the list of commits.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub git: Option<GitCommit>,
    root: TreeHash,
}

/// Filter of a list of revisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RevisionFilter {
    /// Author.
    pub author: Option<UserId>,
    /// Operation that created the revision.
    pub kind: Option<RevisionType>,
    /// Page that the revisions created, edited, moved or deleted. Only the last 2,000 that match the other filters are
    /// searched.
    pub page: Option<PageId>,
}

type Matching<'a> = diesel::helper_types::IntoBoxed<
    'a,
    diesel::helper_types::LeftJoin<revisions::table, users::table>,
    diesel::pg::Pg,
>;

/// Returns the query for the revisions of the main content of a space that match the filters, except the one by page.
fn matching<'a>(space: SpaceId, filter: RevisionFilter) -> Matching<'a> {
    let mut matching = revisions::table
        .left_join(users::table)
        .filter(revisions::space_id.eq(space))
        .filter(revisions::change_request_id.is_null())
        .filter(dsl::not(revisions::standalone))
        .into_boxed();
    if let Some(author) = filter.author {
        matching = matching.filter(revisions::author_id.eq(author));
    }
    if let Some(kind) = filter.kind {
        matching = matching.filter(revisions::type_.eq(kind.as_str()));
    }
    matching
}

impl Reader<'_> {
    /// Returns the revisions of a space's main content, newest first, starting below one. Takes two statements, and at
    /// most eight more with the filter by page. Ids are in the order of creation.
    pub fn revisions_of_space<T: ContentPoint>(
        &mut self,
        content: &Authorized<T>,
        filter: RevisionFilter,
        below: Option<RevisionId>,
        limit: u16,
    ) -> Result<Slice<ListedRevision>> {
        let space = content.space();
        let of_page = match filter.page {
            Some(page) => Some(self.revisions_of_page(space, page, filter)?),
            None => None,
        };
        let matching = || match &of_page {
            Some(ids) => matching(space, filter).filter(revisions::id.eq_any(ids.clone())),
            None => matching(space, filter),
        };
        let rows = matching()
            .filter(revisions::id.lt(page_end(below)))
            .order(revisions::id.desc())
            .limit(fetch_limit(limit))
            .select((
                revisions::id,
                revisions::type_,
                revisions::parents,
                revisions::created_at,
                Option::<UserRecord>::as_select(),
                revisions::git.remove("commits"),
                revisions::root,
            ))
            .load(self.connection)?;
        let total = matching().count().get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }

    /// Returns the trees of listed revisions, each preceded by the tree of its first parent. Takes at most one
    /// statement, besides those that load trees.
    ///
    /// # Errors
    /// A damaged tree.
    pub fn trees_of_listed<T: ContentPoint>(
        &mut self,
        content: &Authorized<T>,
        listed: &[ListedRevision],
    ) -> Result<Vec<[Tree; 2]>> {
        let edits: Vec<_> =
            listed.iter().map(|revision| (revision.root, revision.parents.first().copied())).collect();
        self.trees_around(content.space(), &edits)
    }

    /// Returns the trees of revisions of a space, each preceded by the tree of its first parent. `edits` are the roots
    /// and the first parents of the revisions. Takes at most one statement, besides those that load trees.
    pub(crate) fn trees_around(
        &mut self,
        space: SpaceId,
        edits: &[(TreeHash, Option<RevisionId>)],
    ) -> Result<Vec<[Tree; 2]>> {
        let Some((newest, _)) = edits.first() else { return Ok(Vec::new()) };
        let parents: Vec<_> = edits.iter().filter_map(|(_, parent)| *parent).collect();
        let before = self.roots_by_id(space, &parents)?;
        // The other trees are loaded as differences from this one.
        self.tree_of(space, *newest)?;
        let empty = Tree::empty().root();
        let wanted: Vec<(SpaceId, TreeHash)> = edits
            .iter()
            .flat_map(|(root, parent)| {
                let parent = parent.and_then(|id| before.get(&id));
                [parent.copied().unwrap_or(empty), *root]
            })
            .map(|root| (space, root))
            .collect();
        let trees = self.trees_of(&wanted)?;
        Ok(trees.as_chunks().0.to_vec())
    }

    /// Returns the ids of revisions that changed a page.
    fn revisions_of_page(
        &mut self,
        space: SpaceId,
        page: PageId,
        filter: RevisionFilter,
    ) -> Result<Vec<RevisionId>> {
        let compared: Vec<(RevisionId, TreeHash, Vec<Option<RevisionId>>)> = matching(space, filter)
            .order(revisions::id.desc())
            .limit(MOST_COMPARED)
            .select((revisions::id, revisions::root, revisions::parents))
            .load(self.connection)?;
        let parent = |parents: &[Option<RevisionId>]| parents.first().copied().flatten();
        let parents: Vec<RevisionId> =
            compared.iter().filter_map(|(_, _, parents)| parent(parents)).collect();
        let before = self.roots_by_id(space, &parents)?;
        let empty = Tree::empty().root();
        let mut roots = Vec::with_capacity(compared.len().saturating_mul(2));
        for (_, root, parents) in &compared {
            let before = parent(parents).and_then(|parent| before.get(&parent)).copied();
            roots.extend([before.unwrap_or(empty), *root]);
        }
        let found = self.page_in_trees(space, page, &roots)?;
        let changed = found.as_chunks::<2>().0.iter().map(|[before, after]| before != after);
        let ids = compared.iter().map(|(id, ..)| *id);
        Ok(ids.zip(changed).filter(|(_, changed)| *changed).map(|(id, _)| id).collect())
    }

    /// Returns the roots of revisions by id. Takes one statement.
    pub(crate) fn roots_by_id(
        &mut self,
        space: SpaceId,
        ids: &[RevisionId],
    ) -> Result<HashMap<RevisionId, TreeHash>> {
        let rows = revisions::table
            .filter(revisions::space_id.eq(space))
            .filter(revisions::id.eq_any(ids))
            .select((revisions::id, revisions::root))
            .load::<(RevisionId, TreeHash)>(self.connection)?;
        Ok(rows.into_iter().collect())
    }
}
