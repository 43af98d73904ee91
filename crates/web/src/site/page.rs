//! Pages of a site as HTML and as Markdown.

use maud::html;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quire_domain::revisions::LayoutWidth;
use quire_domain::sites::SiteVisibility;
use quire_domain::sites::customization::{Customization, PageAction};
use quire_markup::{
    ContentRef, Document, FrontMatter, RefPrinter, is_right_to_left, language_from_right, plain_text,
    print_page,
};
use quire_render::{
    Highlighter, Options, Rendered, Resolved, Resolver as _, Words, render, render_api, summary,
};
use quire_server::{ApiError, ApiResult};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

use super::feed::feed_link;
use super::fonts;
use super::icons;
use super::links::absolute;
use super::load::PageParts;
use super::social::{self, Card};
use super::style;
use super::visit::Visit;
use crate::body::{Body, TEXT_POLICY};
use crate::reader::{Action, Crumb, Node, PageWords, Site, SocialImage, View, page};

const HTML: &str = "text/html; charset=utf-8";
/// AI assistants that can read web pages, with the URL prefix that starts a conversation.
const ASSISTANTS: [(&str, &str); 2] =
    [("ChatGPT", "https://chatgpt.com/?q="), ("Claude", "https://claude.ai/new?q=")];
/// Length of a description that is derived from a page's text, in characters.
const DESCRIPTION: usize = 200;

/// Returns the content security policy of a page with frames from these origins.
fn policy<'h>(visit: &Visit, origins: impl Iterator<Item = &'h &'static str>) -> String {
    let frames: Vec<&str> = origins.copied().collect();
    let frames = if frames.is_empty() { "'none'".to_owned() } else { frames.join(" ") };
    let mut fonts = vec!["'self'".to_owned()];
    if visit.site.site.customization.is_some() {
        // Only settings of the whole site define fonts.
        fonts.extend(fonts::origins(&visit.settings.styling));
    }
    let fonts = fonts.join(" ");
    let framed_by =
        visit.preview.as_ref().and_then(|preview| preview.framed_by.as_deref()).unwrap_or("'none'");
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: http:; \
         media-src 'self' https:; font-src {fonts}; connect-src 'self'; frame-src {frames}; base-uri 'none'; \
         form-action 'self'; frame-ancestors {framed_by}"
    )
}

/// Writes a page as HTML. The second value is false if some listings are not highlighted.
pub(crate) fn to_html(visit: &Visit, parts: PageParts, highlighter: &Highlighter) -> (Body, bool) {
    let PageParts {
        settings, mut site, page: node, layout, document, piece, resolved, cover, site_path, ..
    } = parts;
    let text = format!("{} {}", node.title, plain_text(&document));
    let words = Words::of(&site.language);
    if !site.is_right_to_left && is_right_to_left(&text) {
        site.is_right_to_left = true;
        site.language = language_from_right(&text).to_owned();
    }
    let options = Options {
        highlighter,
        words: &words,
        is_right_to_left: site.is_right_to_left,
        opens_tabs: site.opens_tabs,
        links_headings: layout.anchors,
        names_blocks: false,
    };
    let mut rendered = match &piece {
        Some(piece) => render_api(piece, &resolved, &options),
        None => render(&document, &resolved, &options),
    };
    if !layout.outline {
        rendered.outline.clear();
    }
    let description = node.description.clone().filter(|text| !text.is_empty());
    let excerpt = Some(summary(&document, DESCRIPTION)).filter(|text| !text.is_empty());
    let social = settings.social_preview.url.clone();
    let url = visit.url(&site_path);
    let actions = if layout.actions { actions(visit, &site.words, &site_path) } else { Vec::new() };
    let about = description.clone().or(excerpt);
    let own = |url: String| SocialImage { url, size: None };
    let image = social.map(own).or_else(|| {
        let card = card(visit, (&site.title, &settings), &node.title, about.as_deref())?;
        let version = version(&card.key());
        let url = format!("{}?v={version}", visit.url(&picture_path(&site_path)));
        Some(SocialImage { url, size: Some(social::SIZE) })
    });
    let image = image.or_else(|| cover.as_ref().map(|cover| own(absolute(&url, &cover.address))));
    let has_pages = settings.pagination.enabled && layout.pagination;
    let is_indexed = visit.is_listed() && !node.no_robots_index;
    let structured = is_indexed.then(|| breadcrumbs(&url, &parts.crumbs, &node.title));
    let view = View {
        title: node.title.clone(),
        shows_title: layout.title,
        is_wide: layout.width == LayoutWidth::Wide,
        description: description.clone().filter(|_| layout.description && piece.is_none()),
        about,
        emoji: node.emoji.clone(),
        icon: node.icon.clone(),
        cover: cover.clone().filter(|_| layout.cover),
        image,
        canonical: Some(url),
        is_indexed,
        document: &rendered,
        shape: &icons::shape,
        tree: if layout.table_of_contents { parts.tree } else { Vec::new() },
        crumbs: parts.crumbs,
        previous: parts.previous.filter(|_| has_pages),
        next: parts.next.filter(|_| has_pages),
        markdown: Some(markdown_link(visit, &site_path)),
        actions,
        alternates: parts.alternates,
        updated: node.updated_at.filter(|_| layout.metadata).and_then(|time| updated(time, &site.language)),
        feed: feed_link(visit, &site_path, &document),
        structured,
    };
    let text = page(&site, &view).into_string();
    (Body::new(text, HTML, policy(visit, rendered.frame_hosts.iter())), !rendered.is_hurried)
}

/// Returns the address of a page as Markdown. The first page has an empty path.
pub(crate) fn markdown_link(visit: &Visit, site_path: &str) -> String {
    let site_path = if site_path.is_empty() { "/index" } else { site_path };
    format!("{}{site_path}.md", visit.prefix)
}

/// Returns the address of the link preview picture of a page.
pub(crate) fn picture_link(visit: &Visit, site_path: &str) -> String {
    format!("{}{}", visit.prefix, picture_path(site_path))
}

fn picture_path(site_path: &str) -> String {
    let site_path = if site_path.is_empty() { "/index" } else { site_path };
    format!("/~quire/social{site_path}.png")
}

/// Returns the card of a page. `None` if it has none, or if link preview services cannot read the site.
fn card(
    visit: &Visit,
    (site, settings): (&str, &Customization),
    title: &str,
    about: Option<&str>,
) -> Option<Card> {
    let is_read = visit.site.site.visibility != SiteVisibility::VisitorAuth && visit.preview.is_none();
    let color = style::light_accent(&settings.styling);
    is_read.then(|| Card::new(title, site, about, color))?
}

/// Draws the link preview picture of a page.
pub(crate) fn picture(visit: &Visit, parts: &PageParts) -> ApiResult<Option<Body>> {
    let own = parts.page.description.clone().filter(|text| !text.is_empty());
    let about = own.or_else(|| Some(summary(&parts.document, DESCRIPTION)).filter(|text| !text.is_empty()));
    let of = (parts.site.title.as_str(), &parts.settings);
    let Some(card) = card(visit, of, &parts.page.title, about.as_deref()) else { return Ok(None) };
    let png = card.png().map_err(ApiError::internal)?;
    Ok(Some(Body::new(png, "image/png", TEXT_POLICY.to_owned())))
}

/// Returns a content hash for an address.
fn version(text: &str) -> String {
    Sha256::digest(text).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the ancestors of a page as structured data (schema.org/BreadcrumbList).
fn breadcrumbs(url: &str, crumbs: &[Crumb], title: &str) -> String {
    let above = crumbs.iter().map(|crumb| (crumb.title.as_str(), absolute(url, &crumb.href)));
    let items = above.chain([(title, url.to_owned())]).zip(1..).map(|((name, item), position)| {
        json!({"@type": "ListItem", "position": position, "name": name, "item": item})
    });
    let items: Vec<Value> = items.collect();
    json!({"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items}).to_string()
}

/// Returns the time of a change as RFC 3339 and formatted. Month names are English, so other languages use numbers.
fn updated(millis: i64, language: &str) -> Option<(String, String)> {
    let time = OffsetDateTime::from_unix_timestamp(millis.div_euclid(1_000)).ok()?;
    let words = if language.starts_with("en") {
        time.format(format_description!("[month repr:long] [day padding:none], [year]"))
    } else {
        time.format(format_description!("[year]-[month]-[day]"))
    };
    Some((time.format(&Rfc3339).ok()?, words.ok()?))
}

/// Returns the menu of a page. Entries that need a service that this server lacks are left out.
fn actions(visit: &Visit, words: &PageWords, site_path: &str) -> Vec<Action> {
    let settings = &visit.settings;
    let markdown = markdown_link(visit, site_path);
    let url = visit.url(site_path);
    let asked = format!("Read {} and answer my questions about it.", absolute(&url, &markdown));
    let asked = utf8_percent_encode(&asked, NON_ALPHANUMERIC).to_string();
    let is_open = visit.site.site.visibility.is_open();
    let mut actions = Vec::new();
    for item in &settings.page_actions.items {
        match item {
            PageAction::Markdown if settings.page_actions.markdown => {
                actions.push(Action::CopyAnswer(words.copy_page.to_owned(), markdown.clone()));
                actions.push(Action::Open(words.view_markdown.to_owned(), markdown.clone()));
            }
            // External assistants can read only pages that need no key or token.
            PageAction::ExternalAi if settings.page_actions.external_ai && is_open => {
                for (name, address) in ASSISTANTS {
                    let words = format!("{} {name}", words.open_in);
                    actions.push(Action::Open(words, format!("{address}{asked}")));
                }
            }
            PageAction::Pdf if settings.pdf.enabled => actions.push(Action::Print(words.print.to_owned())),
            PageAction::Mcp if settings.page_actions.mcp => {
                actions.push(Action::CopyText(words.copy_mcp.to_owned(), visit.url("/~quire/mcp")));
            }
            _ => {}
        }
    }
    actions
}

/// Printer of references as absolute URLs.
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

/// Writes a page of the site from a title and HTML content.
pub(crate) fn plain(visit: &Visit, site: &Site, tree: Vec<Node>, title: &str, content: String) -> Body {
    let rendered = Rendered { html: content, ..Rendered::default() };
    let view = View {
        title: title.to_owned(),
        shows_title: true,
        is_wide: false,
        description: None,
        about: None,
        emoji: None,
        icon: None,
        cover: None,
        image: None,
        canonical: None,
        is_indexed: false,
        document: &rendered,
        shape: &icons::shape,
        tree,
        crumbs: Vec::new(),
        previous: None,
        next: None,
        markdown: None,
        actions: Vec::new(),
        alternates: Vec::new(),
        updated: None,
        feed: None,
        structured: None,
    };
    Body::new(page(site, &view).into_string(), HTML, policy(visit, std::iter::empty()))
}

/// Writes the error page for a path without a page, or for content without pages.
pub(crate) fn missing(visit: &Visit, site: &Site, tree: Vec<Node>) -> Body {
    let words = &site.words;
    if tree.is_empty() {
        let content = html! { p { (words.comes_later) } };
        return plain(visit, site, tree, words.is_empty, content.into_string());
    }
    let content = html! {
        p { (words.is_absent) }
        form.page-search role="search" aria-label=(words.search_site) action=(site.search) {
            input type="search" name="q" aria-label=(words.search) placeholder=(words.search_site) required;
            button type="submit" { (words.search) }
        }
        p { a href=(visit.link("")) { (words.first_page) } }
    };
    plain(visit, site, tree, words.not_found, content.into_string())
}
