//! Previews of URLs.

use quire_domain::embeds::{Embed, EmbedQuery, EmbedType};
use quire_markup::frames::frame_of;
use quire_storage::Error;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::sites::published::PublishedSite;
use url::Url;

use super::ContentUrl;
use crate::prelude::*;
use crate::visitors::{open_to_token, readable_space, shown_site};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(Tag::Sites.at("/v1/urls/embed", None), SignedIn, "Preview a URL", get_embed_by_url)
            .query::<EmbedQuery>()
            .answers::<Embed>(200)
            .for_visitors(),
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/embed", None),
            Needs(Action::ViewSpace),
            "Preview a URL in a space",
            get_embed_by_url_in_space,
        )
        .query::<EmbedQuery>()
        .answers::<Embed>(200)
        .for_visitors(),
    ]
}

async fn get_embed_by_url(
    caller: Reading,
    Query(EmbedQuery { url }): Query<EmbedQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let url = url.into_text()?;
    let (credentials, base) = (caller.credentials(), state.settings.base_url.clone());
    let look = move |reader: &mut Reader<'_>| {
        require_valid(reader, &caller)?;
        preview(reader, &caller, &url, &base)
    };
    respond::ok(&request, &state.read(credentials, look).await?)
}

async fn get_embed_by_url_in_space(
    caller: Reading,
    Path(space): Path<SpaceId>,
    Query(EmbedQuery { url }): Query<EmbedQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let url = url.into_text()?;
    let _ = readable_space(&state, &caller, space).await?;
    let (credentials, base) = (caller.credentials(), state.settings.base_url.clone());
    let look = move |reader: &mut Reader<'_>| preview(reader, &caller, &url, &base);
    respond::ok(&request, &state.read(credentials, look).await?)
}

/// Refuses an invalid token, with one statement.
fn require_valid(reader: &mut Reader<'_>, caller: &Reading) -> ApiResult<()> {
    if let Reading::Visitor(holder) = caller {
        return shown_site(reader, holder).map(|_| ());
    }
    match reader.not_found::<()>() {
        Err(Error::NotFound) => Ok(()),
        other => Ok(other?),
    }
}

/// Returns the preview of a URL: a frame of a known provider, a page of a site that the caller may read, or a link made
/// from the URL alone. Nothing is fetched.
fn preview(reader: &mut Reader<'_>, caller: &Reading, address: &str, base_url: &str) -> ApiResult<Embed> {
    let url = Url::parse(address).map_err(ApiError::internal)?;
    let host = url.host_str().unwrap_or_default().to_owned();
    let title = format!("{host}{}", url.path().trim_end_matches('/'));
    if let Some(frame) = frame_of(address) {
        let site = frame.provider.to_owned();
        return Ok(Embed { kind: EmbedType::Rich, title, site, icon: None, html: Some(frame.html()) });
    }
    if let Some(asked) = ContentUrl::new(address, base_url)
        && let Some(embed) = own_page(reader, caller, &asked)?
    {
        return Ok(embed);
    }
    Ok(Embed { kind: EmbedType::Link, title, site: host, icon: None, html: None })
}

/// Returns the preview of a page of a site that the caller may read.
fn own_page(reader: &mut Reader<'_>, caller: &Reading, asked: &ContentUrl) -> ApiResult<Option<Embed>> {
    let Some(site) = readable(reader, caller, asked)? else { return Ok(None) };
    let below = asked.below(site.site.proxy_origin.as_deref());
    let names: Vec<String> = below.rest.iter().map(|segment| segment.name.clone()).collect();
    let Some(located) = site.locate(&names) else { return Ok(None) };
    let title = if names.is_empty() {
        site.site.title.clone()
    } else {
        let tree = reader.tree(&site.content(located.space)?)?;
        match tree.page_by_path(&located.rest.join("/")) {
            Some(page) => page.title.clone(),
            None => return Ok(None),
        }
    };
    let icon = site.site.icon().and_then(|favicon| Some(favicon.icon?.light));
    Ok(Some(Embed { kind: EmbedType::Link, title, site: site.site.title.clone(), icon, html: None }))
}

/// Returns the published site through which a caller reads a space: the site of the caller's site token, or the most
/// open site.
///
/// # Errors
/// 404 if the holder of a site token may not see the site.
pub(crate) fn site_of_space(
    reader: &mut Reader<'_>,
    caller: &Reading,
    space: &SpaceRecord,
    state: &ServerState,
) -> ApiResult<Option<Arc<PublishedSite>>> {
    if let Reading::Visitor(holder) = caller {
        return Ok(Some(shown_site(reader, holder)?.0));
    }
    let Some(on_site) = &space.site else { return Ok(None) };
    let url = state.urls.at_address(&on_site.address);
    match ContentUrl::new(&url, &state.settings.base_url) {
        Some(asked) => readable(reader, caller, &asked),
        None => Ok(None),
    }
}

/// Returns the published site at a URL, with the parts that the caller sees; `None` if it does not exist or the caller
/// may not read it.
fn readable(
    reader: &mut Reader<'_>,
    caller: &Reading,
    asked: &ContentUrl,
) -> ApiResult<Option<Arc<PublishedSite>>> {
    let Some(found) = reader.find_site_structure(&asked.address, None)? else { return Ok(None) };
    if let Reading::Visitor(holder) = caller {
        if found.id() != holder.visitor.site {
            return Ok(None);
        }
        return Ok(Some(shown_site(reader, holder)?.0));
    }
    Ok(open_to_token(found))
}
