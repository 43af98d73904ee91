//! Spaces and collections of an organization for the navigation.

use maud::{Markup, html};
use quire_domain::ids::{CollectionId, OrganizationId, SpaceId};
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::collections::ListedCollection;
use quire_storage::content::hierarchy::PositionKey;
use quire_storage::content::spaces::{ListedSpace, SpaceRecord};
use quire_storage::list::Slice;
use quire_storage::lookup::Authorized;
use quire_storage::people::organizations::OrganizationRecord;

use super::shell::Frame;
use crate::state::Web;

/// Maximum number of spaces and collections in the navigation.
const MOST: u16 = 100;
/// Maximum number of spaces, or of sites, that a form offers. An organization may have more than its navigation lists.
pub(super) const MOST_OFFERED: u16 = 1_000;
/// Maximum depth of collections in the navigation.
const DEPTH: usize = 16;

/// Organization with the spaces and collections of its navigation.
pub(super) struct Directory {
    pub(super) organization: Authorized<OrganizationRecord>,
    pub(super) frame: Frame,
    pub(super) spaces: Slice<ListedSpace>,
    pub(super) collections: Vec<ListedCollection>,
}

/// Returns the ids and titles of the spaces that a form offers.
pub(super) fn offered_spaces(
    reader: &mut Reader<'_>,
    organization: OrganizationId,
) -> ApiResult<Vec<(String, String)>> {
    let offered = reader.spaces_of(organization, None, MOST_OFFERED)?.items;
    Ok(offered.into_iter().map(|listed| (listed.space.id.to_string(), listed.space.title.clone())).collect())
}

/// Current page of the navigation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Current {
    Home,
    Changes,
    Search,
    Sites,
    Collection(CollectionId),
}

impl Directory {
    /// Loads an organization for one of its members. Sends a fixed number of statements.
    pub(super) fn load(
        reader: &mut Reader<'_>,
        web: &Web,
        id: OrganizationId,
        after: Option<&PositionKey>,
    ) -> ApiResult<Self> {
        let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
        let frame = Frame::load(reader, web, Some((id, organization.title.clone())))?;
        let spaces = reader.spaces_of(id, after, MOST)?;
        let collections = reader.collections_of(&organization, true, None, MOST)?.items;
        Ok(Self { organization, frame, spaces, collections })
    }

    /// Returns the titles of spaces. Sends one statement if some are not listed.
    pub(super) fn titles(
        &self,
        reader: &mut Reader<'_>,
        ids: impl Iterator<Item = SpaceId>,
    ) -> ApiResult<Vec<(SpaceId, String)>> {
        let ids: Vec<SpaceId> = ids.collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let found = reader.visible_spaces(&self.organization, &ids)?;
        Ok(found.into_iter().map(|space| (space.id, space.title.clone())).collect())
    }

    /// Returns the links of the navigation.
    pub(super) fn nav(&self, current: Current) -> Markup {
        let frame = &self.frame;
        let id = self.organization.id;
        html! {
            ul {
                li { (frame.nav_link(&frame.home(), "house", "Home", current == Current::Home)) }
                li { (frame.nav_link(&frame.at(&format!("/o/{id}/changes")), "git-pull-request", "Change requests", current == Current::Changes)) }
                li { (frame.nav_link(&frame.at(&format!("/o/{id}/sites")), "globe", "Sites", current == Current::Sites)) }
                li { (frame.nav_link(&frame.at(&format!("/o/{id}/people")), "users", "People", false)) }
                @if self.organization.may(Action::AdministerOrganization) {
                    li { (frame.nav_link(&frame.at(&format!("/o/{id}/settings")), "settings", "Settings", false)) }
                }
            }
            @if !self.spaces.items.is_empty() || !self.collections.is_empty() {
                h2 id="workspace:spaces" { "Spaces" }
                div.tree { (self.level(None, current, 0)) }
                @if self.spaces.has_more { a.more href=(frame.home()) { "All spaces" } }
            }
        }
    }

    /// Returns whether a collection is listed.
    fn listed(&self, id: CollectionId) -> bool {
        self.collections.iter().any(|listed| listed.collection.id == id)
    }

    fn level(&self, parent: Option<CollectionId>, current: Current, depth: usize) -> Markup {
        // If the caller cannot see the parent collection, its content is shown at the top level.
        let is_here = |found: Option<CollectionId>| found.filter(|id| self.listed(*id)) == parent;
        let spaces = self.spaces.items.iter().filter(|listed| is_here(listed.space.parent));
        let collections = self.collections.iter().filter(|listed| is_here(listed.collection.parent));
        html! {
            ul aria-labelledby=[(depth == 0).then_some("workspace:spaces")] {
                @for ListedSpace { space, .. } in spaces { li { (self.space_link(space)) } }
                @if depth < DEPTH {
                    @for ListedCollection { collection, .. } in collections {
                        li.branch {
                            a href=(self.frame.at(&format!("/c/{}", collection.id))) aria-current=[(current == Current::Collection(collection.id)).then_some("page")] { (collection.title) }
                            details open {
                                summary aria-label={ "In " (collection.title) } { (self.frame.icon("chevron-right", "")) }
                                (self.level(Some(collection.id), current, depth.saturating_add(1)))
                            }
                        }
                    }
                }
            }
        }
    }

    fn space_link(&self, space: &SpaceRecord) -> Markup {
        html! {
            a href=(self.frame.at(&format!("/s/{}", space.id))) {
                (self.frame.space_icon(space))
                span { (space.title) }
                @if space.change_requests_open > 0 {
                    span.count { (space.change_requests_open) span.hidden-text { " open change requests" } }
                }
            }
        }
    }

    /// Returns the card of a space.
    pub(super) fn card(&self, space: &SpaceRecord) -> Markup {
        let frame = &self.frame;
        html! {
            a.space href=(frame.at(&format!("/s/{}", space.id))) {
                span.e { (frame.space_icon(space)) }
                b { (space.title) }
                small { "Changed " (frame.ago(space.updated_at)) }
                @if space.site.is_some() {
                    span.f { span.pill.merged { (frame.icon("globe", "")) "Published" } }
                }
            }
        }
    }
}
