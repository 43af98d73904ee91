//! Content of a published site.

use quire_domain::Role;
use quire_domain::ids::{OrganizationId, SpaceId};
use quire_domain::policy::Action;
use quire_revision::TreeHash;

use super::structure::PublishedSpace;
use super::visitor::VISITOR;
use crate::Result;
use crate::content::openapi_specs::ReadableSpecs;
use crate::content::store::ContentPoint;
use crate::lookup::{Authorized, Found, Guarded};

/// Head of a space on a site, as read by visitors of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedContent {
    space: SpaceId,
    root: TreeHash,
    specs: ReadableSpecs,
}

impl ContentPoint for PublishedContent {
    fn space(&self) -> SpaceId {
        self.space
    }

    fn root(&self) -> TreeHash {
        self.root
    }

    fn readable_specs(&self) -> ReadableSpecs {
        self.specs
    }
}

impl Guarded for PublishedContent {
    const VIEW: Action = Action::ViewSpace;
}

impl PublishedContent {
    /// Returns the content of a space for visitors of its site, with the specifications that it may show.
    pub(super) fn authorized(
        space: &PublishedSpace,
        organization: OrganizationId,
    ) -> Result<Authorized<Self>> {
        let specs = ReadableSpecs::shown_by(space.space, organization);
        let value = Self { space: space.space, root: space.root, specs };
        Found { actor: VISITOR, role: Some(Role::Read), blocked: false, value }.authorize(Action::ViewSpace)
    }
}
