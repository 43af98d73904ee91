//! Published sites for visitors, from a request to its response.

mod claims;
mod code_theme;
mod cookies;
mod feed;
mod files;
mod fonts;
mod frame;
mod icons;
mod links;
mod load;
mod machine;
mod mcp;
mod nav;
mod page;
mod request;
mod search;
mod setting;
mod sitemap;
mod social;
mod style;
mod visit;

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::rt::time::timeout;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use quire_domain::error::Reason;
use quire_domain::sites::customization::Customization;
use quire_domain::sites::default_address;
use quire_server::files::respond_signed;
use quire_server::urls::base_path;
use quire_server::{ApiError, ApiResult};
use quire_storage::lookup::Credentials;
use quire_storage::sites::published::SiteAddress;
use quire_storage::{Reader, Storage};

use self::files::FEED;
pub(crate) use self::icons::shape;
pub(crate) use self::links::SpaceTree;
use self::load::Loaded;
pub(crate) use self::load::{Loader, find, is_blank, listed};
use self::request::{Found, SiteRequest, moved, prefers};
pub(crate) use self::request::{query, redirected, segments};
pub(crate) use self::search::{bounded, pieces};
pub(crate) use self::visit::Visit;
use crate::arrival::SiteHost;
use crate::bodies::Turn;
use crate::body::{Body, Encoding, Key, Made, not_modified, tag};
use crate::state::WebData;
use crate::{assets, errors};
use quire_content::redirects::RedirectTarget;

/// Path prefix of pictures for link previews.
const PICTURES: &str = "~quire/social/";
/// Path of the MCP server.
const MCP: &str = "~quire/mcp";
/// Path of the MCP server on sites migrated from GitBook, which clients may still use.
const FORMER_MCP: &str = "~gitbook/mcp";

/// Responds to a request below the default address of a site: `/sites/{organization}/{site}/…`.
pub(crate) async fn at_path(request: HttpRequest, web: WebData) -> HttpResponse {
    let Some(asked) = request_at_path(&request, &web) else { return errors::not_found() };
    answer(asked, &request, &web).await
}

/// Responds to a request to the host name of a site.
pub(crate) async fn at_host(request: HttpRequest, web: WebData) -> HttpResponse {
    let Some(asked) = request_at_host(&request) else { return errors::not_found() };
    answer(asked, &request, &web).await
}

/// Responds to a POST request below the default address of a site.
pub(crate) async fn message_at_path(
    request: HttpRequest,
    message: mcp::Message,
    web: WebData,
) -> HttpResponse {
    let Some(asked) = request_at_path(&request, &web) else { return errors::not_found() };
    answer_message(asked, &request, message, &web).await
}

/// Responds to a POST request to the host name of a site.
pub(crate) async fn message_at_host(
    request: HttpRequest,
    message: mcp::Message,
    web: WebData,
) -> HttpResponse {
    let Some(asked) = request_at_host(&request) else { return errors::not_found() };
    answer_message(asked, &request, message, &web).await
}

fn request_at_path(request: &HttpRequest, web: &WebData) -> Option<SiteRequest> {
    let parameter = |name| request.match_info().get(name).unwrap_or_default();
    let decoded = |text| Some(percent_decode_str(text).decode_utf8().ok()?.into_owned());
    let path = parameter("sitePath");
    // The root works with and without a trailing slash: programs that copy a folder need the slash to stay below it.
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    let (organization, name) = (decoded(parameter("organization"))?, decoded(name)?);
    let base = base_path(&web.state.settings.base_url);
    let prefix = format!("{base}/{}", default_address(&organization, &name));
    Some(SiteRequest { address: SiteAddress::Path(organization, name), prefix, path: rest.to_owned() })
}

fn request_at_host(request: &HttpRequest) -> Option<SiteRequest> {
    let SiteHost(host) = request.extensions().get::<SiteHost>().cloned()?;
    let path = request.match_info().get("sitePath").unwrap_or_default().to_owned();
    Some(SiteRequest { address: SiteAddress::Host(host), prefix: String::new(), path })
}

async fn answer(asked: SiteRequest, request: &HttpRequest, web: &WebData) -> HttpResponse {
    respond(asked, request, web).await.unwrap_or_else(|error| errors::failed(&error))
}

/// Responds to a message to the MCP server. All other paths are read-only.
async fn answer_message(
    asked: SiteRequest,
    request: &HttpRequest,
    message: mcp::Message,
    web: &WebData,
) -> HttpResponse {
    let is_service = |path: &str| [MCP, FORMER_MCP].contains(&path);
    if ![MCP, FORMER_MCP].iter().any(|service| asked.path.ends_with(service)) {
        return errors::read_only();
    }
    match asked.visit(request, web).await {
        Ok(Some(Found::Visit { visit, path, .. })) if is_service(&path) => {
            mcp::respond(request, message, web, visit).await
        }
        Ok(Some(Found::Redirect(response))) => response,
        Ok(_) => errors::not_found(),
        Err(error) => errors::failed(&error),
    }
}

async fn respond(asked: SiteRequest, request: &HttpRequest, web: &WebData) -> ApiResult<HttpResponse> {
    // Assets and files need no check of the visitor: their hashed names and signatures are sufficient.
    if let Some(name) = request::asset(&asked.path) {
        return Ok(assets::respond(request, name));
    }
    if let Some(file) = request::file(&asked.path) {
        return respond_signed(file, request::signature(request), request, &web.state).await;
    }
    match asked.visit(request, web).await? {
        None => Ok(errors::not_found()),
        Some(Found::Redirect(response)) => Ok(response),
        Some(Found::Visit { visit, path, cookie }) => {
            let mut response = on_site(request, web, visit, &path).await?;
            if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::try_from(cookie).ok()) {
                response.headers_mut().append(header::SET_COOKIE, cookie);
            }
            Ok(response)
        }
    }
}

/// Responds to a request for a site that the visitor may read. `path` is relative to its root.
async fn on_site(
    request: &HttpRequest,
    web: &WebData,
    visit: Arc<Visit>,
    path: &str,
) -> ApiResult<HttpResponse> {
    if let Some(name) = path.strip_prefix("~quire/style/") {
        return style::respond(&visit, name);
    }
    if let Some(name) = path.strip_prefix("~quire/favicon/") {
        let id = name.strip_suffix(".svg").unwrap_or_default();
        let Some(space) = visit.site.spaces.iter().find(|space| space.id.to_string() == id) else {
            return Ok(errors::not_found());
        };
        return Ok(favicon(request, &visit.settings_in(space)?));
    }
    match path {
        "~quire/search" => search::respond(request, web, visit).await,
        MCP | FORMER_MCP => Ok(errors::message_only()),
        "~gitbook/pdf" => printed(request, web, visit).await,
        "robots.txt" => Ok(machine::robots(&visit).coded(Encoding::of(request)).respond(
            StatusCode::OK,
            None,
            visit.caching(),
        )),
        "~quire/favicon.svg" => Ok(favicon(request, &visit.settings)),
        "sitemap.xml" | "sitemap-pages.xml" => {
            of_site(request, web, visit, "sitemap", |loader| loader.sitemap().map(Some)).await
        }
        "llms.txt" => of_site(request, web, visit, "llms", |loader| loader.llms().map(Some)).await,
        "llms-full.txt" => {
            of_site(request, web, visit, "llms-full", |loader| loader.llms_full().map(Some)).await
        }
        _ => match files::file_number(path) {
            Some(number) => {
                of_site(request, web, visit, path, move |loader| loader.sitemap_file(number)).await
            }
            None => document(request, web, visit, path).await,
        },
    }
}

/// Redirects a link to a print view to its page, or to the first page. Browsers print the pages themselves.
async fn printed(request: &HttpRequest, web: &WebData, visit: Arc<Visit>) -> ApiResult<HttpResponse> {
    let page = request::parameter(request, "page").and_then(|id| id.parse().ok());
    let (shared, visited) = (web.clone(), Arc::clone(&visit));
    let look = move |reader: &mut Reader<'_>| {
        let Some(page) = page else { return Ok(None) };
        let (expansions, signer) = (&shared.expansions, &shared.state.signer);
        Loader { reader, visit: &visited, expansions, signer }.site_path_of_page(page)
    };
    let site_path = web.state.read(Credentials::ANONYMOUS, look).await?;
    Ok(redirected(&visit.link(&site_path.unwrap_or_default())))
}

/// Responds with the icon of a site or site space whose favicon is an emoji.
fn favicon(request: &HttpRequest, settings: &Customization) -> HttpResponse {
    match machine::favicon(settings) {
        Some(icon) => {
            icon.coded(Encoding::of(request)).respond(StatusCode::OK, None, "private, max-age=3600")
        }
        None => errors::not_found(),
    }
}

/// Cached body of a key, or the permit to make it.
enum CachedBody {
    Body(Body),
    Missing(Turn),
}

/// Looks up the body of a key. Waits while another request makes it.
async fn cached_body(web: &WebData, key: Key, encoding: Encoding) -> ApiResult<CachedBody> {
    let mut turn = None;
    loop {
        if let Some(body) = web.bodies.get(&key, encoding) {
            return recoded(web, key, body, encoding).await.map(CachedBody::Body);
        }
        if let Some(turn) = turn {
            return Ok(CachedBody::Missing(turn));
        }
        let wait = timeout(web.state.settings.wait, web.bodies.turn(key));
        turn = Some(wait.await.map_err(|_| ApiError::new(Reason::Unavailable))?);
    }
}

/// Converts a cached body to the coding of a response, on another thread if it is long.
async fn recoded(web: &WebData, key: Key, body: Body, encoding: Encoding) -> ApiResult<Body> {
    if body.encoding == encoding {
        return Ok(body);
    }
    let body = match body.is_long() {
        false => body.coded(encoding),
        true => web.state.compute(move |_: &Storage| Ok::<_, ApiError>(body.coded(encoding))).await?,
    };
    if encoding != Encoding::Identity {
        web.bodies.keep(key, &body);
    }
    Ok(body)
}

/// Responds with a file about the whole site, from the cache if possible, and with 404 if the site has no such file.
async fn of_site(
    request: &HttpRequest,
    web: &WebData,
    visit: Arc<Visit>,
    name: &str,
    make: impl Fn(Loader<'_, '_>) -> ApiResult<Option<Body>> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let key = visit.key(web.state.settings.base_url.as_str(), &[name]);
    let (tag, caching) = (tag(&key), visit.caching());
    if let Some(response) = not_modified(request, &tag, caching) {
        return Ok(response);
    }
    let encoding = Encoding::of(request);
    let _turn = match cached_body(web, key, encoding).await? {
        CachedBody::Body(body) => return Ok(body.respond(StatusCode::OK, Some(&tag), caching)),
        CachedBody::Missing(turn) => turn,
    };
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let (expansions, signer) = (&shared.expansions, &shared.state.signer);
        make(Loader { reader, visit: &visit, expansions, signer })
    };
    let Some(body) = web.state.read(Credentials::ANONYMOUS, load).await? else {
        return Ok(errors::not_found());
    };
    let made = move |_: &Storage| Ok::<_, ApiError>(body.made(encoding));
    let Made { answer, kept } = web.state.compute(made).await?;
    web.bodies.keep(key, &kept);
    Ok(answer.respond(StatusCode::OK, Some(&tag), caching))
}

/// Form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Html,
    Markdown,
    /// Feed of updates.
    Feed,
    /// Picture for link previews.
    Picture,
}

impl Form {
    /// Removes the suffix of a path that selects a form.
    fn of<'p>(request: &HttpRequest, path: &'p str) -> (&'p str, Self) {
        if let Some(page) = path.strip_suffix(FEED).filter(|page| page.is_empty() || page.ends_with('/')) {
            return (page.trim_end_matches('/'), Self::Feed);
        }
        if let Some(page) = path.strip_prefix(PICTURES).and_then(|page| page.strip_suffix(".png")) {
            return (if page == "index" { "" } else { page }, Self::Picture);
        }
        match path.strip_suffix(".md") {
            Some("index") => ("", Self::Markdown),
            Some(path) => (path, Self::Markdown),
            None if prefers(request, "text/markdown", "text/html") => (path, Self::Markdown),
            None => (path, Self::Html),
        }
    }

    /// Returns the coding of the response. The format of pictures is compressed already.
    fn encoding(self, request: &HttpRequest) -> Encoding {
        if self == Self::Picture { Encoding::Identity } else { Encoding::of(request) }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Feed => "feed",
            Self::Picture => "picture",
        }
    }
}

/// Responds with a page. For a cached page, only the site is looked up.
async fn document(
    request: &HttpRequest,
    web: &WebData,
    visit: Arc<Visit>,
    path: &str,
) -> ApiResult<HttpResponse> {
    let (path, form) = Form::of(request, path);
    if let Some(query) = request::asked_words(request).filter(|_| form == Form::Html) {
        // Without its script, a search or ask button of a page sends the query this way.
        let query = utf8_percent_encode(&query, NON_ALPHANUMERIC);
        return Ok(request::see_other(&format!("{}?q={query}", visit.service("search"))));
    }
    let writing = format!("{} {}", env!("CARGO_PKG_VERSION"), web.state.settings.base_url);
    let key = visit.key(&writing, &[form.name(), path]);
    let (tag, caching) = (tag(&key), visit.caching());
    let encoding = form.encoding(request);
    let _turn = match cached_body(web, key, encoding).await? {
        CachedBody::Body(body) => {
            let unchanged = not_modified(request, &tag, caching);
            return Ok(unchanged.unwrap_or_else(|| body.respond(StatusCode::OK, Some(&tag), caching)));
        }
        CachedBody::Missing(turn) => turn,
    };
    let Some(segments) = segments(path) else { return Ok(errors::not_found()) };
    let is_tidy = path.is_empty() || path.split('/').all(|segment| !segment.is_empty());
    let (shared, visited) = (web.clone(), Arc::clone(&visit));
    let load = move |reader: &mut Reader<'_>| {
        let (expansions, signer) = (&shared.expansions, &shared.state.signer);
        Loader { reader, visit: &visited, expansions, signer }.page(&segments, form == Form::Html)
    };
    match web.state.read(Credentials::ANONYMOUS, load).await? {
        None => Ok(errors::not_found()),
        Some(Loaded::Moved(site_path)) => Ok(moved(&address(&visit, &site_path, form))),
        Some(Loaded::Redirected { target, permanent }) => {
            let link = match target {
                RedirectTarget::SitePath(site_path) => address(&visit, &site_path, form),
                RedirectTarget::Url(url) => url,
            };
            Ok(if permanent { moved(&link) } else { redirected(&link) })
        }
        // List of pages on sites migrated from GitBook.
        Some(Loaded::Missing(..)) if form == Form::Markdown && path == "sitemap" => {
            Ok(moved(&visit.link("/llms.txt")))
        }
        Some(Loaded::Missing(site, tree)) => {
            let visited = Arc::clone(&visit);
            let write = move |_: &Storage| Ok(page::missing(&visited, &site, tree).coded(encoding));
            let body = web.state.compute(write).await?;
            Ok(body.respond(StatusCode::NOT_FOUND, None, "private, no-cache"))
        }
        Some(Loaded::Page(parts)) if !is_tidy => Ok(moved(&address(&visit, &parts.site_path, form))),
        Some(Loaded::Page(parts)) => {
            let (shared, visited) = (web.clone(), Arc::clone(&visit));
            let write = move |_: &Storage| {
                let made = match form {
                    Form::Html => Some(page::to_html(&visited, *parts, &shared.highlighter)),
                    Form::Markdown => Some((page::to_markdown(&visited, &parts), true)),
                    Form::Feed => feed::feed(&visited, &parts, &shared.highlighter).map(|body| (body, true)),
                    Form::Picture => page::picture(&visited, &parts)?.map(|body| (body, true)),
                };
                Ok::<_, ApiError>(made.map(|(body, is_whole)| (body.made(encoding), is_whole)))
            };
            let Some((Made { answer: body, kept }, is_whole)) = web.state.compute(write).await? else {
                return Ok(errors::not_found());
            };
            if !is_whole {
                return Ok(body.respond(StatusCode::OK, None, "private, no-cache"));
            }
            web.bodies.keep(key, &kept);
            let unchanged = not_modified(request, &tag, caching);
            Ok(unchanged.unwrap_or_else(|| body.respond(StatusCode::OK, Some(&tag), caching)))
        }
    }
}

/// Returns the address of a page in a form.
fn address(visit: &Visit, site_path: &str, form: Form) -> String {
    match form {
        Form::Html => visit.link(site_path),
        Form::Markdown => page::markdown_link(visit, site_path),
        Form::Feed => format!("{}{site_path}/rss.xml", visit.prefix),
        Form::Picture => page::picture_link(visit, site_path),
    }
}
