//! Renderers of sites.

use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::object::SiteRendererTag;
use quire_domain::sites::{SiteRenderer, SiteRendererState, SiteRendererUrls};

use crate::urls::Urls;

/// Returns the renderer of a site.
#[must_use]
pub fn site_renderer(
    urls: &Urls,
    (organization, site): (OrganizationId, SiteId),
    state: SiteRendererState,
) -> SiteRenderer {
    SiteRenderer {
        object: SiteRendererTag::Tag,
        state,
        urls: SiteRendererUrls {
            location: urls.api(format_args!("orgs/{organization}/sites/{site}/renderer")),
        },
    }
}
