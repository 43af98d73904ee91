//! Groups of site sections.

use quire_domain::sites::{
    GroupMove, SectionGroupCreate, SectionGroupUpdate, SectionInGroup, SiteSectionGroup,
};
use quire_storage::sites::{Group, LockedSite, ReadableSite};

use super::change::{Part, PartPath};
use super::{change, cut};
use crate::prelude::*;
use crate::v1::sites::{SitePath, as_member, read};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const GROUPS: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/section-groups", Some(Object::Site));
    const GROUP: Resource = Tag::Sites.at(
        "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}",
        Some(Object::SiteSectionGroup),
    );
    const IN_GROUP: Resource = Tag::Sites.at(
        "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections",
        Some(Object::SiteSectionGroup),
    );
    const OUT_OF_GROUP: Resource = Tag::Sites.at(
    "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}",
    Some(Object::SiteSection),
);
    const MOVE_GROUP: Resource = Tag::Sites.at(
        "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/move",
        Some(Object::SiteSectionGroup),
    );
    let view = Needs(Action::ViewOrganizationContent);
    let manage = Needs(Action::ManageSites);
    vec![
        Route::get(GROUPS, view, "List a site's section groups", list_site_section_groups)
            .query::<PageQuery>()
            .lists::<SiteSectionGroup>(),
        Route::post(GROUPS, manage, "Create a section group", add_section_group_to_site)
            .body::<SectionGroupCreate>()
            .answers::<SiteSectionGroup>(201),
        Route::delete(GROUP, manage, "Delete a section group", delete_site_section_group_by_id)
            .answers_nothing(),
        Route::patch(GROUP, manage, "Update a section group", update_site_section_group_by_id)
            .body::<SectionGroupUpdate>()
            .answers::<SiteSectionGroup>(200),
        Route::post(IN_GROUP, manage, "Add a section to a group", add_section_to_group)
            .body::<SectionInGroup>()
            .answers::<SiteSectionGroup>(201),
        Route::delete(OUT_OF_GROUP, manage, "Remove a section from a group", remove_section_from_group)
            .answers_nothing(),
        Route::post(MOVE_GROUP, manage, "Move a section group", move_site_section_group)
            .body::<GroupMove>()
            .answers::<SiteSectionGroup>(200),
    ]
}

type GroupPath = PartPath<SiteSectionGroupId>;

async fn list_site_section_groups(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<String>::new(format!("section groups of {}", path.1), &page)?;
    let (after, limit) = list.position();
    let urls = state.urls.clone();
    let (site, who, slice) = state
        .read(caller, move |reader| {
            let site = read(reader, path)?;
            let who = as_member(&site);
            let groups = (after.as_deref(), limit);
            let slice = if who.sees_all() {
                reader.section_groups_of((&site).into(), groups.0, groups.1)?
            } else {
                shown_groups(reader, &SiteView::new(&urls, &site).visited_by(&who), (&site).into(), groups)?
            };
            Ok((site, who, slice))
        })
        .await?;
    let view = SiteView::new(&state.urls, &site).visited_by(&who);
    list.respond(&request, slice, |group| group.position.clone(), |group| Ok(view.group(&group)))
}

/// Returns the groups with a section that the reader sees.
fn shown_groups(
    reader: &mut Reader<'_>,
    view: &SiteView<'_>,
    site: ReadableSite<'_>,
    (after, limit): (Option<&str>, u16),
) -> ApiResult<Slice<Group>> {
    let mut groups = reader.section_groups_of(site, None, u16::MAX)?.items;
    groups.retain(|group| view.shows_group(group));
    Ok(cut(groups, |group| &group.position, after, limit))
}

async fn add_section_group_to_site(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Json(body): Json<SectionGroupCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let SectionGroupCreate { title, icon, sections, draft } = body;
    let (title, icon) = (title.into_text()?, icon.into_text()?);
    change::create(&state, caller, path, move |tx, site| {
        let sections = sections.unwrap_or_default();
        Ok(tx.add_section_group(site, (&title, icon.as_deref(), draft), &sections)?)
    })
    .await
}

async fn update_site_section_group_by_id(
    Caller(caller): Caller,
    Path(path): Path<GroupPath>,
    OptionalJson(body): OptionalJson<SectionGroupUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    change::update(&state, caller, path, Some(if_match), move |tx, site, id| {
        Ok(tx.update_section_group(site, id, body)?)
    })
    .await
}

async fn move_site_section_group(
    Caller(caller): Caller,
    Path(path): Path<GroupPath>,
    OptionalJson(body): OptionalJson<GroupMove>,
    state: State,
) -> ApiResult<HttpResponse> {
    let wanted = body.wanted();
    change::update(&state, caller, path, None, move |tx, site, id| {
        Ok(tx.move_section_group(site, id, &wanted)?)
    })
    .await
}

async fn delete_site_section_group_by_id(
    Caller(caller): Caller,
    Path((organization, site, id)): Path<GroupPath>,
    state: State,
) -> ApiResult<HttpResponse> {
    change::delete(&state, caller, (organization, site), move |tx, site| {
        Ok(tx.delete_section_group(site, id)?)
    })
    .await
}

async fn add_section_to_group(
    Caller(caller): Caller,
    Path((organization, site, id)): Path<GroupPath>,
    Json(SectionInGroup { section_id }): Json<SectionInGroup>,
    state: State,
) -> ApiResult<HttpResponse> {
    change::create(&state, caller, (organization, site), move |tx, site| {
        tx.add_to_section_group(site, id, section_id)?;
        Ok(id)
    })
    .await
}

async fn remove_section_from_group(
    Caller(caller): Caller,
    Path((organization, site, id, section)): Path<(
        OrganizationId,
        SiteId,
        SiteSectionGroupId,
        SiteSectionId,
    )>,
    state: State,
) -> ApiResult<HttpResponse> {
    change::delete(&state, caller, (organization, site), move |tx, site| {
        Ok(tx.remove_from_section_group(site, id, section)?)
    })
    .await
}

impl Part for SiteSectionGroupId {
    type Wire = SiteSectionGroup;
    const SEGMENT: &'static str = "section-groups";

    fn show(self, tx: &mut Tx<'_>, site: &LockedSite, view: &SiteView<'_>) -> ApiResult<SiteSectionGroup> {
        Ok(view.group(&tx.section_group(ReadableSite::from(site), self)?))
    }
}
