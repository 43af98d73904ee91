//! Comments on a page with their replies and reactions, and the fields for new ones.

use std::collections::BTreeSet;

use maud::{Markup, PreEscaped, html};
use quire_domain::comments::Reaction;
use quire_domain::ids::{CommentId, PageId};
use quire_render::{Options, Resolved, render};
use quire_storage::lookup::UserRecord;

use super::threads::{POSITION, Post, Thread, Threads, Wanted};
use crate::workspace::content::Content;
use crate::workspace::shell::{counted, face, name_of};

/// Emojis offered as reactions.
const EMOJIS: [&str; 6] = ["👍", "🎉", "❤️", "👀", "😄", "😕"];
/// Maximum length of a comment, equal to the limit of the API.
const MOST_CHARACTERS: &str = "50000";

impl Threads {
    /// Writes the comments and the fields for new ones. Adds their icons to the sprite.
    pub(in crate::workspace) fn write(
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
                        // The style sheet shows the buttons when this has arrived.
                        span hidden {}
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
