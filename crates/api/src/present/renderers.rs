//! Renderers of sites.

use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::object::SiteRendererTag;
use quire_domain::sites::{SiteRenderer, SiteRendererUrls};
use quire_storage::renderers::RendererRecord;

use super::spaces::count;
use crate::urls::Urls;

/// Returns the renderer of a site, with the number of tags that it has yet to purge.
#[must_use]
pub fn site_renderer(
    urls: &Urls,
    (organization, site): (OrganizationId, SiteId),
    record: RendererRecord,
    pending: u64,
) -> SiteRenderer {
    SiteRenderer {
        object: SiteRendererTag::Tag,
        url: record.url,
        pending,
        failures: count(record.failures),
        next_attempt_at: (record.failures > 0).then_some(record.next_attempt_at),
        last_attempt_at: record.last_attempt_at,
        last_status: record.last_status.and_then(|status| u16::try_from(status).ok()),
        last_error: record.last_error,
        created_at: record.created_at,
        updated_at: record.updated_at,
        urls: SiteRendererUrls {
            location: urls.api(format_args!("orgs/{organization}/sites/{site}/renderer")),
        },
    }
}
