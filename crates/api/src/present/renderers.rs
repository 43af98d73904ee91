//! Renderers of sites.

use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::object::SiteRendererTag;
use quire_domain::sites::{RendererFacts, SiteRenderer, SiteRendererUrls};

use crate::urls::Urls;

/// Returns the renderer of a site.
#[must_use]
pub fn site_renderer(
    urls: &Urls,
    (organization, site): (OrganizationId, SiteId),
    facts: RendererFacts,
) -> SiteRenderer {
    SiteRenderer {
        object: SiteRendererTag::Tag,
        url: facts.url,
        pending: facts.pending,
        failures: facts.failures,
        next_attempt_at: facts.next_attempt_at,
        last_attempt_at: facts.last_attempt_at,
        last_status: facts.last_status,
        last_error: facts.last_error,
        created_at: facts.created_at,
        updated_at: facts.updated_at,
        urls: SiteRendererUrls {
            location: urls.api(format_args!("orgs/{organization}/sites/{site}/renderer")),
        },
    }
}
