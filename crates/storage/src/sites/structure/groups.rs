//! The groups of a site, each with its sections.

use diesel::prelude::*;
use quire_domain::ids::SiteSectionGroupId;

use super::{Group, GroupRecord};
use crate::list::{Slice, fetch_limit};
use crate::schema::site_section_groups;
use crate::sites::ReadableSite;
use crate::transaction::Reader;
use crate::{Error, Result};

impl Reader<'_> {
    /// Groups of a site in their order, each with its sections: four statements.
    pub fn section_groups_of(
        &mut self,
        site: ReadableSite<'_>,
        after: Option<&str>,
        limit: u16,
    ) -> Result<Slice<Group>> {
        let of_site = || {
            site_section_groups::table
                .filter(site_section_groups::organization_id.eq(site.organization))
                .filter(site_section_groups::site_id.eq(site.id))
        };
        let groups = of_site()
            .filter(site_section_groups::position.gt(after.unwrap_or_default()))
            .order(site_section_groups::position)
            .limit(fetch_limit(limit))
            .select(GroupRecord::as_select())
            .load(self.connection)?;
        let total = of_site().count().get_result(self.connection)?;
        Slice::cut(groups, limit, total).try_map_all(|groups| self.fill_groups(site, groups))
    }

    /// All groups of a site in their order, without their sections: one statement.
    pub fn all_section_groups(&mut self, site: ReadableSite<'_>) -> Result<Vec<GroupRecord>> {
        let groups = site_section_groups::table
            .filter(site_section_groups::organization_id.eq(site.organization))
            .filter(site_section_groups::site_id.eq(site.id))
            .order(site_section_groups::position)
            .select(GroupRecord::as_select());
        Ok(groups.load(self.connection)?)
    }

    /// A group of sections.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn section_group(&mut self, site: ReadableSite<'_>, id: SiteSectionGroupId) -> Result<Group> {
        let group = site_section_groups::table
            .find((site.organization, site.id, id))
            .select(GroupRecord::as_select())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        self.fill_groups(site, vec![group])?.pop().ok_or(Error::NotFound)
    }

    /// Gives each group its sections: two statements for all of them.
    fn fill_groups(&mut self, site: ReadableSite<'_>, groups: Vec<GroupRecord>) -> Result<Vec<Group>> {
        let ids: Vec<_> = groups.iter().map(|group| group.id).collect();
        let mut sections = self.sections_of_groups(site, ids)?;
        let filled = groups.into_iter().map(|group| {
            let of_group = sections.extract_if(.., |section| section.section.group == Some(group.id));
            let sections = of_group.collect();
            Group { group, sections }
        });
        Ok(filled.collect())
    }
}
