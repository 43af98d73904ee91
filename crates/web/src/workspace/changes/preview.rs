//! Preview of a change request on a site of its space.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_content::redirects::site_path;
use quire_domain::ids::{PageId, SiteId, SpaceId};
use quire_revision::PageType;
use quire_server::preview::{LIFETIME, Preview, segment};
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::content::change_requests::{ChangeRequestKey, ChangeRequestRecord};
use quire_storage::content::store::ContentSelector;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use quire_storage::sites::published::{FoundSite, PreviewedState, PublishedSite, SiteAddress};
use quire_storage::sites::{SiteFilter, SiteRecord};

use crate::state::WebData;
use crate::workspace::content::{Content, open, subject};
use crate::workspace::requests::parameter;
use crate::workspace::shell::{Crumb, Page};
use crate::workspace::space::{links, see_other};

/// Maximum number of sites offered.
const MOST: u16 = 50;

/// Responds to `/s/{spaceId}/~/changes/{changeRequest}/~preview`: redirects to the preview on the site, at the page in
/// the parameter `page`. Of several sites, lists those to choose from, unless the parameter `site` names one.
pub(in crate::workspace) async fn preview(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    key: ChangeRequestKey,
) -> ApiResult<HttpResponse> {
    let site: Option<SiteId> = id_in(request, "site")?;
    let page: Option<PageId> = id_in(request, "page")?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, ContentSelector::ChangeRequest(key))?;
        let organization = opened.organization.id;
        let sites = match site {
            Some(_) => None,
            None => {
                let filter = SiteFilter { space: Some(space), ..SiteFilter::default() };
                Some(reader.sites_of(&opened.organization, &filter, None, MOST)?)
            }
        };
        let only = sites.as_ref().filter(|sites| !sites.has_more).and_then(|sites| match &*sites.items {
            [only] => Some(only.id),
            _ => None,
        });
        let Some(chosen) = site.or(only) else { return Ok((opened.shown, Err(sites))) };
        let found = reader.find_site_structure(&SiteAddress::Id(organization, chosen), None)?;
        let found = found.and_then(FoundSite::open_preview).ok_or_else(ApiError::not_found)?;
        let ends = reader.now().millis().div_euclid(1_000).saturating_add(LIFETIME);
        Ok((opened.shown, Ok((found, ends))))
    };
    let (content, found) = web.state.read(caller, load).await?;
    let Some(change) = &content.change else { return Err(ApiError::not_found()) };
    match found {
        Ok(site) => Ok(see_other(&address(web, &content, change, site, page)?)),
        Err(sites) => Ok(choice(&content, change, sites.as_ref(), page)),
    }
}

/// Returns the id in a parameter.
fn id_in<T: std::str::FromStr>(request: &HttpRequest, name: &str) -> ApiResult<Option<T>> {
    parameter(request, name).map(|id| id.parse()).transpose().map_err(|_| ApiError::not_found())
}

/// Returns the address of a page in the preview. A page that visitors do not find there is replaced by the first page.
fn address(
    web: &WebData,
    content: &Content,
    change: &ChangeRequestRecord,
    (site, ends): (Arc<PublishedSite>, i64),
    page: Option<PageId>,
) -> ApiResult<String> {
    let space = content.place.space;
    let place = site.spaces.iter().find(|place| place.space == space).ok_or_else(ApiError::not_found)?;
    let page = page.and_then(|page| content.tree.page(page));
    let page = page.filter(|page| page.page_type() == PageType::Document && !content.tree.is_home(page.id));
    let path = page.and_then(|page| content.tree.path_of(page.id)).unwrap_or_default();
    let preview = Preview {
        site: site.site.id,
        user: content.rights.user,
        state: Some((space, PreviewedState::ChangeRequest(change.id))),
        ends,
        look: None,
    };
    let root = web.state.urls.at_address(&site.site.address());
    Ok(format!("{root}/{}{}", segment(&web.state.signer, &preview), site_path(&site, place, &path)))
}

/// Responds with the sites to choose from.
fn choice(
    content: &Content,
    change: &ChangeRequestRecord,
    sites: Option<&Slice<SiteRecord>>,
    page: Option<PageId>,
) -> HttpResponse {
    let frame = &content.frame;
    let shown = page.map(|page| format!("&page={page}")).unwrap_or_default();
    let row = |site: &SiteRecord| -> Markup {
        html! {
            li {
                (frame.icon("globe", if site.published { "merged" } else { "draft" }))
                a.t href={ (content.place.root()) "/~preview?site=" (site.id) (shown) } { (site.title) }
                @if !site.published { span.d { "Not published" } }
            }
        }
    };
    let sites = sites.map(|sites| sites.items.as_slice()).unwrap_or_default();
    let main = html! {
        main.home id="workspace:content" {
            h1 { "Preview" }
            p.sub { "The site as it would be with change request #" (change.number) "." }
            @if sites.is_empty() {
                div.empty { p { b { "The space is on no site" } } p { "Publish the space with the button on its pages. Its change requests then have a preview." } }
            } @else { ul.list { @for site in sites { (row(site)) } } }
        }
    };
    let page = Page {
        title: "Preview".to_owned(),
        crumbs: vec![
            Crumb { title: content.space.title.clone(), href: content.place.of_space() },
            Crumb { title: format!("#{} {}", change.number, subject(change)), href: content.place.root() },
        ],
        nav_label: "Space",
        nav: links(content, None),
        main,
        ..Page::default()
    };
    frame.respond(&page)
}
