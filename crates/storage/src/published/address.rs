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
    /// Host name, and the host name with each beginning of a path, which a proxy may lead from.
    Proxied(String, Vec<String>),
    /// Organization and site.
    Id(OrganizationId, SiteId),
}

/// Address as a statement compares it.
#[derive(Default)]
pub(super) struct AddressKey<'a> {
    pub(super) host: Option<&'a str>,
    pub(super) organization: Option<Uuid>,
    pub(super) basename: Option<&'a str>,
    pub(super) site: Option<Uuid>,
    pub(super) origins: &'a [String],
}

impl SiteAddress {
    pub(super) fn key(&self) -> AddressKey<'_> {
        match self {
            Self::Host(host) => AddressKey { host: Some(host), ..AddressKey::default() },
            Self::Path(organization, name) => AddressKey {
                organization: Some(*organization.as_uuid()),
                basename: Some(name),
                site: name.parse::<SiteId>().ok().map(|id| *id.as_uuid()),
                ..AddressKey::default()
            },
            Self::Proxied(host, origins) => AddressKey { host: Some(host), origins, ..AddressKey::default() },
            Self::Id(organization, site) => AddressKey {
                organization: Some(*organization.as_uuid()),
                site: Some(*site.as_uuid()),
                ..AddressKey::default()
            },
        }
    }
}
