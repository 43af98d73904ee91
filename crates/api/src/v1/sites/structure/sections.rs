//! Site sections.

use quire_domain::sites::{SectionCreate, SectionMove, SectionUpdate, SiteSection, VisitorQuery};
use quire_markup::slugify;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::sites::{LockedSite, ReadableSite};

use super::change::{Part, PartPath};
use super::{change, cut};
use crate::prelude::*;
use crate::v1::sites::{SitePath, Visit, WithConditions, visit_parts};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const SECTIONS: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/sections", Some(Object::Site));
    const SECTION: Resource = Tag::Sites
        .at("/v1/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}", Some(Object::SiteSection));
    const MOVE_SECTION: Resource = Tag::Sites.at(
        "/v1/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}/move",
        Some(Object::SiteSection),
    );
    let view = Needs(Action::ViewOrganizationContent);
    let manage = Needs(Action::ManageSites);
    vec![
        Route::get(SECTIONS, view, "List a site's sections", list_site_sections)
            .query::<VisitorQuery>()
            .query::<PageQuery>()
            .lists::<SiteSection>()
            .for_visitors(),
        Route::post(
            SECTIONS,
            NeedsAlso(Action::ManageSites, Action::PublishSpace),
            "Add a section to a site",
            add_section_to_site,
        )
        .body::<SectionCreate>()
        .answers::<SiteSection>(201),
        Route::delete(SECTION, manage, "Remove a section", delete_site_section_by_id).answers_nothing(),
        Route::patch(SECTION, manage, "Update a section", update_site_section_by_id)
            .body::<SectionUpdate>()
            .answers::<SiteSection>(200),
        Route::post(MOVE_SECTION, manage, "Move a section", move_site_section)
            .body::<SectionMove>()
            .answers::<SiteSection>(200),
    ]
}

type SectionPath = PartPath<SiteSectionId>;

/// Shortest title of a section, in characters.
const TITLE_MIN: usize = 2;

async fn list_site_sections(
    Visiting(caller): Visiting,
    Path(path): Path<SitePath>,
    Query(who): Query<VisitorQuery>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let visitor = Visit::new(who)?;
    let list = format!("sections of {}", path.1);
    let after: Option<String> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let (urls, name) = (state.urls.clone(), list.clone());
    let list = state
        .read(caller.credentials(), move |reader| {
            let after = after.as_deref();
            let (visited, who) = visit_parts(reader, &caller, path, &visitor)?;
            let site = visited.site();
            let key = visitor.key_as(&caller, site);
            let view = SiteView::new(&urls, site).visited_by(&who).shared_with(key);
            let slice = if who.sees_all() {
                reader.site_sections_of((&visited).into(), after, limit)?
            } else {
                let mut sections = reader.all_sections((&visited).into())?;
                sections.retain(|section| view.shows_section(section));
                cut(sections, |section| &section.order_key, after, limit)
            };
            present::list(&name, slice, |s| s.order_key.clone(), |s| Ok(view.section(&s)))
        })
        .await?;
    respond::ok(&request, &list)
}

async fn add_section_to_site(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Json(body): Json<SectionCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let SectionCreate { space_id, title, icon, draft } = body;
    let (title, icon) = (title.into_text()?, icon.into_text()?);
    change::create(&state, caller, path, move |tx, site| {
        let space = space_for_site(tx, space_id, path.0)?;
        let title = title.unwrap_or_else(|| title_from(&space.title));
        let (path, space_path, default_path) = (slugify(&title), slugify(&space.title), slugify(&site.title));
        let texts = (title.as_str(), path.as_str(), icon.as_deref());
        Ok(tx.add_section(site, &space, texts, draft, &space_path, &default_path)?)
    })
    .await
}

async fn update_site_section_by_id(
    Caller(caller): Caller,
    Path(path): Path<SectionPath>,
    OptionalJson(WithConditions(body)): OptionalJson<WithConditions<SectionUpdate>>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    change::update(&state, caller, path, Some(if_match), move |tx, site, id| {
        Ok(tx.update_section(site, id, body)?)
    })
    .await
}

async fn move_site_section(
    Caller(caller): Caller,
    Path(path): Path<SectionPath>,
    OptionalJson(body): OptionalJson<SectionMove>,
    state: State,
) -> ApiResult<HttpResponse> {
    let wanted = body.wanted();
    change::update(&state, caller, path, None, move |tx, site, id| Ok(tx.move_section(site, id, &wanted)?))
        .await
}

async fn delete_site_section_by_id(
    Caller(caller): Caller,
    Path((organization, site, id)): Path<SectionPath>,
    state: State,
) -> ApiResult<HttpResponse> {
    change::delete(&state, caller, (organization, site), move |tx, site| Ok(tx.delete_section(site, id)?))
        .await
}

impl Part for SiteSectionId {
    type Wire = SiteSection;
    const SEGMENT: &'static str = "sections";

    fn show(self, tx: &mut Tx<'_>, site: &LockedSite, view: &SiteView<'_>) -> ApiResult<SiteSection> {
        Ok(view.section(&tx.section(ReadableSite::from(site), self)?))
    }
}

/// Returns a space that the caller may add to a site and that belongs to the site's organization. A missing space is
/// attributed to the body.
pub(super) fn space_for_site(
    tx: &mut Tx<'_>,
    id: SpaceId,
    organization: OrganizationId,
) -> ApiResult<Authorized<SpaceRecord>> {
    let unknown = || ApiError::invalid_field("spaceId", "does not exist in this organization");
    let found = tx.space(id).and_then(|space| space.authorize(Action::PublishSpace));
    match found {
        Ok(space) if space.organization == organization && space.deleted_at.is_none() => Ok(space),
        Ok(_) | Err(quire_storage::Error::NotFound) => Err(unknown()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the title of a space, or `Untitled` if it is too short for a section.
fn title_from(space: &str) -> String {
    let title = space.trim();
    if title.chars().count() >= TITLE_MIN { title.to_owned() } else { "Untitled".to_owned() }
}
