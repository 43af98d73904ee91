//! Access of identity providers with SCIM.

use quire_domain::ids::OrganizationId;
use quire_domain::object::ScimTag;
use quire_domain::scim::{Scim, ScimUrls};
use quire_storage::people::scim::ScimTokenRecord;

use crate::scim::service;
use crate::urls::Urls;

/// Returns the access of an identity provider. `token` is that of the organization, if it has one.
#[must_use]
pub fn scim(urls: &Urls, organization: OrganizationId, token: Option<ScimTokenRecord>) -> Scim {
    Scim {
        object: ScimTag::Tag,
        enabled: token.is_some(),
        default_role: token.as_ref().and_then(|token| token.default_role),
        created_at: token.map(|token| token.created_at),
        urls: ScimUrls {
            location: urls.api(format_args!("orgs/{organization}/scim")),
            service: service(urls, organization),
        },
    }
}
