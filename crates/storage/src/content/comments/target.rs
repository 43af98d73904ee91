//! Targets of comments: a page of the content, now and when the comment was posted.

use quire_domain::clock::Timestamp;
use quire_domain::comments::{CommentTarget, NodeAnchor, NodeQuote, NodeState, TargetNode, TargetPage};
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, PageId, SpaceId};
use quire_revision::{PageNode, Tree};

use crate::content::comments::CommentRecord;
use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::transaction::Reader;
use crate::{Error, Result, Storage};

/// Page on which a comment can be posted.
#[derive(Clone, Debug, PartialEq)]
pub struct CommentedPage {
    /// Current state of the page.
    pub page: TargetPage,
    /// Document; `None` for a page without one.
    pub document: Option<DocumentId>,
}

impl Storage {
    /// Like [`Reader::commented_page`], but only if the tree is cached. Takes no statement.
    #[must_use]
    pub fn cached_commented_page(
        &self,
        content: &Authorized<ContentAt>,
        id: PageId,
    ) -> Option<Option<CommentedPage>> {
        self.cached_tree(content).map(|tree| commented_page(&tree, id))
    }
}

fn commented_page(tree: &Tree, id: PageId) -> Option<CommentedPage> {
    let page = tree.page(id)?;
    Some(CommentedPage { page: target_page(tree, page, false), document: page.document })
}

impl Reader<'_> {
    /// Returns the page with this id; `None` if the content has none. Reads only the tree.
    pub fn commented_page(
        &mut self,
        content: &Authorized<ContentAt>,
        id: PageId,
    ) -> Result<Option<CommentedPage>> {
        let tree = self.tree_of(content.space.id, content.revision.root)?;
        Ok(commented_page(&tree, id))
    }

    /// Returns the document of a page on which a comment will be posted; `None` for a page without one.
    pub fn commented_document(
        &mut self,
        content: &Authorized<ContentAt>,
        page: &CommentedPage,
    ) -> Result<Option<DocumentJson>> {
        let Some(id) = page.document else { return Ok(None) };
        let document = self.documents_of(content.space.id, &[id])?.remove(&id);
        document
            .map(Some)
            .ok_or_else(|| Error::corrupt("a page's document is missing", anyhow::anyhow!("document {id}")))
    }
}

/// Returns the target of a comment in the current content. A deleted page is returned as it was when the comment was
/// posted.
pub(super) fn target(space: SpaceId, comment: &CommentRecord, tree: &Tree) -> CommentTarget {
    let posted_on = &comment.posted_on;
    let page = posted_on.page.as_ref().map(|then| match tree.page(then.id) {
        Some(now) => target_page(tree, now, now.document != posted_on.document),
        None => TargetPage { outdated: true, ..then.clone() },
    });
    let (node, anchor) = posted_on.node.clone().map(|node| located(comment, node, tree)).unzip();
    CommentTarget {
        space,
        revision: posted_on.revision,
        change_request: comment.change_request,
        review: comment.review.map(|id| id.to_string()),
        page,
        node,
        anchor,
    }
}

/// Returns a node and its anchor if the page still has the same document. In any other document, the node counts as
/// deleted until the documents are compared.
fn located(comment: &CommentRecord, node: TargetNode, tree: &Tree) -> (TargetNode, NodeAnchor) {
    let posted_on = &comment.posted_on;
    let page = posted_on.page.as_ref().and_then(|then| tree.page(then.id));
    match page.is_some_and(|page| page.document == posted_on.document) {
        true => {
            let anchor =
                NodeAnchor { node: Some(node.id.clone()), state: NodeState::Present, moved_to: None };
            (node, anchor)
        }
        false => {
            let quote = node.quote.map(NodeQuote::without_offset);
            (
                TargetNode { quote, ..node },
                NodeAnchor { node: None, state: NodeState::Deleted, moved_to: None },
            )
        }
    }
}

fn target_page(tree: &Tree, page: &PageNode, outdated: bool) -> TargetPage {
    let timestamp = |millis: Option<i64>| millis.and_then(|millis| Timestamp::from_millis(millis).ok());
    TargetPage {
        id: page.id,
        title: page.title.clone(),
        emoji: page.emoji.clone(),
        icon: page.icon.clone(),
        created_at: timestamp(page.created_at),
        updated_at: timestamp(page.updated_at),
        path: tree.path_of(page.id).unwrap_or_default(),
        outdated,
    }
}
