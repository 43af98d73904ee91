//! Lookups of published content by its URL.

use quire_conditions::{ClaimSource, visitor_claims};
use quire_content::reading::Expressions as _;
use quire_domain::bounds::VISITOR_TEXT_MAX;
use quire_domain::sites::{
    LookupVisitor, PublishedContent, PublishedRedirect, PublishedUrl, PublishedUrlLookup, PublishedUrlQuery,
    RedirectTarget, SiteVisibility, VisitorType,
};
use quire_domain::urls::sign_in_url;
use quire_server::site_token::{SiteTokenContents, SiteTokenHolder};
use quire_server::urls::Urls;
use quire_server::{UrlSigner, site_token};
use quire_storage::sites::published::{
    FoundSite, Located, PublishedSite, ShareKeyHash, SiteAddress, SiteVisitor, VisitorKeyVersion,
};

use super::{ContentUrl, Segment, path_of};
use crate::extract::credentials;
use crate::prelude::*;
use crate::visitors::{Claims, vouched};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post(
            Tag::Sites.at("/v1/urls/published", None),
            Public,
            "Find published content by its URL",
            resolve_published_content_by_url,
        )
        .body::<PublishedUrlLookup>()
        .answers::<PublishedUrl>(200)
        .finds_by_input()
        .unaudited("it only reads"),
        Route::get(
            Tag::Sites.at("/v1/urls/published", None),
            Public,
            "Find published content by a URL query",
            get_published_content_by_url,
        )
        .query::<PublishedUrlQuery>()
        .answers::<PublishedUrl>(200)
        .finds_by_input(),
    ]
}

async fn resolve_published_content_by_url(
    Json(body): Json<PublishedUrlLookup>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let visitor = Visitor::new(body.visitor.unwrap_or_default(), body.redirect_on_error)?;
    found(&body.url.into_text()?, visitor, &request, state).await
}

async fn get_published_content_by_url(
    Query(query): Query<PublishedUrlQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let PublishedUrlQuery { url, visitor_auth_token: jwt_token, redirect_on_error } = query;
    let visitor = LookupVisitor { jwt_token, ..LookupVisitor::default() };
    found(&url.into_text()?, Visitor::new(visitor, redirect_on_error)?, &request, state).await
}

async fn found(url: &str, visitor: Visitor, request: &HttpRequest, state: State) -> ApiResult<HttpResponse> {
    let asked = ContentUrl::new(url, &state.settings.base_url).ok_or_else(ApiError::not_found)?;
    let shared = state.clone();
    // Only a URL that names a change request or revision is read with the rights of the user.
    let user = if asked.names_state() { credentials(request) } else { None };
    let look = move |reader: &mut Reader<'_>| {
        let lookup = Lookup { asked: &asked, visitor: &visitor, urls: &shared.urls, signer: &shared.signer };
        match lookup.previewed(user.is_some(), reader)? {
            Some(previewed) => Ok(PublishedUrl::Content(Box::new(previewed))),
            None => lookup.find(reader),
        }
    };
    let found = state.read(user.unwrap_or(Credentials::ANONYMOUS), look).await?;
    respond::ok(request, &found)
}

/// Visitor of a lookup.
struct Visitor {
    visitor_type: VisitorType,
    token: Option<String>,
    unsigned: Map<String, Value>,
    /// `true` to redirect a visitor with an invalid token to the service that signs visitors in.
    redirect_on_error: bool,
}

impl Visitor {
    fn new(visitor: LookupVisitor, redirect_on_error: bool) -> ApiResult<Self> {
        let LookupVisitor { visitor_type, jwt_token, unsigned_claims: unsigned } = visitor;
        let length = serde_json::to_string(&unsigned).map_err(ApiError::internal)?.len();
        if u64::try_from(length).is_ok_and(|length| length > VISITOR_TEXT_MAX) {
            let message = format!("must have at most {VISITOR_TEXT_MAX} bytes as JSON, has {length}");
            return Err(ApiError::invalid_field("visitor.unsignedClaims", message));
        }
        Ok(Self { visitor_type, token: jwt_token.into_text()?, unsigned, redirect_on_error })
    }
}

/// Context of a lookup.
pub(super) struct Lookup<'a> {
    pub(super) asked: &'a ContentUrl,
    visitor: &'a Visitor,
    pub(super) urls: &'a Urls,
    pub(super) signer: &'a UrlSigner,
}

/// Parts of the address of content.
pub(super) struct Parts<'a> {
    /// Segments of the root of the site, with the key of a share link or preview.
    pub(super) root: Vec<&'a Segment>,
    /// Segments from the root to the content.
    pub(super) named: &'a [Segment],
    /// Segments of the path of the page.
    pub(super) page: &'a [Segment],
    /// Root of the URL of the site.
    pub(super) canonical_root: String,
}

impl Lookup<'_> {
    /// Finds the content with one statement, or two if the site reads claims.
    fn find(&self, reader: &mut Reader<'_>) -> ApiResult<PublishedUrl> {
        let key = self.keys().next();
        let share_key = key.map(|key| key.name.as_str());
        let found =
            reader.find_site_structure(&self.asked.address, share_key)?.ok_or_else(ApiError::not_found)?;
        let signed = vouched(reader, &found, self.visitor.token.as_deref());
        let is_vouched = signed.is_some();
        let sign_in = self.sign_in(&found);
        let vouched_by = found.visitor_key().filter(|_| is_vouched).map(VisitorKeyVersion::of);
        let ends = signed.as_ref().and_then(|claims| claims.get("exp")?.as_f64()).map(whole_seconds);
        let Some(mut site) = found.open(is_vouched) else {
            return sign_in.map(PublishedUrl::Redirect).ok_or_else(ApiError::not_found);
        };
        let claims = self.claims(reader, &site, signed)?;
        let evaluator = Claims::from(&claims).evaluator();
        site.show_to(|condition| evaluator.holds(condition));
        let share_key =
            share_key.filter(|_| site.has_key && site.site.visibility == SiteVisibility::ShareLink);
        let visitor = SiteVisitor {
            organization: site.site.organization,
            site: site.site.id,
            share_key: share_key.map(ShareKeyHash::of),
            vouched_by,
        };
        let holder = SiteTokenHolder { visitor, preview: None, claims };
        self.answer(&site, share_key, holder, ends.flatten(), reader)
    }

    /// Returns the segments that may be a share link key: the first one below the root of a site. At the address of a
    /// proxy the root is not known yet, but its segments are shorter than a key.
    fn keys(&self) -> impl Iterator<Item = &Segment> {
        self.asked.below(None).rest.iter().filter(|segment| segment.is_key())
    }

    /// Returns the redirect of a visitor without a valid token to the service that signs visitors in. The service gets
    /// the requested path. An invalid token is an error unless the request asks for the redirect.
    fn sign_in(&self, found: &FoundSite) -> Option<PublishedRedirect> {
        if self.visitor.token.is_some() && !self.visitor.redirect_on_error {
            return None;
        }
        let below = self.asked.below(found.proxy_origin());
        let path = path_of(below.rest.iter());
        let path = if path.len() > 1 { path.trim_end_matches('/') } else { &path };
        let redirect = sign_in_url(found.fallback_url()?, path)?;
        Some(PublishedRedirect { target: RedirectTarget::External, site: Some(found.id()), redirect })
    }

    /// Returns the claims that count on the site. If its schema does not allow the unsigned claims, all of them are
    /// left out.
    fn claims(
        &self,
        reader: &mut Reader<'_>,
        site: &PublishedSite,
        signed: Option<Map<String, Value>>,
    ) -> ApiResult<Value> {
        let has_claims = signed.is_some() || !self.visitor.unsigned.is_empty();
        if site.site.adaptive_content != Some(true) || !has_claims {
            return Ok(json!({}));
        }
        let schema = reader.claims_of(site)?;
        let read = |unsigned: Map<String, Value>| {
            let signed = ClaimSource { name: "jwtToken", claims: signed.clone().unwrap_or_default() };
            visitor_claims(schema.as_ref(), signed, ClaimSource { name: "unsignedClaims", claims: unsigned })
        };
        let claims = read(self.visitor.unsigned.clone()).or_else(|_| read(Map::new()));
        Ok(claims.unwrap_or_else(|_| json!({})))
    }

    fn answer(
        &self,
        site: &PublishedSite,
        share_key: Option<&str>,
        holder: SiteTokenHolder,
        ends: Option<i64>,
        reader: &Reader<'_>,
    ) -> ApiResult<PublishedUrl> {
        let record = &site.site;
        let below = self.asked.below(record.proxy_origin.as_deref());
        let with_key = share_key.is_some_and(|key| below.rest.first().is_some_and(|first| first.name == key));
        let (keys, rest) = below.rest.split_at(usize::from(with_key));
        if share_key.is_some() && !with_key {
            return Err(ApiError::not_found());
        }
        let mut root = self.urls.at_address(&record.address());
        if let SiteAddress::Path(_, name) = &self.asked.address
            && record.proxy_origin.is_none()
            && record.basename.as_ref().is_some_and(|basename| basename != name)
        {
            // The address with the site's id redirects to the address with its name.
            let redirect = format!("{root}{}", path_of(below.rest.iter()).trim_end_matches('/'));
            let target = RedirectTarget::Content;
            return Ok(PublishedUrl::Redirect(PublishedRedirect { target, site: None, redirect }));
        }
        if let Some(key) = share_key {
            root = format!("{root}/{key}");
        }
        let names: Vec<String> = rest.iter().map(|segment| segment.name.clone()).collect();
        let located = site.locate(&names).ok_or_else(ApiError::not_found)?;
        let (named, page) = rest.split_at(located.named.len().min(rest.len()));
        let root_segments = below.root.iter().chain(keys).collect();
        let parts = Parts { root: root_segments, named, page, canonical_root: root };
        let content = self.content(site, &located, &parts, (holder, ends), reader)?;
        let share_key = share_key.map(str::to_owned);
        Ok(PublishedUrl::Content(Box::new(PublishedContent { share_key, ..content })))
    }

    /// Returns the content at an address, with a site token for the holder that expires at `ends` or earlier.
    pub(super) fn content(
        &self,
        site: &PublishedSite,
        located: &Located<'_, '_>,
        parts: &Parts<'_>,
        (holder, ends): (SiteTokenHolder, Option<i64>),
        reader: &Reader<'_>,
    ) -> ApiResult<PublishedContent> {
        let record = &site.site;
        let start = parts.page.first().map(|segment| segment.name.as_str());
        let page_segments = parts.page.iter().map(|segment| segment.written.as_str());
        let mut canonical_url = parts.canonical_root.clone();
        for segment in site.segments_of(located.space, start).chain(page_segments) {
            canonical_url = format!("{canonical_url}/{segment}");
        }
        let in_root = || parts.root.iter().copied();
        let context_id = holder.claims.as_object().is_some_and(|claims| !claims.is_empty());
        let context_id = context_id.then(|| holder.context());
        let token = SiteTokenContents {
            holder,
            visitor_type: self.visitor.visitor_type,
            site_space: located.space.id,
            site_section: located.section.map(|section| section.id),
            space: located.space.space,
            spaces: spaces_of(site),
            ends,
        };
        Ok(PublishedContent {
            organization: record.organization,
            site: record.id,
            site_section: located.section.map(|section| section.id),
            site_space: located.space.id,
            space: located.space.space,
            change_request: None,
            revision: None,
            preview: None,
            pathname: path_of(parts.page.iter()).trim_matches('/').to_owned(),
            base_path: path_of(in_root().chain(parts.named)),
            site_base_path: path_of(in_root()),
            api_token: site_token::issue(self.signer, token, reader.now())?,
            share_key: None,
            complete: located.is_complete,
            context_id,
            canonical_url,
        })
    }
}

/// Returns the distinct spaces of a site.
fn spaces_of(site: &PublishedSite) -> Vec<SpaceId> {
    let mut spaces: Vec<SpaceId> = Vec::new();
    for space in &site.spaces {
        if !spaces.contains(&space.space) {
            spaces.push(space.space);
        }
    }
    spaces
}

/// Returns the whole seconds of a time; `None` for a time out of range.
fn whole_seconds(seconds: f64) -> Option<i64> {
    format!("{:.0}", seconds.floor()).parse().ok()
}
