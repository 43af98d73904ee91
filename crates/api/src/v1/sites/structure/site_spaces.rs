//! Site spaces.

use quire_domain::sites::{
    SiteSpace, SiteSpaceCreate, SiteSpaceListQuery, SiteSpaceMove, SiteSpaceUpdate, VisitorQuery,
};
use quire_markup::slugify;
use quire_storage::sites::{LockedSite, ReadableSite, SiteSpaceRecord};

use super::change::{Part, PartPath};
use super::sections::space_for_site;
use super::{change, cut};
use crate::prelude::*;
use crate::v1::sites::{SitePath, Visit, WithConditions, parts, visit_parts};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const SPACES: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/site-spaces", Some(Object::Site));
    const SPACE: Resource = Tag::Sites
        .at("/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}", Some(Object::SiteSpace));
    const MOVE_SPACE: Resource = Tag::Sites.at(
        "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/move",
        Some(Object::SiteSpace),
    );
    let view = Needs(Action::ViewOrganizationContent);
    let manage = Needs(Action::ManageSites);
    vec![
        Route::get(SPACES, view, "List a site's spaces", list_site_spaces)
            .query::<VisitorQuery>()
            .query::<SiteSpaceListQuery>()
            .lists::<SiteSpace>()
            .for_visitors(),
        Route::post(
            SPACES,
            NeedsAlso(Action::ManageSites, Action::PublishSpace),
            "Add a space to a site",
            add_space_to_site,
        )
        .body::<SiteSpaceCreate>()
        .answers::<SiteSpace>(201),
        Route::delete(SPACE, manage, "Remove a space from a site", delete_site_space_by_id).answers_nothing(),
        Route::patch(SPACE, manage, "Update a site space", update_site_space_by_id)
            .body::<SiteSpaceUpdate>()
            .answers::<SiteSpace>(200),
        Route::post(MOVE_SPACE, manage, "Move a site space", move_site_space)
            .body::<SiteSpaceMove>()
            .answers::<SiteSpace>(200),
    ]
}

type SiteSpacePath = PartPath<SiteSpaceId>;

async fn list_site_spaces(
    Visiting(caller): Visiting,
    Path(path): Path<SitePath>,
    Query(who): Query<VisitorQuery>,
    Query(query): Query<SiteSpaceListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let visitor = Visit::new(who)?;
    let SiteSpaceListQuery { page, limit, default } = query;
    let list = format!("site spaces of {} with {default:?}", path.1);
    let after: Option<String> = present::cursor(&list, page.as_deref())?;
    let limit = PageQuery { page: None, limit }.limit();
    let (urls, name) = (state.urls.clone(), list.clone());
    let list = state
        .read(caller.credentials(), move |reader| {
            let after = after.as_deref();
            let (visited, who) = visit_parts(reader, &caller, path, &visitor)?;
            let site = visited.site();
            let key = visitor.key_as(&caller, site);
            let view = SiteView::new(&urls, site).visited_by(&who).shared_with(key);
            let slice = if who.sees_all() {
                reader.site_spaces_of((&visited).into(), default, after, limit)?
            } else {
                let parts = parts(reader, (&visited).into())?;
                let shown = view.shown_spaces(&parts);
                let shown = shown.filter(|space| default.is_none_or(|default| space.is_default == default));
                cut(shown.cloned().collect(), |space: &SiteSpaceRecord| &space.order_key, after, limit)
            };
            present::list(&name, slice, |s| s.order_key.clone(), |s| Ok(view.site_space(&s)))
        })
        .await?;
    respond::ok(&request, &list)
}

async fn add_space_to_site(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Json(body): Json<SiteSpaceCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let SiteSpaceCreate { space_id, section_id, draft } = body;
    change::create(&state, caller, path, move |tx, site| {
        let space = space_for_site(tx, space_id, path.0)?;
        Ok(tx.add_site_space(site, &space, section_id, &slugify(&space.title), draft)?)
    })
    .await
}

async fn update_site_space_by_id(
    Caller(caller): Caller,
    Path(path): Path<SiteSpacePath>,
    OptionalJson(WithConditions(body)): OptionalJson<WithConditions<SiteSpaceUpdate>>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    change::update(&state, caller, path, Some(if_match), move |tx, site, id| {
        Ok(tx.update_site_space(site, id, body)?)
    })
    .await
}

async fn move_site_space(
    Caller(caller): Caller,
    Path(path): Path<SiteSpacePath>,
    OptionalJson(body): OptionalJson<SiteSpaceMove>,
    state: State,
) -> ApiResult<HttpResponse> {
    let wanted = body.wanted();
    change::update(&state, caller, path, None, move |tx, site, id| {
        tx.site_space(ReadableSite::from(site), id)?;
        Ok(tx.move_site_space(site, id, &wanted)?)
    })
    .await
}

async fn delete_site_space_by_id(
    Caller(caller): Caller,
    Path((organization, site, id)): Path<SiteSpacePath>,
    state: State,
) -> ApiResult<HttpResponse> {
    change::delete(&state, caller, (organization, site), move |tx, site| {
        tx.site_space(ReadableSite::from(site), id)?;
        Ok(tx.delete_site_space(site, id)?)
    })
    .await
}

impl Part for SiteSpaceId {
    type Wire = SiteSpace;
    const SEGMENT: &'static str = "site-spaces";

    fn show(self, tx: &mut Tx<'_>, site: &LockedSite, view: &SiteView<'_>) -> ApiResult<SiteSpace> {
        Ok(view.site_space(&tx.site_space(ReadableSite::from(site), self)?))
    }
}
