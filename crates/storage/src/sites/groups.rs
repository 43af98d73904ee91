//! Changes to section groups.

use std::mem::take;

use diesel::prelude::*;
use quire_domain::bounds::SECTION_GROUPS_OF_SITE_MAX;
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId};
use quire_domain::positions::{Position, RequestedPosition};
use quire_domain::sites::{SectionGroupUpdate, Sibling};

use super::order::{at_end, moved, placed};
use super::sections::find;
use super::{LockedSite, invalid, localized, require_capacity};
use crate::schema::site_section_groups;
use crate::transaction::Tx;
use crate::{Error, Result};

impl Tx<'_> {
    /// Creates a group at the end of a site, with the given sections in this order.
    ///
    /// # Errors
    /// 400 for a section that does not exist or is repeated; 409 if the site has the maximum number of groups.
    pub fn add_section_group(
        &mut self,
        site: &LockedSite,
        (title, icon, draft): (&str, Option<&str>, bool),
        sections: &[SiteSectionId],
    ) -> Result<SiteSectionGroupId> {
        let known = self.section_keys(site)?;
        for (index, section) in sections.iter().enumerate() {
            let field = format!("sections[{index}]");
            if find(&known, *section).is_none() {
                return Err(invalid(&field, "is not a section of this site"));
            }
            if sections.iter().take(index).any(|other| other == section) {
                return Err(invalid(&field, "repeats a section"));
            }
        }
        let (organization, id) = site.keys();
        let present: i64 = site_section_groups::table
            .filter(site_section_groups::organization_id.eq(organization))
            .filter(site_section_groups::site_id.eq(id))
            .count()
            .get_result(self.connection)?;
        require_capacity(present, SECTION_GROUPS_OF_SITE_MAX, "groups of sections")?;
        let group = SiteSectionGroupId::from_uuid(self.storage.ids().uuid());
        self.record_created("site-section-group", group);
        let position = at_end(self.top_of_site(site)?.iter().map(|(_, position)| position));
        diesel::insert_into(site_section_groups::table)
            .values((
                site_section_groups::organization_id.eq(organization),
                site_section_groups::site_id.eq(id),
                site_section_groups::id.eq(group),
                site_section_groups::title.eq(title),
                site_section_groups::icon.eq(icon),
                site_section_groups::draft.eq(draft),
                site_section_groups::position.eq(position.to_string()),
            ))
            .execute(self.connection)?;
        for (section, position) in sections.iter().zip(Position::n_evenly(sections.len())) {
            self.place_section(site, *section, Some(group), &position)?;
        }
        self.refresh_site(site)?;
        Ok(group)
    }

    /// Changes a group.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn update_section_group(
        &mut self,
        site: &LockedSite,
        id: SiteSectionGroupId,
        mut update: SectionGroupUpdate,
    ) -> Result<()> {
        self.require_group(site, id)?;
        let draft = update.draft;
        let changes = (
            localized(take(&mut update.localized_title))?
                .map(|texts| site_section_groups::localized_title.eq(texts)),
            take(&mut update.icon).assign(site_section_groups::icon),
            update,
        );
        self.note_structure(site.organization, site.id);
        diesel::update(site_section_groups::table.find(site.key_of(id)))
            .set(changes)
            .execute(self.connection)
            .optional_empty_changeset()?;
        if draft.is_some() { self.refresh_site(site) } else { Ok(()) }
    }

    /// Moves a section to the end of a group. A section that is already in the group keeps its position.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the group does not exist; 400 if the section does not exist.
    pub fn add_to_section_group(
        &mut self,
        site: &LockedSite,
        id: SiteSectionGroupId,
        section: SiteSectionId,
    ) -> Result<()> {
        self.require_group(site, id)?;
        let sections = self.section_keys(site)?;
        let known =
            find(&sections, section).ok_or_else(|| invalid("sectionId", "is not a section of this site"))?;
        if known.group == Some(id) {
            return Ok(());
        }
        let position = at_end(self.sections_in_group(site, id)?.iter().map(|(_, position)| position));
        self.place_section(site, section, Some(id), &position)?;
        self.refresh_site(site)
    }

    /// Moves a section out of a group, to the position directly after the group.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the group does not exist, or the section is not in it.
    pub fn remove_from_section_group(
        &mut self,
        site: &LockedSite,
        id: SiteSectionGroupId,
        section: SiteSectionId,
    ) -> Result<()> {
        let top = self.require_group(site, id)?;
        let sections = self.section_keys(site)?;
        if find(&sections, section).and_then(|known| known.group) != Some(id) {
            return Err(Error::NotFound);
        }
        let after_group = RequestedPosition { before: None, after: Some(Sibling::Group(id)) };
        let position = placed(&top, &after_group)?;
        self.place_section(site, section, None, &position)?;
        self.refresh_site(site)
    }

    /// Moves a section out of its group, to the position directly after the group. Returns whether it was in a group.
    pub(crate) fn move_out_of_group(&mut self, site: &LockedSite, section: SiteSectionId) -> Result<bool> {
        let sections = self.section_keys(site)?;
        let Some(group) = find(&sections, section).and_then(|known| known.group) else { return Ok(false) };
        let after_group = RequestedPosition { before: None, after: Some(Sibling::Group(group)) };
        let position = placed(&self.top_of_site(site)?, &after_group)?;
        self.place_section(site, section, None, &position)?;
        Ok(true)
    }

    /// Moves a group next to another group or a section outside of all groups, or to the end of the site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist; 400 for a position that does not exist.
    pub fn move_section_group(
        &mut self,
        site: &LockedSite,
        id: SiteSectionGroupId,
        wanted: &RequestedPosition<Sibling>,
    ) -> Result<()> {
        let position = moved(self.require_group(site, id)?, &Sibling::Group(id), wanted)?;
        self.place_group(site, id, &position)?;
        self.refresh_site(site)
    }

    pub(super) fn place_group(
        &mut self,
        site: &LockedSite,
        id: SiteSectionGroupId,
        position: &Position,
    ) -> Result<()> {
        diesel::update(site_section_groups::table.find(site.key_of(id)))
            .set(site_section_groups::position.eq(position.to_string()))
            .execute(self.connection)?;
        Ok(())
    }

    /// Deletes a group. Its sections take its position.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn delete_section_group(&mut self, site: &LockedSite, id: SiteSectionGroupId) -> Result<()> {
        let mut top = self.require_group(site, id)?;
        let mut previous = Sibling::Group(id);
        for (section, _) in self.sections_in_group(site, id)? {
            let position = placed(&top, &RequestedPosition { before: None, after: Some(previous) })?;
            self.place_section(site, section, None, &position)?;
            let index =
                top.iter().position(|(other, _)| *other == previous).map_or(top.len(), |index| index + 1);
            previous = Sibling::Section(section);
            top.insert(index, (previous, position));
        }
        diesel::delete(site_section_groups::table.find(site.key_of(id))).execute(self.connection)?;
        self.refresh_site(site)
    }

    /// Returns the groups of the site and its sections outside of groups, if the group exists.
    fn require_group(
        &mut self,
        site: &LockedSite,
        id: SiteSectionGroupId,
    ) -> Result<Vec<(Sibling, Position)>> {
        let top = self.top_of_site(site)?;
        if top.iter().any(|(sibling, _)| *sibling == Sibling::Group(id)) {
            Ok(top)
        } else {
            Err(Error::NotFound)
        }
    }
}
