//! Search of an organization with a page of results.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quire_domain::ids::OrganizationId;
use quire_server::{ApiError, ApiResult, when_indexed};
use quire_storage::Reader;
use quire_storage::content::search::{SearchHit, SearchProgress, Searched, SpaceSearchHit, SpaceSearchKey};
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;

use super::directory::{Current, Directory};
use super::requests::{next, parameter, position};
use super::shell::{Crumb, Frame, Page, counted};
use super::space::see_other;
use super::tree::ContentAddress;
use crate::site::{bounded, pieces};
use crate::state::WebData;

/// Spaces per page of results.
const MOST: u16 = 20;

/// Redirects to the search of the caller's newest organization.
pub(super) async fn of_caller(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
) -> ApiResult<HttpResponse> {
    let load = |reader: &mut Reader<'_>| {
        reader.actor()?;
        Ok(reader.organizations(None, 1)?.items.first().map(|found| found.id))
    };
    let id = web.state.read(caller, load).await?.ok_or_else(ApiError::not_found)?;
    let query = parameter(request, "query").unwrap_or_default();
    let query = utf8_percent_encode(&query, NON_ALPHANUMERIC);
    let base = quire_server::urls::base_path(web.state.urls.base());
    Ok(see_other(&format!("{base}/o/{id}/search?query={query}")))
}

/// Responds to `/o/{organizationId}/search`.
pub(super) async fn of_organization(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let query = bounded(&parameter(request, "query").unwrap_or_default());
    let list = format!("search of {id} for {query}");
    let after: Option<SpaceSearchKey> = position(request, &list)?;
    let (directory, found, progress) = when_indexed(|| async {
        let (shared, query) = (web.clone(), query.clone());
        let search = move |reader: &mut Reader<'_>| {
            let directory = Directory::load(reader, &shared, id, None)?;
            if query.is_empty() {
                return Ok((directory, None, None));
            }
            let Searched { found, progress } =
                reader.search_organization(&directory.organization, &query, after, MOST)?;
            Ok((directory, Some(found), progress))
        };
        web.state.search(caller, search).await
    })
    .await?;
    let more = found.as_ref().map(|found| next(found, &list, |hit| hit.key)).transpose()?.flatten();
    let frame = &directory.frame;
    let address = frame.at(&format!("/o/{id}/search"));
    let main = html! {
        main.home id="workspace:content" {
            h1 { "Search" }
            form.search-form role="search" aria-label="Search" action=(address) {
                input type="search" name="query" value=(query) aria-label="Search" placeholder="Search all pages" required;
                button.btn type="submit" { "Search" }
            }
            @if let Some(found) = &found { (results(frame, found, progress.as_ref())) }
            @if let Some(more) = more {
                p.pager { a.btn href={ (address) "?query=" (utf8_percent_encode(&query, NON_ALPHANUMERIC)) "&page=" (more) } { "More results" } }
            }
        }
    };
    let page = Page {
        title: "Search".to_owned(),
        crumbs: vec![Crumb { title: "Home".to_owned(), href: frame.home() }],
        nav_label: "Organization",
        nav: directory.nav(Current::Search),
        main,
        ..Page::default()
    };
    Ok(frame.respond(&page))
}

fn results(frame: &Frame, found: &Slice<SpaceSearchHit>, progress: Option<&SearchProgress>) -> Markup {
    html! {
        @if progress.is_some() { p.note { "The index is being built. There may be more results in a moment." } }
        p.muted role="status" { "Found in " (counted(found.total, "space", "spaces")) }
        @for space in &found.items {
            h2 { (space.title) }
            ul.list { @for hit in &space.pages { (result(frame, space, hit)) } }
        }
        @if found.items.is_empty() { div.empty { p { b { "No results" } } p { "Try other words, or fewer." } } }
    }
}

fn result(frame: &Frame, space: &SpaceSearchHit, hit: &SearchHit) -> Markup {
    let place =
        ContentAddress { prefix: frame.prefix.clone(), space: space.key.space, change: None, revision: None };
    let section = hit.sections.first();
    let anchor = section.and_then(|section| section.anchor.as_ref());
    let href = place.at(&hit.path);
    let href = anchor.map_or_else(|| href.clone(), |anchor| format!("{href}#{anchor}"));
    html! {
        li {
            (frame.icon("file-text", "draft"))
            a.t href=(href) {
                (hit.title) " "
                @if !hit.ancestors.is_empty() { span { (hit.ancestors.join(" › ")) } }
            }
            @if let Some(section) = section {
                span.d {
                    @if let Some(heading) = &section.heading { b { (heading) } ": " }
                    @for (text, is_marked) in pieces(&section.excerpt) {
                        @if is_marked { mark { (text) } } @else { (text) }
                    }
                }
            } @else if !hit.description.is_empty() { span.d { (hit.description) } }
        }
    }
}
