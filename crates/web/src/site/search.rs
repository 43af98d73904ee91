//! Search of a site: results for the dialog, and a page of results for browsers without JavaScript.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use percent_encoding::percent_decode_str;
use quire_content::visible::visible_sections;
use quire_domain::localized::in_language;
use quire_server::{ApiError, ApiResult, UrlSigner, when_indexed, with_progress};
use quire_storage::content::search::{Excerpt, SearchHit, SearchProgress, Searched, SearchedSection};
use quire_storage::lookup::{Authorized, Credentials};
use quire_storage::sites::published::PublishedContent;
use quire_storage::{Reader, Storage};
use serde::{Serialize, Serializer};

use super::frame::frame;
use super::links::{Links, site_path_of};
use super::load::{Claims, Loader};
use super::page;
use super::request::prefers;
use super::visit::Visit;
use crate::body::{Body, Encoding, VARIES_BY_FORM};
use crate::state::WebData;

/// Maximum length of a query in characters. The rest is ignored.
const MAX_QUERY: usize = 512;
/// Maximum number of pages in a response.
const MOST: u16 = 20;

/// Search results.
#[derive(Debug, Default, Serialize)]
pub(super) struct Found {
    pub(super) hits: Vec<FoundPage>,
    /// Progress of the index while it lacks pages that may match.
    #[serde(rename = "isIncomplete", serialize_with = "is_some")]
    pub(super) progress: Option<SearchProgress>,
}

fn is_some<S: Serializer>(progress: &Option<SearchProgress>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(progress.is_some())
}

/// Page in the results.
#[derive(Debug, Serialize)]
pub(super) struct FoundPage {
    pub(super) title: String,
    pub(super) href: String,
    /// Titles of the section, the space and the ancestors.
    crumbs: Vec<String>,
    pub(super) sections: Vec<FoundSection>,
}

/// Section of a page in the results.
#[derive(Debug, Serialize)]
pub(super) struct FoundSection {
    pub(super) title: Option<String>,
    pub(super) href: String,
    /// Text around the match in pieces. True for pieces that match.
    pub(super) text: Vec<(String, bool)>,
}

/// Splits an excerpt at its marks, whose positions count characters.
pub(crate) fn pieces(Excerpt { text, marks }: &Excerpt) -> Vec<(String, bool)> {
    let mut pieces: Vec<(String, bool)> = Vec::new();
    for (index, character) in text.chars().enumerate() {
        let is_marked = marks.iter().any(|mark: &Range<usize>| mark.contains(&index));
        match pieces.last_mut() {
            Some((piece, marked)) if *marked == is_marked => piece.push(character),
            _ => pieces.push((character.to_string(), is_marked)),
        }
    }
    pieces
}

/// Returns the query of a request, cut to its maximum length.
fn query(request: &HttpRequest) -> String {
    let pairs = request.query_string().split('&').filter_map(|pair| pair.split_once('='));
    let value = pairs.filter(|(name, _)| *name == "q").map(|(_, value)| value.replace('+', " ")).next();
    let value = value.unwrap_or_default();
    bounded(&percent_decode_str(&value).decode_utf8_lossy())
}

/// Returns a query text, cut to its maximum length.
pub(crate) fn bounded(text: &str) -> String {
    text.chars().filter(|character| *character != '\0').take(MAX_QUERY).collect::<String>().trim().to_owned()
}

impl Loader<'_, '_> {
    fn search(mut self, query: &str) -> ApiResult<Found> {
        let visit = self.visit;
        let contents: Vec<_> = visit
            .searched_spaces()
            .iter()
            .map(|space| visit.site.content(space))
            .collect::<Result<_, _>>()?;
        let claims = Claims::of(visit);
        let visible = |reader: &mut Reader<'_>, content: &Authorized<PublishedContent>, id| {
            Ok(visible_sections(&reader.document(content, id)?, &claims))
        };
        let Searched { found: hits, progress } =
            self.reader.search_site(&visit.site, &contents, query, MOST, &visible)?;
        let mut found = Found { hits: Vec::new(), progress };
        for (id, hit) in hits {
            let Some(space) = visit.site.spaces.iter().find(|space| space.space == id) else { continue };
            let (_, tree, _) = self.tree(space)?;
            let Some(node) = tree.page(hit.key.page) else { continue };
            let above: Vec<_> = tree.ancestors(node.id).collect();
            let Some(site_path) = site_path_of(visit, space, &tree, node) else { continue };
            let mut crumbs: Vec<String> = above.iter().rev().map(|page| page.title.clone()).collect();
            let section = visit.section_of(space).filter(|_| visit.site.sections.len() > 1);
            if let Some(section) = section {
                let title = in_language(&section.title, section.localized_title.as_ref(), space.language);
                crumbs.insert(0, title.to_owned());
            }
            found.hits.push(one(hit, visit.link(&site_path), crumbs));
        }
        Ok(found)
    }
}

fn one(hit: SearchHit, href: String, crumbs: Vec<String>) -> FoundPage {
    let section = |SearchedSection { anchor, heading, excerpt }: SearchedSection| FoundSection {
        href: anchor.map_or_else(|| href.clone(), |anchor| format!("{href}#{anchor}")),
        text: pieces(&excerpt),
        title: heading,
    };
    let sections = hit.sections.into_iter().map(section).collect();
    FoundPage { title: hit.title, crumbs, sections, href }
}

/// Searches the site.
pub(super) async fn found(web: &WebData, visit: &Arc<Visit>, query: &str) -> ApiResult<Found> {
    if query.is_empty() {
        return Ok(Found::default());
    }
    when_indexed(|| {
        let (visit, shared, text) = (Arc::clone(visit), web.clone(), query.to_owned());
        let look = move |reader: &mut Reader<'_>| {
            let (expansions, signer) = (&shared.expansions, &shared.state.signer);
            Loader { reader, visit: &visit, expansions, signer }.search(&text)
        };
        web.state.search(Credentials::ANONYMOUS, look)
    })
    .await
}

/// Responds to a search with JSON, or with a page if a browser navigates to it.
pub(crate) async fn respond(
    request: &HttpRequest,
    web: &WebData,
    visit: Arc<Visit>,
) -> ApiResult<HttpResponse> {
    let query = query(request);
    let found = found(web, &visit, &query).await?;
    if !prefers(request, "text/html", "application/json") {
        let json = serde_json::to_string(&found).map_err(ApiError::internal)?;
        let response = HttpResponse::Ok()
            .insert_header((header::CACHE_CONTROL, "private, no-cache"))
            .insert_header((header::VARY, VARIES_BY_FORM))
            .content_type("application/json")
            .body(json);
        return with_progress(response, found.progress);
    }
    let progress = found.progress;
    let (shared, encoding) = (web.clone(), Encoding::of(request));
    let write = move |_: &Storage| {
        let body = results(&visit, &shared.state.signer, &query, &found)?;
        Ok::<_, ApiError>(body.map(|body| body.coded(encoding)))
    };
    let body = web.state.compute(write).await?.ok_or_else(ApiError::not_found)?;
    with_progress(body.respond(StatusCode::OK, None, "private, no-cache"), progress)
}

/// Writes the page of results. Returns `None` for a site without spaces.
fn results(visit: &Visit, signer: &UrlSigner, query: &str, found: &Found) -> ApiResult<Option<Body>> {
    let Some(space) = visit.site.spaces.first() else { return Ok(None) };
    let trees = HashMap::new();
    let links = Links { visit, signer, space, trees: &trees };
    let site = frame(visit, space, &visit.settings_in(space)?, &links);
    let words = &site.words;
    let content = html! {
        form.page-search role="search" aria-label=(words.search_site) action=(site.search) {
            input type="search" name="q" value=(query) aria-label=(words.search) required;
            button type="submit" { (words.search) }
        }
        @if found.progress.is_some() { p role="status" { (words.incomplete) } }
        @if found.hits.is_empty() { p { (words.nothing) } }
        @for hit in &found.hits {
            h2 { a href=(hit.href) { (hit.title) } }
            @for section in &hit.sections {
                p {
                    @if let Some(title) = &section.title { a href=(section.href) { (title) } ": " }
                    @for (text, is_marked) in &section.text { @if *is_marked { mark { (text) } } @else { (text) } }
                }
            }
        }
    };
    Ok(Some(page::plain(visit, &site, Vec::new(), words.search, content.into_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_cut_at_their_marks() {
        let excerpt = Excerpt { text: "…größe ändern".to_owned(), marks: vec![1..6, 7..8] };
        let pieces = pieces(&excerpt);
        let texts: Vec<_> = pieces.iter().map(|(text, marked)| (text.as_str(), *marked)).collect();
        assert_eq!(texts, [("…", false), ("größe", true), (" ", false), ("ä", true), ("ndern", false)]);
    }
}
