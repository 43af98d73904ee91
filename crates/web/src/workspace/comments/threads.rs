//! Loading of comments, open or resolved, and their places on a page.

use std::collections::{BTreeSet, HashMap};

use actix_web::HttpRequest;
use quire_content::page_body::stored_document;
use quire_domain::clock::Timestamp;
use quire_domain::comments::{NodeState, Reaction, StatusFilter};
use quire_domain::documents::{Format, PresentedBody};
use quire_domain::ids::{CommentId, PageId};
use quire_domain::list::Order;
use quire_markup::document::Block;
use quire_markup::{ContentRef, Document};
use quire_render::references;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::comments::{CommentFilter, ReplyRecord, ShownComment};
use quire_storage::content::store::ContentAt;
use quire_storage::lookup::{Authorized, UserRecord};

use crate::workspace::requests::{cursor, next, parameter};

/// Maximum number of comments in a list.
const MOST: u16 = 50;
/// Query parameter with the cursor of the list.
pub(super) const POSITION: &str = "after";
/// Name of the list in cursors.
const LIST: &str = "comments";
/// Maximum number of replies to all comments in a list.
const MOST_REPLIES: u16 = 200;

/// Selection of comments on a page.
#[derive(Clone, Copy)]
pub(in crate::workspace) struct Wanted {
    /// True to list resolved comments instead of open ones.
    pub(super) is_resolved: bool,
    /// Comment after which the list starts.
    pub(super) after: Option<CommentId>,
}

impl Wanted {
    /// Returns the selection in the parameters `comments` and `after`.
    ///
    /// # Errors
    /// 400 for a cursor of another list.
    pub(in crate::workspace) fn of(request: &HttpRequest) -> ApiResult<Self> {
        let is_resolved = parameter(request, "comments").as_deref() == Some("resolved");
        Ok(Self { is_resolved, after: cursor(request, POSITION, LIST)? })
    }

    fn status(self) -> StatusFilter {
        if self.is_resolved { StatusFilter::Resolved } else { StatusFilter::Open }
    }
}

/// Comment or reply.
pub(super) struct Post {
    /// Path below the comments of the content.
    pub(super) path: String,
    pub(super) author: UserRecord,
    pub(super) at: Timestamp,
    pub(super) is_edited: bool,
    pub(super) document: Document,
    /// Reactions to a comment. Empty for replies.
    pub(super) reactions: Vec<Reaction<UserRecord>>,
}

impl Post {
    fn of_comment(shown: &ShownComment) -> ApiResult<Self> {
        let comment = &shown.comment;
        Ok(Self {
            path: comment.id.to_string(),
            author: comment.posted_by.clone(),
            at: comment.posted_at,
            is_edited: comment.edited_at.is_some(),
            document: document(&comment.body)?,
            reactions: shown.reactions.clone(),
        })
    }

    fn of_reply(comment: CommentId, reply: &ReplyRecord) -> ApiResult<Self> {
        Ok(Self {
            path: format!("{comment}/replies/{}", reply.id),
            author: reply.posted_by.clone(),
            at: reply.posted_at,
            is_edited: reply.edited_at.is_some(),
            document: document(&reply.body)?,
            reactions: Vec::new(),
        })
    }
}

/// Block with a comment.
pub(super) struct Anchor {
    /// Key of the node in the present document.
    pub(super) node: Option<String>,
    /// Key of the top-level block that contains the node.
    pub(super) block: Option<String>,
    /// Commented words, or the text of the node when the comment was posted.
    pub(super) quote: String,
    /// Position of the words in the text of the node. `None` without words, or if they no longer occur.
    pub(super) offset: Option<usize>,
    /// True if the node no longer contains the words.
    pub(super) is_rewritten: bool,
    pub(super) is_deleted: bool,
    /// Page that contains the node now, if it was moved.
    pub(super) moved_to: Option<PageId>,
}

/// Comment with its replies.
pub(super) struct Thread {
    pub(super) id: CommentId,
    /// Page with its title.
    pub(super) page: Option<(PageId, String)>,
    pub(super) anchor: Option<Anchor>,
    pub(super) posts: Vec<Post>,
    /// Number of further replies that are not shown.
    pub(super) hidden: usize,
}

impl Thread {
    fn new(shown: &ShownComment, replies: Vec<Post>) -> ApiResult<Self> {
        let count = usize::try_from(shown.comment.replies).unwrap_or_default();
        let target = &shown.target;
        let first = Post::of_comment(shown)?;
        let anchor = target.node.as_ref().map(|node| {
            let words = node.quote.as_ref();
            let text = words.map(|quote| &quote.text).or(node.preview.as_ref());
            let anchor = target.anchor.as_ref();
            let moved = shown.moved_to();
            let offset = match moved {
                Some(moved) => moved.offset,
                None => words.and_then(|quote| quote.offset),
            };
            Anchor {
                node: moved
                    .map(|moved| &moved.node)
                    .or(anchor.and_then(|anchor| anchor.node.as_ref()))
                    .cloned(),
                block: None,
                quote: text.cloned().unwrap_or_default(),
                offset,
                is_rewritten: words.is_some() && offset.is_none(),
                is_deleted: anchor.is_some_and(|anchor| anchor.state == NodeState::Deleted),
                moved_to: moved.map(|moved| moved.page),
            }
        });
        Ok(Self {
            id: shown.comment.id,
            page: target.page.as_ref().map(|page| (page.id, page.title.clone())),
            anchor,
            hidden: count.saturating_sub(replies.len()),
            posts: std::iter::once(first).chain(replies).collect(),
        })
    }
}

/// Comments on a page, or on a whole change request.
pub(in crate::workspace) struct Threads {
    pub(super) threads: Vec<Thread>,
    pub(super) wanted: Wanted,
    /// Page of all comments.
    pub(super) page: Option<PageId>,
    /// Total number of comments with the status.
    pub(in crate::workspace) total: u64,
    /// Cursor of the following comments.
    pub(super) more: Option<String>,
}

impl Threads {
    /// Loads comments on content or on one of its pages, oldest first, followed by comments on blocks that a change
    /// request moved to that page. Sends the statements of the lists of comments, and one for all replies.
    pub(in crate::workspace) fn load(
        reader: &mut Reader<'_>,
        content: &Authorized<ContentAt>,
        page: Option<PageId>,
        wanted: Wanted,
    ) -> ApiResult<Self> {
        let filter = CommentFilter {
            status: wanted.status(),
            page,
            authors: Vec::new(),
            order: Order::Asc,
            format: Format::Document,
        };
        let mut found = reader.comments_of(content, &filter, wanted.after, MOST)?;
        let more = next(&found, LIST, |shown| shown.comment.id)?;
        if let Some(page) = page {
            let moved = reader.comments_moved_to(content, page, &filter)?;
            found.total = found.total.saturating_add(u64::try_from(moved.len()).unwrap_or_default());
            if !found.has_more {
                found.items.extend(moved);
            }
        }
        let replied = found.items.iter().filter(|shown| shown.comment.replies > 0);
        let replied: Vec<CommentId> = replied.map(|shown| shown.comment.id).collect();
        let mut replies: HashMap<CommentId, Vec<Post>> = HashMap::new();
        for (comment, reply) in
            reader.replies_to_comments(content, &replied, Format::Document, MOST_REPLIES)?
        {
            replies.entry(comment).or_default().push(Post::of_reply(comment, &reply)?);
        }
        let threads = found.items.iter();
        let threads =
            threads.map(|shown| Thread::new(shown, replies.remove(&shown.comment.id).unwrap_or_default()));
        Ok(Self { threads: threads.collect::<ApiResult<_>>()?, wanted, page, total: found.total, more })
    }

    /// Locates the commented blocks on the page. The nodes of the document must have keys.
    pub(in crate::workspace) fn locate(&mut self, document: &Document) {
        for anchor in self.threads.iter_mut().filter_map(|thread| thread.anchor.as_mut()) {
            let is_elsewhere = anchor.moved_to.is_some_and(|page| self.page != Some(page));
            let Some(node) = anchor.node.as_ref().filter(|_| !is_elsewhere) else { continue };
            let block = document.nodes.iter().find(|block| has_node(block, node));
            anchor.block = block.and_then(|block| block.key.as_deref()).map(str::to_owned);
        }
    }

    /// Returns whether comments precede the outline of a page.
    pub(in crate::workspace) fn are_first(&self) -> bool {
        self.total > 0 || self.wanted.is_resolved
    }

    /// Returns the references in the comments.
    pub(in crate::workspace) fn references(&self) -> BTreeSet<ContentRef> {
        let posts = self.threads.iter().flat_map(|thread| &thread.posts);
        posts.flat_map(|post| references(&post.document).targets).collect()
    }
}

/// Returns whether a block is a node or contains it.
fn has_node(block: &Block, node: &str) -> bool {
    block.key.as_deref() == Some(node)
        || block.child_blocks().iter().any(|inner| has_node(inner, node))
        || block.fragments.iter().any(|part| part.nodes.iter().any(|inner| has_node(inner, node)))
}

/// Returns the document of a text for rendering.
pub(in crate::workspace) fn document(body: &PresentedBody) -> ApiResult<Document> {
    match body {
        PresentedBody::Document { document } => Ok(stored_document(document)?),
        PresentedBody::Markdown { markdown } => Ok(quire_markup::parse(markdown, &quire_markup::StableRefs)),
    }
}

#[cfg(test)]
mod tests {
    use quire_markup::{StableRefs, parse};

    use super::*;

    #[test]
    fn a_node_is_found_in_the_block_around_it() {
        let mut document = parse("One.\n\n- Two\n- Three\n\n| A |\n| - |\n| Cell |", &StableRefs);
        quire_markup::reading::identify(&mut document);
        let block = |node: &str| document.nodes.iter().position(|block| has_node(block, node));
        let keys = quire_markup::node_keys(&document);
        for key in &keys {
            let expected = key.split('.').next().and_then(|index| index.parse().ok());
            assert_eq!(block(key), expected, "{key}");
        }
        assert_eq!(block("9"), None);
    }
}
