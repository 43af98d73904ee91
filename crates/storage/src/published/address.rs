//! Addresses of sites.

use quire_domain::ids::{OrganizationId, SiteId};
use uuid::Uuid;

/// Address of a site: a host name of its own, or its path below the deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteAddress {
    /// Host name, without a port.
    Host(String),
    /// Organization, and the basename or id of the site.
    Path(OrganizationId, String),
}

/// Address as a statement compares it: host name, organization, basename, id.
pub(super) type Columns<'a> = (Option<&'a str>, Option<&'a Uuid>, Option<&'a str>, Option<Uuid>);

impl SiteAddress {
    pub(super) fn columns(&self) -> Columns<'_> {
        match self {
            Self::Host(host) => (Some(host), None, None, None),
            Self::Path(organization, name) => {
                let id = name.parse::<SiteId>().ok().map(|id| *id.as_uuid());
                (None, Some(organization.as_uuid()), Some(name), id)
            }
        }
    }
}
