//! Nodes of comments on a change request that the change request moved to other pages.

use std::collections::HashSet;

use diesel::prelude::*;
use quire_database::functions::coalesce;
use quire_domain::comments::{MovedNode, NodeState};
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{ChangeRequestId, DocumentId, PageId, SpaceId};
use quire_revision::{Tree, changed_pages};

use super::{CommentFilter, ShownComment};
use crate::Result;
use crate::content::comments::{CommentRecord, comment_columns};
use crate::content::store::{ContentAt, GainingDocument, LostNode, MovedAnchor, QuotedNode, RevisionRecord};
use crate::detail_views::comment_details;
use crate::lookup::Authorized;
use crate::schema::{change_requests, revisions};
use crate::transaction::Reader;

/// Maximum number of changed pages that are searched, in the order of their ids.
const MOST_PAGES: usize = 20;

/// Maximum total size in bytes of the documents that one response searches.
const SEARCHED_BYTES: u32 = 8 << 20;

/// Maximum number of nodes that one response searches for. Further nodes count as not found.
const MOST_NODES: usize = 100;

/// Maximum number of comments on other pages that are checked for nodes moved to a page.
const MOST_COMMENTS: i64 = 200;

/// Page that a change request changes, with its documents before and after.
struct GainingPage {
    id: PageId,
    before: Option<DocumentId>,
    after: DocumentId,
}

impl Reader<'_> {
    /// Sets the new locations of comment nodes that a change request moved to other pages. Takes at most five
    /// statements, none if all nodes are on their pages, and two if the results are cached. Within a transaction they
    /// must be cached.
    ///
    /// # Errors
    /// [`Error::Outdated`](crate::Error::Outdated) within a transaction for documents that were not searched yet.
    pub(super) fn find_moved_nodes(
        &mut self,
        space: SpaceId,
        tree: &Tree,
        comments: &mut [ShownComment],
    ) -> Result<()> {
        let has_lost = comments.iter().any(|shown| lost(shown).is_some());
        let Some(change_request) = of_request(comments).filter(|_| has_lost) else { return Ok(()) };
        let base = self.merge_base_tree(space, change_request)?;
        let roots = [base.root(), tree.root()];
        let mut unknown: Vec<MovedAnchor> = Vec::new();
        let moved = &self.storage.caches().moved_anchors;
        for comment in &mut *comments {
            let Some((page, document, node)) = lost(comment) else { continue };
            let key = (roots, page, document, node);
            match moved.get(&key) {
                Some(found) => set(comment, found),
                None => unknown.push(key),
            }
        }
        unknown.truncate(MOST_NODES);
        if unknown.is_empty() {
            return Ok(());
        }
        self.search_changed_pages(space, &base, tree, &unknown)?;
        let moved = &self.storage.caches().moved_anchors;
        for comment in comments {
            let Some((page, document, node)) = lost(comment) else { continue };
            if let Some(found) = moved.get(&(roots, page, document, node)) {
                set(comment, found);
            }
        }
        Ok(())
    }

    /// Searches the pages that differ between two trees for nodes, and caches the results.
    fn search_changed_pages(
        &mut self,
        space: SpaceId,
        base: &Tree,
        tree: &Tree,
        unknown: &[MovedAnchor],
    ) -> Result<()> {
        self.require_no_transaction()?;
        let pages = gaining_pages(base, tree);
        let mut seen = HashSet::new();
        let lost = unknown.iter().map(|(_, _, document, _)| *document);
        let mut ids: Vec<DocumentId> = lost
            .chain(pages.iter().flat_map(|page| [Some(page.after), page.before]).flatten())
            .filter(|id| seen.insert(*id))
            .collect();
        ids.truncate(self.documents_within_of(space, &ids, SEARCHED_BYTES)?);
        let documents = self.documents_of(space, &ids)?;
        let document = |id: Option<DocumentId>| -> Option<&DocumentJson> { documents.get(&id?) };
        // Without the earlier version of a page, all of its blocks would count as added.
        let read = pages.iter().filter(|page| page.before.is_none() || document(page.before).is_some());
        let (read, gaining): (Vec<&GainingPage>, Vec<GainingDocument<'_>>) = read
            .filter_map(|page| {
                let after = document(Some(page.after))?;
                Some((page, GainingDocument { before: document(page.before), after }))
            })
            .unzip();
        let (asked, nodes): (Vec<&MovedAnchor>, Vec<LostNode<'_>>) = unknown
            .iter()
            .filter_map(|key| {
                let (_, own, id, node) = key;
                let own = read.iter().position(|page| page.id == *own);
                Some((key, LostNode { document: document(Some(*id))?, node, own }))
            })
            .unzip();
        let cache = &self.storage.caches().moved_anchors;
        for key in unknown {
            cache.insert(key.clone(), None);
        }
        let found = self.storage.analyzer().trace_elsewhere(&nodes, &gaining);
        for (key, found) in asked.into_iter().zip(found) {
            let Some((number, node)) = found else { continue };
            if let Some(page) = read.get(number) {
                cache.insert(key.clone(), Some((page.id, node)));
            }
        }
        Ok(())
    }

    /// Returns the comments of a change request whose nodes it moved to a page from other pages, oldest first. Only the
    /// first 200 comments on nodes of other pages are checked. If the change request does not change the page, it
    /// returns none with two statements.
    pub fn comments_moved_to(
        &mut self,
        content: &Authorized<ContentAt>,
        page: PageId,
        filter: &CommentFilter,
    ) -> Result<Vec<ShownComment>> {
        let Some(change_request) = &content.change_request else { return Ok(Vec::new()) };
        let space = content.space.id;
        let tree = self.tree_of(space, content.revision.root)?;
        let base = self.tree_before(content)?;
        let document = |tree: &Tree| tree.page(page).and_then(|page| page.document);
        if document(&tree) == document(&base) {
            return Ok(Vec::new());
        }
        let mut query = comment_details::table
            .filter(comment_details::space_id.eq(space))
            .filter(comment_details::change_request_id.eq(change_request.id))
            .filter(comment_details::target_page.ne(page))
            .filter(comment_details::target_node.is_not_null())
            .into_boxed();
        if let Some(status) = filter.status.status() {
            query = query.filter(comment_details::status.eq(status));
        }
        let rows: Vec<CommentRecord> = query
            .order(comment_details::id)
            .limit(MOST_COMMENTS)
            .select(comment_columns(filter.format))
            .load(self.connection)?;
        let shown = |row| ShownComment::new(space, row, &tree, (Vec::new(), Vec::new()));
        let mut comments: Vec<ShownComment> = rows.into_iter().map(shown).collect();
        self.anchor_nodes(space, &tree, &mut comments)?;
        comments.retain(|comment| comment.moved_to().is_some_and(|moved| moved.page == page));
        let ids = comments.iter().map(|comment| comment.comment.id).collect();
        let mut reactions = self.comment_reactions(space, ids)?;
        let records: Vec<CommentRecord> = comments.iter().map(|shown| shown.comment.clone()).collect();
        let mut repliers = self.repliers_of(space, &records)?;
        for comment in &mut comments {
            comment.reactions = reactions.take(comment.comment.id);
            comment.repliers = repliers.take(&comment.comment);
        }
        Ok(comments)
    }

    /// Returns the tree of a change request's merge base. Takes one statement if the tree is cached.
    fn merge_base_tree(&mut self, space: SpaceId, change_request: ChangeRequestId) -> Result<Tree> {
        let base =
            coalesce(change_requests::revision_merged_ancestor, change_requests::revision_initial.nullable());
        let of_request =
            revisions::space_id.eq(change_requests::space_id).and(revisions::id.nullable().eq(base));
        let base: Option<RevisionRecord> = change_requests::table
            .inner_join(revisions::table.on(of_request))
            .filter(change_requests::space_id.eq(space))
            .filter(change_requests::id.eq(change_request))
            .select(RevisionRecord::as_select())
            .get_result(self.connection)
            .optional()?;
        match base {
            Some(base) => self.tree_of(space, base.root),
            None => Ok(Tree::empty()),
        }
    }
}

impl ShownComment {
    /// Returns the location of the comment's node on another page.
    #[must_use]
    pub fn moved_to(&self) -> Option<&MovedNode> {
        self.target.anchor.as_ref()?.moved_to.as_ref()
    }
}

/// Returns the change request of comments. All of them must have the same.
fn of_request(comments: &[ShownComment]) -> Option<ChangeRequestId> {
    comments.iter().find_map(|shown| shown.comment.change_request)
}

/// Returns the page, document and node of a comment whose page no longer contains the node.
fn lost(shown: &ShownComment) -> Option<(PageId, DocumentId, QuotedNode)> {
    let anchor = shown.target.anchor.as_ref()?;
    (anchor.state == NodeState::Deleted && anchor.moved_to.is_none()).then_some(())?;
    let posted_on = &shown.comment.posted_on;
    let node = posted_on.node.as_ref()?;
    let node = QuotedNode { id: node.id.clone(), quote: node.quote.clone() };
    Some((posted_on.page.as_ref()?.id, posted_on.document?, node))
}

/// Sets the location of a comment's node on another page; `None` if it was not found.
fn set(shown: &mut ShownComment, found: Option<(PageId, QuotedNode)>) {
    let moved = found.map(|(page, QuotedNode { id, quote })| {
        let offset = quote.and_then(|quote| quote.offset);
        MovedNode { page, node: id, offset }
    });
    if let Some(anchor) = &mut shown.target.anchor {
        anchor.moved_to = moved;
    }
}

/// Returns the pages with a document that differs between two trees, in the order of their ids.
fn gaining_pages(base: &Tree, tree: &Tree) -> Vec<GainingPage> {
    let changed = changed_pages(base, tree).filter_map(|(before, after)| {
        let (before, after) = (before.and_then(|page| page.document), after?);
        let page = GainingPage { id: after.id, before, after: after.document? };
        (page.before != Some(page.after)).then_some(page)
    });
    let mut pages: Vec<GainingPage> = changed.collect();
    pages.sort_by_key(|page| page.id);
    pages.truncate(MOST_PAGES);
    pages
}
