//! Comments, open or resolved, and the fields for new ones.

use std::collections::{BTreeSet, HashMap};

use actix_web::HttpRequest;
use maud::{Markup, PreEscaped, html};
use quire_content::page_body::stored_document;
use quire_domain::clock::Timestamp;
use quire_domain::comments::{NodeState, Reaction, StatusFilter};
use quire_domain::documents::{Format, PresentedBody};
use quire_domain::ids::{CommentId, PageId};
use quire_domain::list::Order;
use quire_markup::document::Block;
use quire_markup::{ContentRef, Document};
use quire_render::{Options, Resolved, references, render};
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::comments::{CommentFilter, ReplyRecord, ShownComment};
use quire_storage::content::store::ContentAt;
use quire_storage::lookup::{Authorized, UserRecord};

use super::content::Content;
use super::requests::{cursor, next, parameter};
use super::shell::{counted, face, name_of};

/// Maximum number of comments in a list.
const MOST: u16 = 50;
/// Query parameter with the cursor of the list.
const POSITION: &str = "after";
/// Name of the list in cursors.
const LIST: &str = "comments";
/// Emojis offered as reactions.
const EMOJIS: [&str; 6] = ["👍", "🎉", "❤️", "👀", "😄", "😕"];
/// Maximum number of replies to all comments in a list.
const MOST_REPLIES: u16 = 200;
/// Maximum length of a comment, equal to the limit of the API.
const MOST_CHARACTERS: &str = "50000";

/// Selection of comments on a page.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// True to list resolved comments instead of open ones.
    is_resolved: bool,
    /// Comment after which the list starts.
    after: Option<CommentId>,
}

impl Wanted {
    /// Returns the selection in the parameters `comments` and `after`.
    ///
    /// # Errors
    /// 400 for a cursor of another list.
    pub(super) fn of(request: &HttpRequest) -> ApiResult<Self> {
        let is_resolved = parameter(request, "comments").as_deref() == Some("resolved");
        Ok(Self { is_resolved, after: cursor(request, POSITION, LIST)? })
    }

    fn status(self) -> StatusFilter {
        if self.is_resolved { StatusFilter::Resolved } else { StatusFilter::Open }
    }
}

/// Comment or reply.
struct Post {
    /// Path below the comments of the content.
    path: String,
    author: UserRecord,
    at: Timestamp,
    is_edited: bool,
    document: Document,
    /// Reactions to a comment. Empty for replies.
    reactions: Vec<Reaction<UserRecord>>,
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
struct Anchor {
    /// Key of the node in the present document.
    node: Option<String>,
    /// Key of the top-level block that contains the node.
    block: Option<String>,
    /// Commented words, or the text of the node when the comment was posted.
    quote: String,
    /// Position of the words in the text of the node. `None` without words, or if they no longer occur.
    offset: Option<usize>,
    /// True if the node no longer contains the words.
    is_rewritten: bool,
    is_deleted: bool,
    /// Page that contains the node now, if it was moved.
    moved_to: Option<PageId>,
}

/// Comment with its replies.
struct Thread {
    id: CommentId,
    /// Page with its title.
    page: Option<(PageId, String)>,
    anchor: Option<Anchor>,
    posts: Vec<Post>,
    /// Number of further replies that are not shown.
    hidden: usize,
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
pub(super) struct Threads {
    threads: Vec<Thread>,
    wanted: Wanted,
    /// Page of all comments.
    page: Option<PageId>,
    /// Total number of comments with the status.
    pub(super) total: u64,
    /// Cursor of the following comments.
    more: Option<String>,
}

impl Threads {
    /// Loads comments on content or on one of its pages, oldest first, followed by comments on blocks that a change
    /// request moved to that page. Sends the statements of the lists of comments, and one for all replies.
    pub(super) fn load(
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
    pub(super) fn locate(&mut self, document: &Document) {
        for anchor in self.threads.iter_mut().filter_map(|thread| thread.anchor.as_mut()) {
            let is_elsewhere = anchor.moved_to.is_some_and(|page| self.page != Some(page));
            let Some(node) = anchor.node.as_ref().filter(|_| !is_elsewhere) else { continue };
            let block = document.nodes.iter().find(|block| has_node(block, node));
            anchor.block = block.and_then(|block| block.key.as_deref()).map(str::to_owned);
        }
    }

    /// Returns whether comments precede the outline of a page.
    pub(super) fn are_first(&self) -> bool {
        self.total > 0 || self.wanted.is_resolved
    }

    /// Returns the references in the comments.
    pub(super) fn references(&self) -> BTreeSet<ContentRef> {
        let posts = self.threads.iter().flat_map(|thread| &thread.posts);
        posts.flat_map(|post| references(&post.document).targets).collect()
    }

    /// Writes the comments and the fields for new ones. Adds their icons to the sprite.
    pub(super) fn write(
        &self,
        content: &Content,
        resolved: &Resolved,
        options: &Options<'_>,
        icons: &mut BTreeSet<String>,
    ) -> Markup {
        let mut writer = Writer { content, resolved, options, icons };
        let Wanted { is_resolved, after } = self.wanted;
        let current = |is_current: bool| is_current.then_some("true");
        let empty = match (is_resolved, self.page.is_some()) {
            (true, _) => "No resolved comments.",
            (false, true) => "No open comments on this page.",
            (false, false) => "No open comments on this change request.",
        };
        html! {
            section.comments data-comments="" data-live="comments" aria-labelledby="workspace:comments" {
                h2 id="workspace:comments" { "Comments" @if self.total > 0 { span { (self.total) } } }
                nav.filter aria-label="Status of comments" {
                    a href="?comments=open#workspace:comments" aria-current=[current(!is_resolved)] { "Open" }
                    a href="?comments=resolved#workspace:comments" aria-current=[current(is_resolved)] { "Resolved" }
                }
                @if self.threads.is_empty() { p.muted { (empty) } }
                @for thread in &self.threads { (self.write_thread(thread, &mut writer)) }
                @let status = if is_resolved { "resolved" } else { "open" };
                @if after.is_some() || self.more.is_some() {
                    p.pager {
                        @if after.is_some() { a.btn href={ "?comments=" (status) "#workspace:comments" } { "First comments" } }
                        @if let Some(more) = &self.more {
                            a.btn href={ "?comments=" (status) "&" (POSITION) "=" (more) "#workspace:comments" } { "More comments" }
                        }
                    }
                }
                @if content.rights.comments { (self.composer(content)) }
                @else {
                    p.muted { "To comment, you need the role comment on this space. Its administrators can give it to you." }
                }
            }
        }
    }

    fn write_thread(&self, thread: &Thread, writer: &mut Writer<'_, '_>) -> Markup {
        let content = writer.content;
        let url = format!("{}/{}", api_path(content), thread.id);
        let is_resolved = self.wanted.is_resolved;
        let author = thread.posts.first().map(|post| name_of(&post.author)).unwrap_or_default();
        let anchor = thread.anchor.as_ref();
        let block = anchor.and_then(|anchor| anchor.block.as_deref());
        let (offset, quote) = anchor.and_then(|anchor| Some((anchor.offset?, &anchor.quote))).unzip();
        html! {
            article.thread id={ "comment-" (thread.id) } data-on=[block] data-quote=[quote] data-offset=[offset] tabindex="-1" aria-label={ "Comment by " (author) } {
                @if self.page.is_none() && let Some((page, title)) = &thread.page { (link_to(content, thread.id, *page, title)) }
                @if let Some(anchor) = &thread.anchor {
                    @let quote = if anchor.quote.is_empty() { "A block".to_owned() } else { format!("“{}”", anchor.quote) };
                    @if let Some(page) = anchor.moved_to {
                        (self.write_move(content, thread, page))
                    }
                    @if anchor.moved_to.is_some() && anchor.moved_to != self.page { p.on { (quote) } }
                    @else if anchor.is_deleted && anchor.moved_to.is_none() { p.on { span.pill { "On deleted text" } " " (quote) } }
                    @else if anchor.block.is_some() {
                        button.on type="button" data-show="" {
                            @if anchor.is_rewritten { span.pill { "Words have changed" } " " }
                            (quote)
                        }
                    }
                    @else { p.on { (quote) } }
                }
                @for (index, post) in thread.posts.iter().enumerate() { (writer.post(post, thread.id, index == 0)) }
                @if thread.hidden > 0 { p.muted { (thread.hidden) " more replies" } }
                @if content.rights.comments {
                    div.thread-actions {
                        form.reply {
                            (field(&format!("reply-{}", thread.id), ("Your reply", "Reply"), 1))
                            div.buttons {
                                button.btn type="submit" data-action="comment" data-url={ (url) "/replies" } { "Send reply" }
                            }
                        }
                        button.btn type="button" data-action="change-comment" data-method="PUT" data-url=(url)
                            data-body=(if is_resolved { "{\"resolved\":false}" } else { "{\"resolved\":true}" })
                            aria-label=(if is_resolved { "Reopen thread" } else { "Resolve thread" }) {
                            @if is_resolved { "Reopen" } @else { (content.frame.icon("check", "")) "Resolve" }
                        }
                    }
                }
            }
        }
    }

    /// Writes that the block of a comment was moved, with a link to the other page.
    fn write_move(&self, content: &Content, thread: &Thread, page: PageId) -> Markup {
        let is_here = self.page == Some(page);
        let other = if is_here { thread.page.as_ref().map(|(page, _)| *page) } else { Some(page) };
        let title = |page: PageId| content.tree.page(page).map(|page| page.title.clone());
        let posted_on = || thread.page.as_ref().map(|(_, title)| title.clone());
        html! {
            @if let Some(page) = other && let Some(title) = title(page).or_else(posted_on) {
                p.on {
                    span.pill { @if is_here { "Moved from" } @else { "Moved to" } } " "
                    (link_to(content, thread.id, page, &title))
                }
            }
        }
    }

    /// Returns the form of a new comment. `comments.js` adds the blocks that can be commented on.
    fn composer(&self, content: &Content) -> Markup {
        html! {
            form.composer {
                (field("comment", ("New comment", "New comment"), 3))
                @if self.page.is_some() {
                    div.about {
                        label for="workspace:comment-on" { "On" }
                        select id="workspace:comment-on" name="node" { option value="" { "The whole page" } }
                    }
                }
                div.buttons {
                    button.btn type="submit" data-action="comment" data-url=(api_path(content)) data-page=[self.page] { "Comment" }
                }
            }
        }
    }
}

/// Returns a link to a comment on a page. For a deleted page, returns only the title.
fn link_to(content: &Content, comment: CommentId, page: PageId, title: &str) -> Markup {
    html! {
        @match content.tree.path_of(page) {
            Some(path) => a.on href={ (content.place.at(&path)) "#comment-" (comment) } { (title) },
            None => span.on { (title) },
        }
    }
}

/// Returns the API path of the comments on content.
fn api_path(content: &Content) -> String {
    match content.place.change {
        None => format!("spaces/{}/comments", content.place.space),
        Some(number) => format!("spaces/{}/change-requests/{number}/comments", content.place.space),
    }
}

/// Returns a text field with a number of lines. The browser keeps its content until it is sent.
fn field(id: &str, (label, placeholder): (&str, &str), rows: u8) -> Markup {
    let id = format!("workspace:{id}");
    html! {
        label.hidden-text for=(id) { (label) }
        textarea id=(id) name="text" rows=(rows) required maxlength=(MOST_CHARACTERS) placeholder=(placeholder) data-kept="" {}
    }
}

struct Writer<'a, 'o> {
    content: &'a Content,
    resolved: &'a Resolved,
    options: &'a Options<'o>,
    icons: &'a mut BTreeSet<String>,
}

impl Writer<'_, '_> {
    fn post(&mut self, post: &Post, thread: CommentId, is_first: bool) -> Markup {
        let rendered = render(&post.document, self.resolved, self.options);
        self.icons.extend(rendered.icons);
        let Content { frame, rights, .. } = self.content;
        let name = name_of(&post.author);
        let is_own = post.author.id() == Some(rights.user);
        let url = format!("{}/{}", api_path(self.content), post.path);
        html! {
            div.post data-post=(post.path) {
                (face(&post.author))
                div.by {
                    b { (name) }
                    @if is_first { a href={ "#comment-" (thread) } { (frame.ago(post.at)) } } @else { (frame.ago(post.at)) }
                    @if post.is_edited { span.muted { "edited" } }
                }
                div.document { (PreEscaped(rendered.html)) }
                @if is_first { (self.reactions(post, &url)) }
                @if is_own || rights.administers {
                    div.post-actions {
                        button type="button" data-action="edit-comment" data-url=(url) { "Edit" }
                        button type="button" data-action="change-comment" data-method="DELETE" data-url=(url)
                            data-confirm=(if is_first { "Delete this comment and its replies?" } else { "Delete this reply?" }) { "Delete" }
                    }
                }
            }
        }
    }
}

impl Writer<'_, '_> {
    /// Returns the reactions to a comment. Callers who may comment can add and remove them.
    fn reactions(&self, post: &Post, url: &str) -> Markup {
        let rights = &self.content.rights;
        let is_own = |reaction: &Reaction<UserRecord>| {
            reaction.users.iter().any(|given| given.user.id() == Some(rights.user))
        };
        html! {
            @if rights.comments || !post.reactions.is_empty() {
                div.post-actions {
                    @for reaction in &post.reactions {
                        @let (emoji, own) = (emoji_text(&reaction.emoji), is_own(reaction));
                        @let label = format!("{emoji} {}", reaction.count);
                        @if rights.comments {
                            (react(url, &reaction.emoji, !own, &label, &format!("{emoji} by {}", counted(reaction.count, "person", "people"))))
                        } @else { span { (label) } }
                    }
                    @if rights.comments {
                        @let id = format!("reactions-{}", post.path);
                        button type="button" aria-expanded="false" aria-controls=(id) data-folds="" { "React" }
                        div id=(id) hidden {
                            @for emoji in EMOJIS { (react(url, emoji, true, emoji, &format!("React with {emoji}"))) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the button that adds or removes a reaction.
fn react(url: &str, emoji: &str, gives: bool, label: &str, name: &str) -> Markup {
    let key = if gives { "addedReactions" } else { "removedReactions" };
    let body = serde_json::json!({ key: [emoji] }).to_string();
    html! {
        button type="button" data-action="change-comment" data-method="PUT" data-url=(url) data-body=(body)
            aria-pressed=(if gives { "false" } else { "true" }) aria-label=(name) { (label) }
    }
}

/// Returns the characters of an emoji, which may be stored as hexadecimal code points.
fn emoji_text(emoji: &str) -> String {
    let code = |part: &str| u32::from_str_radix(part, 16).ok().and_then(char::from_u32);
    let characters: Option<String> = emoji.split('-').map(code).collect();
    characters.filter(|_| emoji.is_ascii()).unwrap_or_else(|| emoji.to_owned())
}

/// Returns whether a block is a node or contains it.
fn has_node(block: &Block, node: &str) -> bool {
    block.key.as_deref() == Some(node)
        || block.child_blocks().iter().any(|inner| has_node(inner, node))
        || block.fragments.iter().any(|part| part.nodes.iter().any(|inner| has_node(inner, node)))
}

/// Returns the document of a text for rendering.
pub(super) fn document(body: &PresentedBody) -> ApiResult<Document> {
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
