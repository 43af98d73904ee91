//! Sites.

mod access;
pub mod adaptive_schema;
pub mod customization;
mod destination;
pub mod publishing;
pub mod redirects;
pub mod renderer;
pub mod search;
pub mod share_links;
pub mod structure;

pub(crate) use access::{SitePath, Visit, as_member, lock, parts, read, visit_as, visit_parts};
pub(crate) use customization::WithConditions;

use quire_content::attachments::Attachments;
use quire_content::{ContentWrite, Draft, DraftBase, ExpectedRevisions, Write};
use quire_domain::content::ContentChanges;
use quire_domain::sites::{
    DEFAULT_TITLE, HostnameRecord, NewSiteSpace, NewSiteSpaces, PublishedSite, Site, SiteCreate, SiteEvents,
    SiteListQuery, SiteUpdate, SpaceIds, VisitorQuery, host_of,
};
use quire_domain::spaces::SpaceCreate;
use quire_domain::texts::SpaceTitle;
use quire_markup::slugify;
use quire_storage::content::spaces::{Parent, SpaceRecord};
use quire_storage::people::organizations::OrganizationRecord;
use quire_storage::sites::{HostnameProof, SiteFilter, SiteRecord};

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const SITES: Resource = Tag::Sites.at("/v1/orgs/{organizationId}/sites", Some(Object::Organization));
    const SITE: Resource = Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}", Some(Object::Site));
    const PUBLISHED: Resource = Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/published", None);
    const PUBLISH: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/publish", Some(Object::Site));
    const UNPUBLISH: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/unpublish", Some(Object::Site));
    let view = Needs(Action::ViewOrganizationContent);
    let manage = Needs(Action::ManageSites);
    vec![
        Route::post(
            Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/insights/events", None),
            Public,
            "Report events of visits",
            track_events_in_site_by_id,
        )
        .body::<SiteEvents>()
        .answers_nothing()
        .unaudited("it changes nothing"),
        Route::get(SITES, view, "List an organization's sites", list_sites)
            .query::<SiteListQuery>()
            .lists::<Site>(),
        Route::post(
            SITES,
            NeedsAlso(Action::ManageSites, Action::PublishSpace),
            "Create a site",
            create_site,
        )
        .body::<SiteCreate>()
        .answers::<Site>(201),
        Route::get(SITE, view, "Get a site", get_site_by_id).answers::<Site>(200),
        Route::delete(SITE, manage, "Delete a site", delete_site_by_id).answers_nothing(),
        Route::patch(SITE, manage, "Update a site", update_site_by_id)
            .body::<SiteUpdate>()
            .answers::<Site>(200),
        Route::get(PUBLISHED, SignedIn, "Get a site's published content", get_published_content_site)
            .query::<VisitorQuery>()
            .answers::<PublishedSite>(200)
            .for_visitors(),
        Route::post(PUBLISH, manage, "Publish a site", publish_site).answers::<Site>(200),
        Route::post(UNPUBLISH, manage, "Unpublish a site", unpublish_site).answers::<Site>(200),
    ]
}

async fn list_sites(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(query): Query<SiteListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let SiteListQuery { page, limit, space, title, published, types } = query;
    let filter = SiteFilter { space, title: title.into_text()?, published, types };
    let list = format!("sites of {organization} with {filter:?}");
    let after: Option<SiteId> = present::cursor(&list, page.as_deref())?;
    let limit = PageQuery { page: None, limit }.limit();
    let (role, slice) = state
        .read(caller, move |reader| {
            let organization =
                reader.organization(organization)?.authorize(Action::ViewOrganizationContent)?;
            Ok((organization.role(), reader.sites_of(&organization, &filter, after, limit)?))
        })
        .await?;
    let show = |site: SiteRecord| Ok(SiteView::new(&state.urls, &site).seen_by(role).site());
    let list = present::list(&list, slice, |site| site.id, show)?;
    respond::ok(&request, &list)
}

/// Content changes of the sample space.
const SAMPLE: &str = include_str!("sample.json");
/// Longest title of a space, in characters.
const SPACE_TITLE: usize = 50;

async fn create_site(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    OptionalJson(body): OptionalJson<SiteCreate>,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    let SiteCreate { site_type, title, visibility, spaces } = body;
    let title = title.into_text()?.unwrap_or_else(|| DEFAULT_TITLE.to_owned());
    let sample = match &spaces {
        Some(NewSiteSpaces::New(NewSiteSpace::Sample)) => Some(sample(&api).await?),
        _ => None,
    };
    let site = state
        .transact(caller, move |tx| {
            let owner = tx.organization(organization)?.authorize(Action::ManageSites)?;
            let spaces = match spaces {
                None => Vec::new(),
                Some(NewSiteSpaces::Existing(SpaceIds(ids))) => existing(tx, &owner, &ids)?,
                Some(NewSiteSpaces::New(_)) => vec![new_space(tx, &owner, &title, sample)?],
            };
            let site = tx.create_site(&owner, site_type, &title, &slugify(&title), visibility)?;
            let locked = lock(tx, (organization, site))?;
            let spaces: Vec<_> = spaces
                .into_iter()
                .map(|space| {
                    let path = slugify(&space.title);
                    (space, path)
                })
                .collect();
            tx.fill_new_site(&locked, &spaces)?;
            lock(tx, (organization, site))
        })
        .await?;
    let site = SiteView::new(&state.urls, &site).seen_by(site.role()).site();
    respond::created(&site.urls.location, &site)
}

/// Returns spaces that the caller may add to a site, in the order of the body.
fn existing(
    tx: &mut Tx<'_>,
    owner: &Authorized<OrganizationRecord>,
    ids: &[SpaceId],
) -> ApiResult<Vec<Authorized<SpaceRecord>>> {
    let mut visible = tx.visible_spaces(owner, ids)?;
    let in_order = ids.iter().enumerate().map(|(index, id)| {
        let found = visible.iter().position(|space| space.id == *id);
        let space = found.map(|at| visible.swap_remove(at)).ok_or_else(|| {
            ApiError::invalid_field(format!("spaces[{index}]"), "does not exist in this organization")
        })?;
        match space.may(Action::PublishSpace) {
            true => Ok(space),
            false => Err(quire_storage::Error::Forbidden { action: Action::PublishSpace }.into()),
        }
    });
    in_order.collect()
}

/// Parses the sample content for a new space.
async fn sample(api: &Api) -> ApiResult<(Write, Draft)> {
    let body: ContentChanges = serde_json::from_str(SAMPLE).map_err(ApiError::internal)?;
    let (attachments, expected) = (Attachments::default(), ExpectedRevisions::default());
    Ok(ContentWrite { body, attachments, expected }.read(api, DraftBase::default()).await?)
}

/// Creates a space at the organization's root with the title of the site.
fn new_space(
    tx: &mut Tx<'_>,
    owner: &Authorized<OrganizationRecord>,
    title: &str,
    sample: Option<(Write, Draft)>,
) -> ApiResult<Authorized<SpaceRecord>> {
    let title = SpaceTitle::new(title.chars().take(SPACE_TITLE).collect::<String>())?;
    let id =
        tx.create_space(Parent::Root(owner), SpaceCreate { title: Some(title), ..SpaceCreate::default() })?;
    if let Some((write, draft)) = sample {
        // Only `view` is required, so that the creator can fill the space whatever role the creator will have on it.
        let content = tx.content(id, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
        write.commit(&draft, tx, &content)?;
    }
    Ok(tx.space(id)?.authorize(Action::ViewSpace)?)
}

async fn get_site_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let site = state.read(caller, move |reader| read(reader, path)).await?;
    respond::ok(&request, &SiteView::new(&state.urls, &site).seen_by(site.role()).site())
}

async fn update_site_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    OptionalJson(body): OptionalJson<SiteUpdate>,
    if_match: IfMatch,
    state: State,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let by_dns = proven_hostnames(&caller, path, &body, &state, &api).await?;
    let (urls, rules) = (state.urls.clone(), state.settings.hostname_rules());
    let site = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            if_match.check(&SiteView::new(&urls, &site).seen_by(site.role()).site())?;
            Ok(tx.update_site(site, body, &HostnameProof { rules: &rules, by_dns: &by_dns })?)
        })
        .await?;
    respond::changed(&SiteView::new(&state.urls, &site).seen_by(site.role()).site())
}

/// Returns the new host names that a TXT record proves. Host names that are proven already are not looked up.
async fn proven_hostnames(
    caller: &Credentials,
    path: SitePath,
    body: &SiteUpdate,
    state: &State,
    api: &ApiData,
) -> ApiResult<Vec<String>> {
    let hostname = body.hostname.clone().into_text()?.into_option().flatten();
    let proxy = body.proxy.clone().into_text()?.into_option().flatten();
    let asked: Vec<String> =
        hostname.into_iter().chain(proxy).map(|address| host_of(&address).to_owned()).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let rules = state.settings.hostname_rules();
    let look = move |reader: &mut Reader<'_>| {
        let site = reader.site(path.0, path.1)?.authorize(Action::ManageSites)?;
        Ok(reader.unproven_hostnames(&site, asked.clone(), &rules)?)
    };
    let unproven = state.read(*caller, look).await?;
    let mut proven = Vec::new();
    for hostname in unproven {
        let HostnameRecord { name, value, .. } = HostnameRecord::proving(&hostname, path.0);
        match api.imports.fetcher.texts_of(&name).await {
            Ok(texts) if texts.iter().any(|text| text.trim() == value) => proven.push(hostname),
            Ok(_) => {}
            Err(error) => log::debug!("{name} has no TXT record: {error}"),
        }
    }
    Ok(proven)
}

async fn delete_site_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let unlocked = tx.site(path.0, path.1)?.authorize(Action::ManageSites)?;
            // The organization is locked, because the site may be its default content.
            tx.lock_organization_of(&unlocked)?;
            let site = lock(tx, path)?;
            Ok(tx.delete_site(&site)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn publish_site(caller: Caller, path: Path<SitePath>, state: State) -> ApiResult<HttpResponse> {
    set(caller, path, state, true).await
}

async fn unpublish_site(caller: Caller, path: Path<SitePath>, state: State) -> ApiResult<HttpResponse> {
    set(caller, path, state, false).await
}

async fn set(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    state: State,
    published: bool,
) -> ApiResult<HttpResponse> {
    let site = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            Ok(tx.publish_site(site, published)?)
        })
        .await?;
    respond::changed(&SiteView::new(&state.urls, &site).seen_by(site.role()).site())
}

async fn get_published_content_site(
    Visiting(caller): Visiting,
    Path(path): Path<SitePath>,
    Query(query): Query<VisitorQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let visitor = Visit::new(query)?;
    let urls = state.urls.clone();
    let published = state
        .read(caller.credentials(), move |reader| {
            let (visited, who) = visit_as(reader, &caller, path, &visitor)?;
            let parts = parts(reader, (&visited).into())?;
            let overrides = reader.site_space_customizations((&visited).into())?;
            let site = visited.site();
            let view = SiteView::new(&urls, site)
                .visited_by(&who)
                .seen_by(visited.role())
                .shared_with(visitor.key_as(&caller, site));
            view.published_site(&parts, &overrides)
        })
        .await?;
    respond::ok(&request, &published)
}

async fn track_events_in_site_by_id(
    Path(_): Path<SitePath>,
    Json(_): Json<SiteEvents>,
) -> ApiResult<HttpResponse> {
    Ok(respond::no_content())
}
