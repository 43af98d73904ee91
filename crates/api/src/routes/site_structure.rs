//! Structure of sites.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::sites::{
    GroupMove, SectionCreate, SectionGroupCreate, SectionGroupUpdate, SectionInGroup, SectionMove,
    SectionUpdate, SiteSection, SiteSectionGroup, SiteSpace, SiteSpaceCreate, SiteSpaceListQuery,
    SiteSpaceMove, SiteSpaceUpdate, VisitorQuery,
};

use crate::route::Access::{self, Needs, NeedsAlso};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1::sites::structure as v1;

const SECTIONS: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/sections", Some(Object::Site));
const SECTION: Resource = Tag::Sites
    .at("/v1/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}", Some(Object::SiteSection));
const MOVE_SECTION: Resource = Tag::Sites
    .at("/v1/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}/move", Some(Object::SiteSection));
const SPACES: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/site-spaces", Some(Object::Site));
const SPACE: Resource = Tag::Sites
    .at("/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}", Some(Object::SiteSpace));
const MOVE_SPACE: Resource = Tag::Sites
    .at("/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/move", Some(Object::SiteSpace));
const GROUPS: Resource =
    Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/section-groups", Some(Object::Site));
const GROUP: Resource = Tag::Sites.at(
    "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}",
    Some(Object::SiteSectionGroup),
);
const MOVE_GROUP: Resource = Tag::Sites.at(
    "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/move",
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

pub(super) fn routes() -> Vec<Route> {
    let view = Needs(Action::ViewOrganizationContent);
    let manage = Needs(Action::ManageSites);
    [sections(view, manage), site_spaces(view, manage), groups(view, manage)].into_iter().flatten().collect()
}

fn sections(view: Access, manage: Access) -> Vec<Route> {
    use v1::sections;
    vec![
        Route::get(
            SECTIONS,
            "listSiteSections",
            view,
            "List a site's sections",
            sections::list_site_sections,
        )
        .query::<VisitorQuery>()
        .query::<PageQuery>()
        .lists::<SiteSection>()
        .for_visitors(),
        Route::post(
            SECTIONS,
            "addSectionToSite",
            NeedsAlso(Action::ManageSites, Action::PublishSpace),
            "Add a section to a site",
            sections::add_section_to_site,
        )
        .body::<SectionCreate>()
        .answers::<SiteSection>(201),
        Route::delete(
            SECTION,
            "deleteSiteSectionById",
            manage,
            "Remove a section",
            sections::delete_site_section_by_id,
        )
        .answers_nothing(),
        Route::patch(
            SECTION,
            "updateSiteSectionById",
            manage,
            "Update a section",
            sections::update_site_section_by_id,
        )
        .body::<SectionUpdate>()
        .answers::<SiteSection>(200),
        Route::post(MOVE_SECTION, "moveSiteSection", manage, "Move a section", sections::move_site_section)
            .body::<SectionMove>()
            .answers::<SiteSection>(200),
    ]
}

fn site_spaces(view: Access, manage: Access) -> Vec<Route> {
    use v1::site_spaces;
    vec![
        Route::get(SPACES, "listSiteSpaces", view, "List a site's spaces", site_spaces::list_site_spaces)
            .query::<VisitorQuery>()
            .query::<SiteSpaceListQuery>()
            .lists::<SiteSpace>()
            .for_visitors(),
        Route::post(
            SPACES,
            "addSpaceToSite",
            NeedsAlso(Action::ManageSites, Action::PublishSpace),
            "Add a space to a site",
            site_spaces::add_space_to_site,
        )
        .body::<SiteSpaceCreate>()
        .answers::<SiteSpace>(201),
        Route::delete(
            SPACE,
            "deleteSiteSpaceById",
            manage,
            "Remove a space from a site",
            site_spaces::delete_site_space_by_id,
        )
        .answers_nothing(),
        Route::patch(
            SPACE,
            "updateSiteSpaceById",
            manage,
            "Update a site space",
            site_spaces::update_site_space_by_id,
        )
        .body::<SiteSpaceUpdate>()
        .answers::<SiteSpace>(200),
        Route::post(MOVE_SPACE, "moveSiteSpace", manage, "Move a site space", site_spaces::move_site_space)
            .body::<SiteSpaceMove>()
            .answers::<SiteSpace>(200),
    ]
}

fn groups(view: Access, manage: Access) -> Vec<Route> {
    use v1::groups;
    vec![
        Route::get(
            GROUPS,
            "listSiteSectionGroups",
            view,
            "List a site's section groups",
            groups::list_site_section_groups,
        )
        .query::<PageQuery>()
        .lists::<SiteSectionGroup>(),
        Route::post(
            GROUPS,
            "addSectionGroupToSite",
            manage,
            "Create a section group",
            groups::add_section_group_to_site,
        )
        .body::<SectionGroupCreate>()
        .answers::<SiteSectionGroup>(201),
        Route::delete(
            GROUP,
            "deleteSiteSectionGroupById",
            manage,
            "Delete a section group",
            groups::delete_site_section_group_by_id,
        )
        .answers_nothing(),
        Route::patch(
            GROUP,
            "updateSiteSectionGroupById",
            manage,
            "Update a section group",
            groups::update_site_section_group_by_id,
        )
        .body::<SectionGroupUpdate>()
        .answers::<SiteSectionGroup>(200),
        Route::post(
            IN_GROUP,
            "addSectionToGroup",
            manage,
            "Add a section to a group",
            groups::add_section_to_group,
        )
        .body::<SectionInGroup>()
        .answers::<SiteSectionGroup>(201),
        Route::delete(
            OUT_OF_GROUP,
            "removeSectionFromGroup",
            manage,
            "Remove a section from a group",
            groups::remove_section_from_group,
        )
        .answers_nothing(),
        Route::post(
            MOVE_GROUP,
            "moveSiteSectionGroup",
            manage,
            "Move a section group",
            groups::move_site_section_group,
        )
        .body::<GroupMove>()
        .answers::<SiteSectionGroup>(200),
    ]
}
