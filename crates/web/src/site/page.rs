//! Pages of a site as HTML and as Markdown.

use maud::html;
use quire_markup::{ContentRef, Document, FrontMatter, RefPrinter, is_right_to_left, print_page};
use quire_render::{
    Highlighter, Options, Rendered, Resolved, Resolver as _, Words, render, render_api, summary,
};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

use super::feed::feed_link;
use super::links::absolute;
use super::load::PageParts;
use super::visit::Visit;
use crate::body::{Body, TEXT_POLICY};
use crate::reader::{Crumb, Node, Site, View, page};

const HTML: &str = "text/html; charset=utf-8";
/// Characters of a description that is made of the text of a page.
const DESCRIPTION: usize = 200;

/// Returns the content security policy of a page with frames of these origins.
fn policy<'h>(origins: impl Iterator<Item = &'h &'static str>) -> String {
    let frames: Vec<&str> = origins.copied().collect();
    let frames = if frames.is_empty() { "'none'".to_owned() } else { frames.join(" ") };
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: http:; \
         media-src 'self' https:; font-src 'self'; connect-src 'self'; frame-src {frames}; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    )
}

/// Writes a page as HTML. The second value is false for a page whose listings are not all colored.
pub(crate) fn to_html(visit: &Visit, parts: PageParts, highlighter: &Highlighter) -> (Body, bool) {
    let PageParts { mut site, page: node, layout, document, piece, resolved, cover, site_path, .. } = parts;
    site.is_right_to_left = is_right_to_left(&node.title);
    let options = Options { highlighter, words: &Words::ENGLISH, is_right_to_left: site.is_right_to_left };
    let mut rendered = match &piece {
        Some(piece) => render_api(piece, &resolved, &options),
        None => render(&document, &resolved, &options),
    };
    if !layout.outline {
        rendered.outline.clear();
    }
    let description = node.description.clone().filter(|text| !text.is_empty());
    let excerpt = Some(summary(&document, DESCRIPTION)).filter(|text| !text.is_empty());
    let social = visit.settings.social_preview.url.clone();
    let has_markdown = visit.settings.page_actions.markdown;
    let url = visit.url(&site_path);
    let has_pages = visit.settings.pagination.enabled && layout.pagination;
    let is_indexed = visit.is_listed() && !node.hidden && !node.no_robots_index;
    let structured = is_indexed.then(|| breadcrumbs(&url, &parts.crumbs, &node.title));
    let view = View {
        title: node.title.clone(),
        description: description.clone().filter(|_| layout.description && piece.is_none()),
        about: description.or(excerpt),
        emoji: node.emoji.clone(),
        icon: node.icon.clone(),
        cover: cover.clone().filter(|_| layout.cover),
        image: social.or_else(|| cover.map(|cover| absolute(&url, &cover))),
        canonical: Some(url),
        is_indexed,
        document: &rendered,
        shape: &|_| None,
        tree: if layout.table_of_contents { parts.tree } else { Vec::new() },
        crumbs: parts.crumbs,
        previous: parts.previous.filter(|_| has_pages),
        next: parts.next.filter(|_| has_pages),
        markdown: has_markdown.then(|| markdown_link(visit, &site_path)),
        pdf: None,
        edit: None,
        updated: node.updated_at.filter(|_| layout.metadata).and_then(updated),
        feed: feed_link(visit, &site_path, &document),
        structured,
    };
    let text = page(&site, &view).into_string();
    (Body::new(text, HTML, policy(rendered.frame_hosts.iter())), !rendered.is_hurried)
}

/// Returns the address of a page as Markdown. The first page has no path of its own.
pub(crate) fn markdown_link(visit: &Visit, site_path: &str) -> String {
    let site_path = if site_path.is_empty() { "/index" } else { site_path };
    format!("{}{site_path}.md", visit.prefix)
}

/// Returns the position of a page as structured data (schema.org/BreadcrumbList).
fn breadcrumbs(url: &str, crumbs: &[Crumb], title: &str) -> String {
    let above = crumbs.iter().map(|crumb| (crumb.title.as_str(), absolute(url, &crumb.href)));
    let items = above.chain([(title, url.to_owned())]).zip(1..).map(|((name, item), position)| {
        json!({"@type": "ListItem", "position": position, "name": name, "item": item})
    });
    let items: Vec<Value> = items.collect();
    json!({"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items}).to_string()
}

/// Time of a change, for machines and for people.
fn updated(millis: i64) -> Option<(String, String)> {
    let time = OffsetDateTime::from_unix_timestamp(millis.div_euclid(1_000)).ok()?;
    let words = time.format(format_description!("[month repr:long] [day padding:none], [year]")).ok()?;
    Some((time.format(&Rfc3339).ok()?, words))
}

/// References of a page as URLs.
struct Urls<'a> {
    site: &'a str,
    resolved: &'a Resolved,
}

impl RefPrinter for Urls<'_> {
    fn href(&self, reference: &ContentRef) -> String {
        match reference {
            ContentRef::Url { url } => url.clone(),
            _ => {
                let target = self.resolved.target(reference);
                target.map(|target| absolute(self.site, &target.address)).unwrap_or_default()
            }
        }
    }
}

/// Writes a page as Markdown.
pub(crate) fn to_markdown(visit: &Visit, parts: &PageParts) -> Body {
    Body::new(markdown_of(visit, parts), "text/markdown; charset=utf-8", TEXT_POLICY.to_owned())
}

/// Returns the Markdown of a page, with its front matter.
pub(crate) fn markdown_of(visit: &Visit, parts: &PageParts) -> String {
    let front_matter = FrontMatter { description: parts.page.description.clone(), ..FrontMatter::default() };
    markdown(visit, &front_matter, &parts.page.title, &parts.document, &parts.resolved)
}

/// Writes the Markdown of a page with absolute links.
pub(crate) fn markdown(
    visit: &Visit,
    front_matter: &FrontMatter,
    title: &str,
    document: &Document,
    resolved: &Resolved,
) -> String {
    print_page(front_matter, title, document, &Urls { site: &visit.url(""), resolved })
}

/// Writes a page of the site without a document: `title`, and `content` as its text.
pub(crate) fn plain(site: &Site, tree: Vec<Node>, title: &str, content: String) -> Body {
    let rendered = Rendered { html: content, ..Rendered::default() };
    let view = View {
        title: title.to_owned(),
        description: None,
        about: None,
        emoji: None,
        icon: None,
        cover: None,
        image: None,
        canonical: None,
        is_indexed: false,
        document: &rendered,
        shape: &|_| None,
        tree,
        crumbs: Vec::new(),
        previous: None,
        next: None,
        markdown: None,
        pdf: None,
        edit: None,
        updated: None,
        feed: None,
        structured: None,
    };
    Body::new(page(site, &view).into_string(), HTML, policy(std::iter::empty()))
}

/// Writes the page for a path without one.
pub(crate) fn missing(site: &Site, tree: Vec<Node>) -> Body {
    let content = html! {
        p { "There is no page at this address. It may have been moved or removed." }
        form.page-search role="search" aria-label="Search this site" action=(site.search) {
            input type="search" name="q" aria-label="Search" placeholder="Search this site" required;
            button type="submit" { "Search" }
        }
        p { a href=(site.home) { "Go to the first page" } }
    };
    plain(site, tree, "Page not found", content.into_string())
}
