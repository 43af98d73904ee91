//! Presentation of links and backlinks, with their targets and locations.

use quire_domain::links::{
    CollectionLocation, ContentLocation, FileLocation, InternalLocation, Link, OpenApiLocation, PageLocation,
    ReusableContentLocation, SpaceLocation, UrlLocation, UserLocation, VersionContext,
};
use quire_domain::{ChangeRequest, Organization, Space};
use quire_revision::EntryId;
use quire_storage::content::links::{Backlink, Elsewhere, ExternalTargets, LinkTarget, ShownLink};

use super::content::ContentView;

/// Content of a revision, with the resources that locations contain.
pub struct LinkView<'a> {
    /// Content.
    pub content: ContentView<'a>,
    /// Organization that owns the space.
    pub organization: Organization,
    /// Space.
    pub space: Space,
    /// Change request of the content.
    pub change_request: Option<ChangeRequest>,
    /// `true` for a visitor of a site.
    pub is_visitor: bool,
}

impl LinkView<'_> {
    /// Returns a link with its target and its locations.
    #[must_use]
    pub fn link(&self, link: &ShownLink, external: &ExternalTargets) -> Link {
        let nodes = link.nodes.iter();
        Link {
            status: link.status,
            relation: link.relation,
            target_reference: self.target(&link.target, external),
            location_references: nodes
                .filter_map(|key| self.location(link.holder.entry(), node(key.as_deref())))
                .collect(),
        }
    }

    /// Returns the location of a backlink; `None` if it no longer exists.
    #[must_use]
    pub fn backlink(&self, link: &Backlink) -> Option<ContentLocation> {
        self.location(link.holder.entry(), node(link.node.as_deref()))
    }

    /// Returns the target of a link; `None` if it does not exist or the caller may not see it.
    fn target(&self, target: &LinkTarget, external: &ExternalTargets) -> Option<ContentLocation> {
        match target {
            LinkTarget::Url(url) => Some(ContentLocation::Url(UrlLocation { url: url.clone() })),
            LinkTarget::Content(id) => self.location(*id, None),
            LinkTarget::Anchor(id, anchor) => {
                self.location(*id, Some(InternalLocation::Anchor { anchor: anchor.clone() }))
            }
            LinkTarget::Elsewhere(Elsewhere::Space(id)) => {
                let space = match (external.spaces.get(id), external.visited_spaces.get(id)) {
                    (Some((record, role)), _) => super::space(self.content.urls, record, *role),
                    (None, Some(visited)) => super::visited_space(self.content.urls, visited),
                    (None, None) => return None,
                };
                Some(ContentLocation::Space(Box::new(SpaceLocation {
                    organization: self.organization.clone(),
                    space,
                })))
            }
            LinkTarget::Elsewhere(Elsewhere::User(id)) => {
                let user = super::user(self.content.urls, external.users.get(id)?);
                Some(ContentLocation::User(UserLocation { user }))
            }
            LinkTarget::Elsewhere(Elsewhere::Collection(id)) => {
                let (record, role) = external.collections.get(id)?;
                let collection = super::collection(self.content.urls, record, *role);
                Some(ContentLocation::Collection(Box::new(CollectionLocation {
                    organization: self.organization.clone(),
                    collection,
                })))
            }
            LinkTarget::Elsewhere(Elsewhere::Specification(name)) => {
                let record = external.specifications.get(name)?;
                let openapi_spec = match self.is_visitor {
                    true => super::visited_openapi_spec(self.content.urls, record),
                    false => super::openapi_spec(self.content.urls, record),
                };
                Some(ContentLocation::OpenApi(Box::new(OpenApiLocation {
                    organization: self.organization.clone(),
                    openapi_spec,
                })))
            }
            LinkTarget::Nothing => None,
        }
    }

    fn location(&self, id: EntryId, internal_location: Option<InternalLocation>) -> Option<ContentLocation> {
        let (organization, space) = (self.organization.clone(), self.space.clone());
        let change_request = self.change_request.clone().map(Box::new);
        let version_context =
            change_request.map(|change_request| VersionContext::ChangeRequest { change_request });
        Some(match id {
            EntryId::Page(id) => {
                let page = self.content.page_alone(self.content.tree.page(id)?);
                let location = PageLocation { organization, space, page, version_context, internal_location };
                ContentLocation::Page(Box::new(location))
            }
            EntryId::File(id) => {
                let file = self.content.file(self.content.tree.file(id)?);
                ContentLocation::File(Box::new(FileLocation { organization, space, file, version_context }))
            }
            EntryId::ReusableContent(id) => {
                let reusable_content = self.content.reusable_content(self.content.tree.reusable_content(id)?);
                let location =
                    ReusableContentLocation { organization, space, reusable_content, version_context };
                ContentLocation::ReusableContent(Box::new(location))
            }
        })
    }
}

fn node(key: Option<&str>) -> Option<InternalLocation> {
    key.map(|node| InternalLocation::Node { node: node.to_owned() })
}
