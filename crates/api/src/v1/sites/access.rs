//! How handlers reach a site.

use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::policy::Action;
use quire_domain::sites::{SiteVisibility, Visitor};
use quire_storage::lookup::{Authorized, ReadableSite, SiteRecord, VisitedSite};
use quire_storage::sites::LockedSite;
use quire_storage::{Reader, Tx};
use serde_json::{Value, json};

use crate::error::{ApiError, ApiResult};
use crate::present::Parts;

/// The organization and the site in a path.
pub(crate) type SitePath = (OrganizationId, SiteId);

/// The site, for whoever may see an organization's sites.
pub(crate) fn read(
    reader: &mut Reader<'_>,
    (organization, site): SitePath,
) -> ApiResult<Authorized<SiteRecord>> {
    Ok(reader.site(organization, site)?.authorize(Action::ViewOrganizationContent)?)
}

/// The site, locked, for whoever may change it.
pub(crate) fn lock(tx: &mut Tx<'_>, (organization, site): SitePath) -> ApiResult<LockedSite> {
    let site = tx.site(organization, site)?.authorize(Action::ManageSites)?;
    Ok(tx.lock_site(site)?)
}

/// A visit: who comes with which key and which claims.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    pub(crate) share_key: Option<String>,
    claims: Option<Value>,
}

impl Visit {
    /// A visit with these query parameters.
    ///
    /// # Errors
    /// 400 for claims that are no JSON object.
    pub(crate) fn new(share_key: Option<String>, claims: Option<&str>) -> ApiResult<Self> {
        let claims = claims.map(|claims| {
            let claims: Option<Value> = serde_json::from_str(claims).ok();
            claims
                .filter(Value::is_object)
                .ok_or_else(|| ApiError::invalid_query("claims", "must be a JSON object"))
        });
        Ok(Self { share_key, claims: claims.transpose()? })
    }

    /// The visitor whose conditions are evaluated: everybody but members who don't say what they want to be seen as. Claims count
    /// where the site has adaptive content.
    pub(crate) fn visitor(&self, visited: &VisitedSite) -> Option<Visitor> {
        if visited.is_member() && self.claims.is_none() {
            return None;
        }
        let counts = visited.site().adaptive_content == Some(true);
        let claims = match (&self.claims, counts) {
            (Some(claims), true) => json!({ "unsigned": claims }),
            _ => json!({}),
        };
        Some(Visitor::new(&claims))
    }

    /// The key, where it is what opens the site: its published addresses carry it then.
    pub(crate) fn key_of(&self, site: &SiteRecord) -> Option<&str> {
        self.share_key.as_deref().filter(|_| site.visibility == SiteVisibility::ShareLink)
    }
}

/// The site for whoever may visit it.
pub(crate) fn visit(reader: &mut Reader<'_>, path: SitePath, visit: &Visit) -> ApiResult<VisitedSite> {
    Ok(reader.visit_site(path.0, path.1, visit.share_key.as_deref())?)
}

/// All that stands on a site: three statements, and one more while it has no sections.
pub(crate) fn parts(reader: &mut Reader<'_>, site: ReadableSite<'_>) -> ApiResult<Parts> {
    let groups = reader.all_section_groups(site)?;
    let sections = reader.all_sections(site)?;
    let root = if sections.is_empty() { reader.all_site_spaces(site)? } else { Vec::new() };
    Ok(Parts { groups, sections, root })
}
