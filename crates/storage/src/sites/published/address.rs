//! Addresses of sites.

use quire_domain::ids::{OrganizationId, SiteId};

use super::visitor::ShareKeyHash;

/// Address of a site: a custom host name, or a path below the deployment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SiteAddress {
    /// Host name, without a port.
    Host(String),
    /// Slug, hostname or id of the organization; basename, slug or id of the site.
    Path(String, String),
    /// Host name, and the host name with each prefix of the path, any of which a proxy may use as its origin.
    Proxied(String, Vec<String>),
    /// Organization and site.
    Id(OrganizationId, SiteId),
}

/// Lookup of a site for a visitor without an API token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SiteKey {
    /// Address of the site.
    pub address: SiteAddress,
    /// Key of a share link.
    pub share_key: Option<ShareKeyHash>,
}

/// Addresses as parallel arrays for a statement.
#[derive(Default)]
pub(super) struct AddressArrays<'a> {
    pub(super) hosts: Vec<Option<&'a str>>,
    pub(super) organizations: Vec<Option<OrganizationId>>,
    pub(super) organization_names: Vec<Option<&'a str>>,
    pub(super) names: Vec<Option<&'a str>>,
    pub(super) sites: Vec<Option<SiteId>>,
    /// Host names with path prefixes.
    pub(super) origins: Vec<&'a str>,
    /// Position of the address of each origin, from 1.
    pub(super) origin_keys: Vec<i64>,
}

impl<'a> AddressArrays<'a> {
    pub(super) fn of(addresses: impl Iterator<Item = &'a SiteAddress>) -> Self {
        let mut arrays = Self::default();
        for (address, key) in addresses.zip(1..) {
            let (host, names, organization, site) = match address {
                SiteAddress::Host(host) => (Some(host.as_str()), None, None, None),
                SiteAddress::Path(organization, name) => {
                    let names = (organization.as_str(), name.as_str());
                    (None, Some(names), organization.parse().ok(), name.parse::<SiteId>().ok())
                }
                SiteAddress::Proxied(host, origins) => {
                    arrays.origins.extend(origins.iter().map(String::as_str));
                    arrays.origin_keys.extend(origins.iter().map(|_| key));
                    (Some(host.as_str()), None, None, None)
                }
                SiteAddress::Id(organization, site) => (None, None, Some(*organization), Some(*site)),
            };
            arrays.hosts.push(host);
            arrays.organizations.push(organization);
            arrays.organization_names.push(names.map(|(organization, _)| organization));
            arrays.names.push(names.map(|(_, name)| name));
            arrays.sites.push(site);
        }
        arrays
    }
}
