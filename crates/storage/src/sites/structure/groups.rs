//! Groups of a site, each with its sections.

use diesel::prelude::*;
use quire_domain::ids::SiteSectionGroupId;
use quire_domain::sites::SiteSectionGroupFacts;

use super::{Group, Section};
use crate::list::{Slice, fetch_limit};
use crate::schema::site_section_groups;
use crate::sites::ReadableSite;
use crate::transaction::Reader;
use crate::{Error, Result};

/// Facts and position of a group.
type Row = (SiteSectionGroupFacts, String);

impl Reader<'_> {
    /// Returns the groups of a site in their order, each with its sections. Takes four statements.
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
        let groups: Vec<Row> = of_site()
            .filter(site_section_groups::position.gt(after.unwrap_or_default()))
            .order(site_section_groups::position)
            .limit(fetch_limit(limit))
            .select((SiteSectionGroupFacts::as_select(), site_section_groups::position))
            .load(self.connection)?;
        let total = of_site().count().get_result(self.connection)?;
        Slice::cut(groups, limit, total).try_map_all(|groups| self.fill_groups(site, groups))
    }

    /// Returns all groups of a site in their order, without their sections. Takes one statement.
    pub fn all_section_groups(&mut self, site: ReadableSite<'_>) -> Result<Vec<Group>> {
        let groups: Vec<Row> = site_section_groups::table
            .filter(site_section_groups::organization_id.eq(site.organization))
            .filter(site_section_groups::site_id.eq(site.id))
            .order(site_section_groups::position)
            .select((SiteSectionGroupFacts::as_select(), site_section_groups::position))
            .load(self.connection)?;
        Ok(groups.into_iter().map(|row| group(row, Vec::new())).collect())
    }

    /// Returns a group of sections.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn section_group(&mut self, site: ReadableSite<'_>, id: SiteSectionGroupId) -> Result<Group> {
        let group: Option<Row> = site_section_groups::table
            .find((site.organization, site.id, id))
            .select((SiteSectionGroupFacts::as_select(), site_section_groups::position))
            .get_result(self.connection)
            .optional()?;
        self.fill_groups(site, vec![group.ok_or(Error::NotFound)?])?.pop().ok_or(Error::NotFound)
    }

    /// Adds the sections of each group. Takes two statements.
    fn fill_groups(&mut self, site: ReadableSite<'_>, groups: Vec<Row>) -> Result<Vec<Group>> {
        let ids: Vec<_> = groups.iter().map(|(facts, _)| facts.id).collect();
        let mut sections = self.sections_of_groups(site, ids)?;
        let filled = groups.into_iter().map(|row| {
            let id = row.0.id;
            let of_group = sections.extract_if(.., |section| section.section_group == Some(id)).collect();
            group(row, of_group)
        });
        Ok(filled.collect())
    }
}

fn group((facts, position): Row, sections: Vec<Section>) -> Group {
    Group { facts, position, sections }
}
