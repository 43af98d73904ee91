//! Anchors of comments: their nodes in the current documents of their pages.

use std::collections::{HashMap, HashSet};

use quire_domain::comments::{NodeAnchor, NodeQuote, NodeState};
use quire_domain::ids::{DocumentId, SpaceId};
use quire_revision::Tree;

use super::ShownComment;
use crate::Result;
use crate::content::store::QuotedNode;
use crate::transaction::Reader;

/// Maximum total size in bytes of the documents that one response compares. Nodes of further comments count as not
/// found.
const COMPARED_BYTES: u32 = 8 << 20;

/// Document on which a comment was posted, and the current document of its page.
type Versions = (DocumentId, DocumentId);

impl Reader<'_> {
    /// Sets the anchors of comments on nodes. Takes at most two statements, or none if no page has changed or the
    /// results are cached, and those of [`Reader::find_moved_nodes`]. A transaction does not compare documents, so
    /// there the results must be cached.
    ///
    /// # Errors
    /// [`Error::Outdated`](crate::Error::Outdated) within a transaction for documents that were not compared yet.
    pub(super) fn anchor_nodes(
        &mut self,
        space: SpaceId,
        tree: &Tree,
        comments: &mut [ShownComment],
    ) -> Result<()> {
        self.anchor_on_pages(space, tree, comments)?;
        self.find_moved_nodes(space, tree, comments)
    }

    /// Sets the anchors of comments in the current documents of their pages.
    fn anchor_on_pages(&mut self, space: SpaceId, tree: &Tree, comments: &mut [ShownComment]) -> Result<()> {
        let mut unknown: HashMap<Versions, Vec<QuotedNode>> = HashMap::new();
        let anchors = &self.storage.caches().anchors;
        for comment in &mut *comments {
            let Some((versions, node)) = versions(tree, comment) else { continue };
            match anchors.get(&(versions, node.clone())) {
                Some(found) => set(comment, found),
                None => unknown.entry(versions).or_default().push(node),
            }
        }
        if unknown.is_empty() {
            return Ok(());
        }
        let found = self.compare(space, unknown)?;
        for comment in comments {
            if let Some((versions, node)) = versions(tree, comment)
                && let Some(found) = found.get(&(versions, node))
            {
                set(comment, found.clone());
            }
        }
        Ok(())
    }

    /// Compares documents, and returns the current form of each node.
    fn compare(
        &mut self,
        space: SpaceId,
        unknown: HashMap<Versions, Vec<QuotedNode>>,
    ) -> Result<HashMap<(Versions, QuotedNode), Option<QuotedNode>>> {
        self.require_no_transaction()?;
        let mut pairs: Vec<(Versions, Vec<QuotedNode>)> = unknown.into_iter().collect();
        pairs.sort();
        let mut seen = HashSet::new();
        let mut ids: Vec<DocumentId> = pairs.iter().flat_map(|((then, now), _)| [*now, *then]).collect();
        ids.retain(|id| seen.insert(*id));
        ids.truncate(self.documents_within_of(space, &ids, COMPARED_BYTES)?);
        let documents = self.documents_of(space, &ids)?;
        let mut found = HashMap::new();
        for (versions, nodes) in pairs {
            let bodies = documents.get(&versions.0).zip(documents.get(&versions.1));
            let Some((then, now)) = bodies else { continue };
            let traced = self.storage.analyzer().trace(then, now, &nodes);
            for (node, traced) in nodes.into_iter().zip(traced) {
                let key = (versions, node);
                self.storage.caches().anchors.insert(key.clone(), traced.clone());
                found.insert(key, traced);
            }
        }
        Ok(found)
    }
}

/// Returns the document versions and the node of a comment whose page now has another document.
fn versions(tree: &Tree, comment: &ShownComment) -> Option<(Versions, QuotedNode)> {
    let posted_on = &comment.comment.posted_on;
    let now = tree.page(posted_on.page.as_ref()?.id)?.document?;
    let then = posted_on.document?;
    (then != now).then_some(())?;
    let node = posted_on.node.as_ref()?;
    Some(((then, now), QuotedNode { id: node.id.clone(), quote: node.quote.clone() }))
}

/// Sets the current node of a comment; `None` if it was not found.
fn set(comment: &mut ShownComment, found: Option<QuotedNode>) {
    let Some(node) = &mut comment.target.node else { return };
    let (id, quote) = found.map(|found| (found.id, found.quote)).unzip();
    let state = match &id {
        None => NodeState::Deleted,
        Some(id) if *id == node.id => NodeState::Present,
        Some(_) => NodeState::Moved,
    };
    if let Some(id) = &id {
        node.id.clone_from(id);
    }
    node.quote = quote.unwrap_or_else(|| node.quote.take().map(NodeQuote::without_offset));
    comment.target.anchor = Some(NodeAnchor { node: id, state, moved_to: None });
}
