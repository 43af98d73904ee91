//! Feeds of the updates of a page (RSS 2.0, rssboard.org/rss-specification).

use maud::{PreEscaped, html};
use quire_markup::{Block, BlockKind, ContentRef, Document, inline_text, tags};
use quire_render::{Highlighter, Options, Resolved, render};
use time::format_description::well_known::Rfc2822;
use time::macros::format_description;
use time::{Date, OffsetDateTime, PrimitiveDateTime, Time};

use super::links::absolute;
use super::load::PageParts;
use super::visit::Visit;
use crate::body::{Body, TEXT_POLICY};

/// Maximum number of updates in a feed.
const MOST_UPDATES: usize = 50;

/// Returns the updates of a document, in order.
fn updates(document: &Document) -> impl Iterator<Item = &Block> {
    let lists = document.nodes.iter().filter(|block| block.kind == BlockKind::Updates);
    lists.flat_map(Block::child_blocks).filter(|block| block.kind == BlockKind::Update)
}

/// Returns the address of the feed of a page, if the page has updates.
pub(crate) fn feed_link(visit: &Visit, site_path: &str, document: &Document) -> Option<String> {
    updates(document).next().map(|_| format!("{}{site_path}/rss.xml", visit.prefix))
}

/// Writes the feed of a page. Returns `None` for a page without updates.
pub(crate) fn feed(visit: &Visit, parts: &PageParts, highlighter: &Highlighter) -> Option<Body> {
    let site = visit.url("");
    let page = visit.url(&parts.site_path);
    let feed = absolute(&site, &feed_link(visit, &parts.site_path, &parts.document)?);
    let resolved = with_absolute_addresses(&parts.resolved, &site);
    // Links to headings do not work in feed readers.
    let options = Options { links_headings: false, ..Options::english(highlighter) };
    let items = updates(&parts.document).take(MOST_UPDATES).enumerate().map(|(index, update)| {
        let date = update.str("date").unwrap_or_default();
        let mut content = Document { nodes: update.child_blocks().to_vec(), ..Document::default() };
        let title = take_title(&mut content).unwrap_or_else(|| date.to_owned());
        let html = render(&content, &resolved, &options).html;
        let update = Document { nodes: vec![update.clone()], ..Document::default() };
        let anchor: String = date.split_whitespace().collect();
        html! {
            item {
                title { (title) }
                (PreEscaped("<link>")) (page) "#" (anchor) (PreEscaped("</link>"))
                guid isPermaLink="false" { (page) "#" (anchor) "/" (index) }
                @if let Some(time) = published(date) { pubDate { (time) } }
                @for tag in tags(&update) {
                    @if let ContentRef::Tag { tag, .. } = tag { category { (tag) } }
                }
                description { (html) }
            }
        }
    });
    let text = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" {
            channel {
                title { (parts.page.title) " | " (parts.site.title) }
                (PreEscaped("<link>")) (page) (PreEscaped("</link>"))
                description { (parts.page.description.as_deref().unwrap_or(&parts.page.title)) }
                @if let Some(time) = parts.page.updated_at.and_then(changed) { lastBuildDate { (time) } }
                (PreEscaped("<atom:link rel=\"self\" type=\"application/rss+xml\" href=\""))
                (feed)
                (PreEscaped("\"/>"))
                @for item in items { (item) }
            }
        }
    };
    // XML cannot represent other control characters.
    let text = text.into_string().replace(|c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r'), "");
    Some(Body::new(text, "application/rss+xml; charset=utf-8", TEXT_POLICY.to_owned()))
}

/// Returns the text of the first heading. Removes the heading if it comes first, since the title of the item repeats
/// it.
fn take_title(content: &mut Document) -> Option<String> {
    use BlockKind::{Heading1, Heading2, Heading3};
    let is_heading = |block: &&Block| matches!(block.kind, Heading1 | Heading2 | Heading3);
    let heading = content.nodes.iter().find(is_heading)?;
    let title = Some(inline_text(heading.child_inlines())).filter(|text| !text.trim().is_empty())?;
    if content.nodes.first().as_ref().is_some_and(is_heading) {
        content.nodes.remove(0);
    }
    Some(title)
}

/// Returns midnight of a date such as `2026-01-31`, or of an RFC 3339 time, in the format of RSS.
fn published(date: &str) -> Option<String> {
    let date = Date::parse(date.get(..10)?, format_description!("[year]-[month]-[day]")).ok()?;
    PrimitiveDateTime::new(date, Time::MIDNIGHT).assume_utc().format(&Rfc2822).ok()
}

/// Returns the time of the last edit in the format of RSS.
fn changed(millis: i64) -> Option<String> {
    OffsetDateTime::from_unix_timestamp(millis.div_euclid(1_000)).ok()?.format(&Rfc2822).ok()
}

/// Returns references as absolute URLs, because a feed is read outside the site.
fn with_absolute_addresses(resolved: &Resolved, site: &str) -> Resolved {
    let mut resolved = resolved.clone();
    for target in resolved.targets.values_mut() {
        target.address = absolute(site, &target.address);
    }
    resolved
}
