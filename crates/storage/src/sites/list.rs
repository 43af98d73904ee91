//! Lists of sites.

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use diesel::sql_types::Bool;
use quire_database::functions::{lower, strpos};
use quire_domain::ids::{SiteId, SpaceId};
use quire_domain::policy::{Action, Membership};
use quire_domain::sites::{SiteType, SiteVisibility};

use crate::Result;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::site_spaces;
use crate::sites::SiteRecord;
use crate::transaction::Reader;
use crate::views::{site_access, space_access};

/// Filter of a list of sites.
#[derive(Clone, Debug, Default)]
pub struct SiteFilter {
    /// Space on the sites, if the reader may see it there.
    pub space: Option<SpaceId>,
    /// Text that the title contains, ignoring case.
    pub title: Option<String>,
    /// `true` for published sites, `false` for unpublished ones.
    pub published: Option<bool>,
    /// Types; empty for all.
    pub types: Vec<SiteType>,
}

impl Reader<'_> {
    /// Returns the sites of an organization, newest first. Takes two statements.
    pub fn sites_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        filter: &SiteFilter,
        after: Option<SiteId>,
        limit: u16,
    ) -> Result<Slice<SiteRecord>> {
        let manages = Membership::active(organization.role()).allows(Action::ManageSites).into_sql::<Bool>();
        // Conditions are not evaluated here: a space with a condition is found only by readers with a role on it.
        let is_plainly_published = site_access::published
            .and(site_access::visibility.ne(SiteVisibility::ShareLink.as_str()))
            .and(site_spaces::section_id.is_null())
            .and(site_spaces::condition.is_null())
            .and(not(site_spaces::draft));
        let matching = || {
            let mut matching = site_access::table
                .filter(self.token_is_valid::<site_access::table>())
                .filter(site_access::organization_id.eq(organization.id))
                .into_boxed();
            if let Some(space) = filter.space {
                let space_of_token = space_access::organization_id
                    .eq(site_spaces::organization_id)
                    .and(space_access::id.eq(site_spaces::space_id));
                let shown = site_spaces::table
                    .inner_join(space_access::table.on(space_of_token))
                    .filter(site_spaces::organization_id.eq(site_access::organization_id))
                    .filter(site_spaces::site_id.eq(site_access::id))
                    .filter(site_spaces::space_id.eq(space))
                    .filter(space_access::token_id.eq(site_access::token_id))
                    .filter(space_access::deleted_at.is_null())
                    .filter(space_access::role.is_not_null().or(is_plainly_published).or(manages));
                matching = matching.filter(exists(shown));
            }
            if let Some(title) = &filter.title {
                matching = matching.filter(strpos(lower(site_access::title), lower(title)).gt(0));
            }
            if let Some(published) = filter.published {
                matching = matching.filter(site_access::published.eq(published));
            }
            if !filter.types.is_empty() {
                let types: Vec<&str> = filter.types.iter().map(|site_type| site_type.as_str()).collect();
                matching = matching.filter(site_access::type_.eq_any(types));
            }
            matching
        };
        let page = matching()
            .filter(site_access::id.lt(page_end(after)))
            .order(site_access::id.desc())
            .limit(fetch_limit(limit))
            .select(SiteRecord::as_select());
        let count = matching().count();
        let rows = page.load(self.connection)?;
        let total = count.get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }
}
