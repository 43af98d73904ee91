//! Parsing of requests to a site: its address, the key of a share link, the visitor token, and the path below its root.

use std::sync::Arc;

use actix_web::http::header::{self, Quality};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use quire_conditions::{ClaimSource, visitor_claims};
use quire_domain::ids::SpaceId;
use quire_domain::sites::SiteVisibility;
use quire_domain::sites::customization::overridden;
use quire_domain::urls::sign_in_url;
use quire_server::files::SignedQuery;
use quire_server::urls::base_path;
use quire_server::{ApiError, ApiResult, jwt, preview};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::sites::published::{FoundSite, PublishedSite, ShareKeyHash, SiteAddress, SiteKey};
use serde_json::{Map, Value, json};

use super::claims::Unsigned;
use super::cookies::cookie;
use super::files::PAGES;
use super::visit::{Previewed, Visit, Visitor, prefix};
use crate::assets::FOLDER;
use crate::errors;
use crate::hosts::origin;
use crate::state::WebData;

/// Length of the key of a share link.
const KEY_LENGTH: usize = 40;
/// Maximum number of path segments, more than the depth of a tree of pages.
const MOST_SEGMENTS: usize = 64;
/// Cookie in which the site stores a visitor token.
const COOKIE: &str = "quire-visitor";
/// Cookie with a visitor token from the sign-in service, on a domain that it shares with the site.
const FOREIGN_COOKIE: &str = "gitbook-visitor-token";
/// Characters that are escaped in the path of a redirect.
const ESCAPED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'?').add(b'\\').add(b'^').add(b'`');
/// Characters that are escaped in the query of a redirect.
const ESCAPED_IN_QUERY: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'\\');
/// Path that ends the session of a visitor.
pub(crate) const LOGOUT: &str = "~quire/logout";
/// Maximum length of a visitor token.
const MAX_TOKEN: usize = 8 << 10;

/// Request to a site.
pub(crate) struct SiteRequest {
    /// Address of the site.
    pub(crate) address: SiteAddress,
    /// Path of the site's root as in the request.
    pub(crate) prefix: String,
    /// Path below the root, including the key of a share link.
    pub(crate) path: String,
}

/// Result of the lookup of a site.
pub(crate) enum Found {
    /// Visit of the site with the path below its root, and a cookie to set.
    Visit { visit: Arc<Visit>, path: String, cookie: Option<String> },
    /// Redirect to the canonical address.
    Redirect(HttpResponse),
}

/// Visitor token of a request.
enum VisitorToken {
    /// Token from the sign-in service in this request, either in the address or in the service's cookie.
    Sent(String),
    /// Token that an earlier request stored in the site's cookie.
    Kept(String),
}

impl VisitorToken {
    fn text(&self) -> &str {
        match self {
            Self::Sent(token) | Self::Kept(token) => token,
        }
    }
}

impl SiteRequest {
    /// Looks up the site for this visitor. Sends one statement, and another for a visitor token with claims or for a
    /// preview.
    pub(crate) async fn visit(self, request: &HttpRequest, web: &WebData) -> ApiResult<Option<Found>> {
        let (key, below) = split_key(&self.path);
        if let Some(segment) = key.filter(|segment| preview::is_segment(segment)) {
            return self.preview(segment, below, web).await;
        }
        if let Some(shared) = parameter(request, "shareKey").filter(|key| is_key(key)) {
            let link = location(&format!("{}/{shared}", self.prefix), below);
            let link = format!("{link}{}", query_without(request, "shareKey"));
            return Ok(Some(Found::Redirect(see_other(&link))));
        }
        let given = parameter(request, "jwt_token");
        let tokens = match &given {
            Some(token) => vec![VisitorToken::Sent(token.clone())],
            None => {
                let kept = cookie(request, COOKIE).map(VisitorToken::Kept);
                kept.into_iter().chain(cookie(request, FOREIGN_COOKIE).map(VisitorToken::Sent)).collect()
            }
        };
        let site_key = SiteKey { address: self.address.clone(), share_key: key.map(ShareKeyHash::of) };
        let Some(found) = web.state.published_site(site_key).await? else { return Ok(None) };
        let (mut signed, mut refusal) = (None, None);
        for token in &tokens {
            match verified(&found, token.text(), web) {
                Ok(claims) => {
                    signed = Some(claims);
                    break;
                }
                Err(problem) if matches!(token, VisitorToken::Sent(_)) => refusal = Some(problem),
                Err(_) => {}
            }
        }
        let is_vouched = signed.is_some();
        let fallback = found.fallback_url().map(str::to_owned);
        let Some(site) = found.open(is_vouched) else {
            let answer = fallback.and_then(|url| self.signs_in(&url, refusal, web));
            return Ok(answer.map(Found::Redirect));
        };
        let claims = signed.unwrap_or_default();
        let reads_claims = site.site.adaptive_content == Some(true);
        let unsigned = if reads_claims { Unsigned::of(request) } else { Unsigned::default() };
        let claims = claims_of(&site, claims, &unsigned, web).await?;
        let is_shared = site.has_key && site.site.visibility == SiteVisibility::ShareLink;
        let key = key.filter(|_| is_shared);
        let path = if is_shared { below } else { self.path.as_str() }.to_owned();
        let mut root = self.root(&site, web);
        let is_at_path = matches!(self.address, SiteAddress::Path(..)) && site.site.proxy_origin.is_none();
        let asked_root = if is_at_path { &root } else { &self.prefix };
        if given.is_some() {
            let cookie = is_vouched.then(|| set_cookie(asked_root, given.as_deref(), web));
            let link = location(asked_root, &self.path) + &query_without(request, "jwt_token");
            return Ok(Some(Found::Redirect(see_other_with(&link, cookie))));
        }
        if is_at_path && root != self.prefix {
            // The address has the id of the site or a former name.
            let link = location(&root, &self.path) + &query(request);
            return Ok(Some(Found::Redirect(moved(&link))));
        }
        if let Some(key) = key {
            root = format!("{root}/{key}");
        }
        if path == LOGOUT {
            let link = site.visitor_auth.logout_url.clone().unwrap_or_else(|| location(&root, ""));
            return Ok(Some(Found::Redirect(see_other_with(
                &link,
                Some(set_cookie(&self.prefix, None, web)),
            ))));
        }
        let visitor = Visitor { claims, is_vouched };
        let visit = Visit::new(site, root, &web.state.urls, key, visitor, None);
        let is_https = web.state.settings.base_url.starts_with("https://");
        let cookie = unsigned.set_cookie(&self.prefix, is_https).filter(|_| reads_claims);
        Ok(Some(Found::Visit { visit: Arc::new(visit), path, cookie }))
    }

    /// Looks up the site of a preview for the user who created it. Sends two statements.
    async fn preview(&self, segment: &str, below: &str, web: &WebData) -> ApiResult<Option<Found>> {
        let now = web.state.storage.clock().now();
        let Some(preview) = preview::read(&web.state.signer, segment, now) else {
            return Ok(Some(Found::Redirect(errors::expired())));
        };
        let address = self.address.clone();
        let (ends, is_framed) = (preview.ends, preview.look.is_some());
        let look = move |reader: &mut Reader<'_>| {
            let found = reader.find_site_for(&address, preview.user)?;
            let Some(mut site) = found.and_then(FoundSite::open_preview) else { return Ok(None) };
            if site.site.id != preview.site {
                return Ok(None);
            }
            if let Some(look) = &preview.look {
                show_as(&mut site, look)?;
            }
            let Some((space, state)) = preview.state else { return Ok(Some((site, None))) };
            let place = site.spaces.iter().find(|place| place.space == space).cloned();
            let Some(published) = place else { return Ok(None) };
            let content = reader.previewed((site.site.organization, space), state.into(), preview.user)?;
            site.show_at(&content);
            Ok(Some((site, Some((content, published)))))
        };
        let Some((site, state)) = web.state.read(Credentials::ANONYMOUS, look).await? else {
            return Ok(None);
        };
        let root = format!("{}/{segment}", self.root(&site, web));
        let framed_by = is_framed.then(|| origin(&web.state.settings.base_url)).flatten();
        let change_request = state.as_ref().and_then(|(content, _)| {
            let (number, _) = content.change_request.as_ref()?;
            let base = web.state.settings.base_url.trim_end_matches('/');
            Some(format!("{base}/s/{}/~/changes/{number}", content.space))
        });
        let shown = Previewed { state, ends, change_request, framed_by };
        let visitor = Visitor { claims: json!({}), is_vouched: false };
        let visit = Visit::new(site, root, &web.state.urls, Some(segment), visitor, Some(shown));
        Ok(Some(Found::Visit { visit: Arc::new(visit), path: below.to_owned(), cookie: None }))
    }

    /// Redirects a visitor without a valid token to the sign-in service, which receives the requested path and
    /// redirects back to it with a token. If the service's own token was refused, shows the reason instead, because the
    /// service would send the same token again. Service paths of the site, which users do not open, are 404.
    fn signs_in(&self, url: &str, refusal: Option<&str>, web: &WebData) -> Option<HttpResponse> {
        if self.path.starts_with("~quire/") && !self.path.starts_with(PAGES) {
            return None;
        }
        let url = sign_in_url(url, &location("", &self.path))?;
        Some(match refusal {
            Some(problem) => errors::not_signed_in(problem, &url, &set_cookie(&self.prefix, None, web)),
            None => see_other(&url),
        })
    }

    /// Returns the path of the site's root for links.
    fn root(&self, site: &PublishedSite, web: &WebData) -> String {
        match self.address {
            SiteAddress::Host(_) if site.site.proxy_origin.is_none() => String::new(),
            _ => prefix(site, &base_path(&web.state.settings.base_url)),
        }
    }
}

/// Applies the settings of a preview to a site.
fn show_as(site: &mut Arc<PublishedSite>, look: &str) -> ApiResult<()> {
    let changes: Map<String, Value> = serde_json::from_str(look).map_err(ApiError::internal)?;
    let settings = overridden(&site.settings, &changes).map_err(ApiError::internal)?;
    let site = Arc::make_mut(site);
    site.site.customization = Some(serde_json::to_value(&settings).map_err(ApiError::internal)?);
    site.settings = Arc::new(settings);
    Ok(())
}

/// Returns the claims of a visitor token, or the reason why it is refused.
fn verified(found: &FoundSite, token: &str, web: &WebData) -> Result<Map<String, Value>, &'static str> {
    if token.len() > MAX_TOKEN {
        return Err("is too long");
    }
    jwt::verify_visitor(found.visitor_key(), token, web.state.storage.clock().now())
}

/// Returns the claims that conditions use: those that the schema of the site allows. If the schema rejects any unsigned
/// claim, all of them are left out.
async fn claims_of(
    site: &Arc<PublishedSite>,
    claims: Map<String, Value>,
    unsigned: &Unsigned,
    web: &WebData,
) -> ApiResult<Value> {
    if site.site.adaptive_content != Some(true) || (claims.is_empty() && unsigned.claims.is_empty()) {
        return Ok(json!({}));
    }
    let site = Arc::clone(site);
    let look = move |reader: &mut Reader<'_>| Ok(reader.claims_of(&site)?);
    let schema = web.state.read(Credentials::ANONYMOUS, look).await?;
    let read = |unsigned: Map<String, Value>| {
        let signed = ClaimSource { name: "token", claims: claims.clone() };
        visitor_claims(schema.as_ref(), signed, ClaimSource { name: "claims", claims: unsigned })
    };
    let claims = read(unsigned.claims.clone()).or_else(|_| read(Map::new()));
    Ok(claims.unwrap_or_else(|_| json!({})))
}

/// Splits the key of a share link, or the segment of a preview, from the beginning of a path.
fn split_key(path: &str) -> (Option<&str>, &str) {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    if is_key(first) || preview::is_segment(first) { (Some(first), rest) } else { (None, path) }
}

fn is_key(text: &str) -> bool {
    text.len() == KEY_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns the decoded segments of a path without empty ones. `None` for a path that no page can have.
pub(crate) fn segments(path: &str) -> Option<Vec<String>> {
    let segments = path.split('/').filter(|segment| !segment.is_empty());
    let decode = |segment| Some(percent_decode_str(segment).decode_utf8().ok()?.into_owned());
    let segments: Vec<String> = segments.map(decode).collect::<Option<_>>()?;
    let is_plain = segments.iter().all(|segment| !segment.contains(['\0', '/']));
    (is_plain && segments.len() <= MOST_SEGMENTS).then_some(segments)
}

/// Returns the address of a path below a root for a header. Leading slashes are removed, since they would name another
/// host.
fn location(root: &str, path: &str) -> String {
    let path = utf8_percent_encode(path.trim_start_matches('/'), ESCAPED);
    let location = format!("{root}/{path}");
    if location.len() > 1 { location.trim_end_matches('/').to_owned() } else { location }
}

/// Returns the name of an asset in a path such as `~quire/assets/{name}`.
pub(crate) fn asset(path: &str) -> Option<&str> {
    split_key(path).1.strip_prefix(FOLDER)?.strip_prefix('/')
}

/// Returns the space, hash and name of a file in a path such as `~quire/files/{space}/{hash}/{name}`.
pub(crate) fn file(path: &str) -> Option<(SpaceId, String, String)> {
    let (_, below) = split_key(path);
    let mut parts = below.strip_prefix("~quire/files/")?.split('/');
    let (space, blob, name) = (parts.next()?, parts.next()?, parts.next()?);
    let name = percent_decode_str(name).decode_utf8().ok()?.into_owned();
    parts.next().is_none().then_some((space.parse().ok()?, blob.to_owned(), name))
}

/// Returns the parameters of a signed address.
pub(crate) fn signature(request: &HttpRequest) -> SignedQuery {
    SignedQuery { content_type: parameter(request, "type"), token: parameter(request, "token") }
}

/// Returns a parameter of the query.
pub(crate) fn parameter(request: &HttpRequest, name: &str) -> Option<String> {
    let pairs = request.query_string().split('&').filter_map(|pair| pair.split_once('='));
    let value = pairs.filter(|(found, _)| *found == name).map(|(_, value)| value).next()?;
    Some(percent_decode_str(value).decode_utf8().ok()?.into_owned())
}

/// Returns the query with a leading question mark. Empty for an empty query.
pub(crate) fn query(request: &HttpRequest) -> String {
    query_without(request, "")
}

/// Returns the query without a parameter, with a leading question mark. Empty for an empty query.
fn query_without(request: &HttpRequest, name: &str) -> String {
    let pairs = request.query_string().split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.filter(|pair| pair.split('=').next() != Some(name));
    let query = pairs.collect::<Vec<_>>().join("&");
    if query.is_empty() { query } else { format!("?{}", utf8_percent_encode(&query, ESCAPED_IN_QUERY)) }
}

/// Returns the query text of a search or ask button.
pub(crate) fn asked_words(request: &HttpRequest) -> Option<String> {
    let words = parameter(request, "q").or_else(|| parameter(request, "ask"))?;
    Some(words).filter(|words| !words.trim().is_empty())
}

/// Responds with a redirect for this request only.
pub(crate) fn see_other(link: &str) -> HttpResponse {
    see_other_with(link, None)
}

/// Returns the cookie for a visitor token: a session cookie for this site. Without a token it deletes the cookie.
fn set_cookie(prefix: &str, token: Option<&str>, web: &WebData) -> String {
    let is_https = web.state.settings.base_url.starts_with("https://");
    let path = if prefix.is_empty() { "/" } else { prefix };
    let secure = if is_https { "; Secure" } else { "" };
    let end = if token.is_none() { "; Max-Age=0" } else { "" };
    format!("{COOKIE}={}; Path={path}; HttpOnly; SameSite=Lax{secure}{end}", token.unwrap_or_default())
}

/// Returns whether a client names this media type in `Accept` and does not prefer a range with the usual type (RFC
/// 9110, 12.5.1).
pub(crate) fn prefers(request: &HttpRequest, media_type: &str, usual: &str) -> bool {
    let Some(accept) = request.get_header::<header::Accept>() else { return false };
    let quality = |range: &str| {
        let named = accept.iter().filter(|item| item.item.essence_str() == range);
        named.map(|item| item.quality).max()
    };
    let group = usual.split('/').next().unwrap_or_default();
    let usual = quality(usual).or_else(|| quality(&format!("{group}/*"))).or_else(|| quality("*/*"));
    quality(media_type).is_some_and(|named| named > Quality::ZERO && usual.is_none_or(|usual| named >= usual))
}

/// Responds with a permanent redirect to the address of a page.
pub(crate) fn moved(link: &str) -> HttpResponse {
    HttpResponse::PermanentRedirect()
        .insert_header((header::LOCATION, link))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .finish()
}

/// Responds with a temporary redirect.
pub(crate) fn redirected(link: &str) -> HttpResponse {
    HttpResponse::TemporaryRedirect()
        .insert_header((header::LOCATION, link))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .finish()
}

/// Responds with a redirect that must not be cached.
fn see_other_with(link: &str, cookie: Option<String>) -> HttpResponse {
    let mut response = HttpResponse::SeeOther();
    response.insert_header((header::LOCATION, link)).insert_header((header::CACHE_CONTROL, "no-store"));
    if let Some(cookie) = cookie {
        response.insert_header((header::SET_COOKIE, cookie));
    }
    response.finish()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_preferred_form_is_chosen() {
        for (accept, expected) in [
            ("text/markdown", true),
            ("Text/Markdown; charset=utf-8", true),
            ("text/markdown, text/html", true),
            ("text/markdown, text/html;q=0.9, */*;q=0.1", true),
            ("text/markdown;q=0.1, text/html", false),
            ("text/markdown;q=0.5, text/*;q=0.6", false),
            ("text/markdown;q=0.5, */*;q=0.6", false),
            ("text/markdown;q=0.5, text/html;q=0.2, */*;q=0.6", true),
            ("text/markdown;q=0", false),
            ("text/html, */*", false),
            ("", false),
        ] {
            let request = TestRequest::default().insert_header((header::ACCEPT, accept)).to_http_request();
            assert_eq!(prefers(&request, "text/markdown", "text/html"), expected, "{accept}");
        }
    }

    #[test]
    fn a_query_loses_one_parameter() {
        for (query, without, expected) in [
            ("a=1&jwt_token=x&b=%20", "jwt_token", "?a=1&b=%20"),
            ("jwt_token=x", "jwt_token", ""),
            ("jwt_token&&a", "jwt_token", "?a"),
            ("a=1&b=2", "", "?a=1&b=2"),
            ("", "", ""),
        ] {
            let request = TestRequest::with_uri(&format!("/x?{query}")).to_http_request();
            assert_eq!(query_without(&request, without), expected, "{query}");
        }
    }

    #[test]
    fn a_key_is_the_first_segment() {
        let key = "a1".repeat(20);
        assert_eq!(split_key(&format!("{key}/guide/x")), (Some(key.as_str()), "guide/x"));
        assert_eq!(split_key(&key), (Some(key.as_str()), ""));
        assert_eq!(split_key("~preview-x/guide"), (Some("~preview-x"), "guide"));
        assert_eq!(split_key("guide/x"), (None, "guide/x"));
    }

    #[test]
    fn addresses_stay_on_the_host() {
        for (root, path, expected) in [
            ("", "", "/"),
            ("", "/evil.example", "/evil.example"),
            ("", "\\\\evil.example", "/%5C%5Cevil.example"),
            ("/sites/a/b", "größe\r\nx: y", "/sites/a/b/gr%C3%B6%C3%9Fe%0D%0Ax:%20y"),
            ("/sites/a/b", "x/", "/sites/a/b/x"),
        ] {
            assert_eq!(location(root, path), expected);
        }
    }

    #[test]
    fn segments_are_decoded_once() {
        assert_eq!(segments("a//gr%C3%B6%C3%9Fe/").unwrap(), ["a", "größe"]);
        assert_eq!(segments("a%252Fb").unwrap(), ["a%2Fb"]);
        for path in ["a%2Fb", "a%00", "%ff", &"x/".repeat(65)] {
            assert_eq!(segments(path), None, "{path}");
        }
    }
}
