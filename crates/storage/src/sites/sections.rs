//! Changes to sections.

use std::mem::take;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::Error as DieselError;
use quire_database::violated_key;
use quire_domain::bounds::SECTIONS_OF_SITE_MAX;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId};
use quire_domain::positions::{Position, RequestedPosition};
use quire_domain::sites::{SectionUpdate, Sibling};
use uuid::Uuid;

use super::order::{at_end, free_path, moved};
use super::{LockedSite, invalid, localized, require_capacity};
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::schema::{site_sections, site_spaces};
use crate::transaction::Tx;
use crate::{Error, Result};

/// Facts about a section that the rules need.
#[derive(Queryable, Selectable)]
#[diesel(table_name = site_sections, check_for_backend(Pg))]
pub(super) struct SectionKey {
    pub(super) id: SiteSectionId,
    path: String,
    #[diesel(column_name = group_id)]
    pub(super) group: Option<SiteSectionGroupId>,
    is_default: bool,
}

/// Returns the section with this id.
pub(super) fn find(sections: &[SectionKey], id: SiteSectionId) -> Option<&SectionKey> {
    sections.iter().find(|section| section.id == id)
}

impl Tx<'_> {
    /// Adds a section with one space to the end of a site, with its title, requested path (a number is appended if it
    /// is taken) and icon. `space_path` is the path of the space. The first section of a site moves the existing site
    /// spaces into a default section at `default_path`.
    ///
    /// # Errors
    /// 400 if the space was deleted; 409 if the site has the maximum number of sections or spaces.
    pub fn add_section(
        &mut self,
        site: &LockedSite,
        space: &Authorized<SpaceRecord>,
        (title, path, icon): (&str, &str, Option<&str>),
        draft: bool,
        space_path: &str,
        default_path: &str,
    ) -> Result<SiteSectionId> {
        let sections = self.section_keys(site)?;
        let mut paths: Vec<String> = sections.iter().map(|section| section.path.clone()).collect();
        let is_first = sections.is_empty();
        let has_spaces = is_first && !self.spaces_in_section(site, None)?.is_empty();
        require_capacity(sections.len(), SECTIONS_OF_SITE_MAX, "sections")?;
        if has_spaces {
            self.lock_spaces_on_site(site, &[space.id])?;
            let default = self.insert_section(site, (&site.title, default_path, None), false, true)?;
            self.reassign_spaces(site, None, Some(default))?;
            paths.push(default_path.to_owned());
        }
        let path = free_path(path, paths.iter().map(String::as_str));
        let section = self.insert_section(site, (title, &path, icon), draft, is_first && !has_spaces)?;
        self.put_on_site(site, space, Some(section), space_path, false)?;
        self.refresh_site(site)?;
        self.record_created("site-section", section);
        Ok(section)
    }

    fn insert_section(
        &mut self,
        site: &LockedSite,
        (title, path, icon): (&str, &str, Option<&str>),
        draft: bool,
        is_default: bool,
    ) -> Result<SiteSectionId> {
        let section = SiteSectionId::from_uuid(lettered(self.storage.ids().uuid()));
        let position = at_end(self.top_of_site(site)?.iter().map(|(_, position)| position));
        diesel::insert_into(site_sections::table)
            .values((
                site_sections::organization_id.eq(site.organization),
                site_sections::site_id.eq(site.id),
                site_sections::id.eq(section),
                site_sections::title.eq(title),
                site_sections::path.eq(path),
                site_sections::icon.eq(icon),
                site_sections::draft.eq(draft),
                site_sections::position.eq(position.to_string()),
                site_sections::is_default.eq(is_default),
            ))
            .execute(self.connection)?;
        Ok(section)
    }

    /// Changes a section.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist; 400 for a default that is not in it; 409 if the path is taken.
    pub fn update_section(
        &mut self,
        site: &LockedSite,
        id: SiteSectionId,
        mut update: SectionUpdate,
    ) -> Result<()> {
        self.require_section(site, id)?;
        let default_site_space = update.default_site_space;
        let moves = update.path.is_some() || update.draft.is_some();
        let changes = (
            localized(take(&mut update.localized_title))?
                .map(|texts| site_sections::localized_title.eq(texts)),
            take(&mut update.condition).assign(site_sections::condition),
            take(&mut update.icon).assign(site_sections::icon),
            take(&mut update.description).assign(site_sections::description),
            localized(take(&mut update.localized_description))?
                .map(|texts| site_sections::localized_description.eq(texts)),
            update,
        );
        self.note_structure(site.organization, site.id);
        diesel::update(site_sections::table.find(site.key_of(id)))
            .set(changes)
            .execute(self.connection)
            .optional_empty_changeset()
            .map_err(path_taken)?;
        let moves = moves || default_site_space.is_some();
        if let Some(default) = default_site_space {
            self.set_default_site_space(site, Some(id), default)?;
        }
        if moves { self.refresh_site(site) } else { Ok(()) }
    }

    /// Moves a section next to another one, into its group. Without a neighbor, it moves to the end of the site and out
    /// of its group.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist; 400 for a position that does not exist.
    pub fn move_section(
        &mut self,
        site: &LockedSite,
        id: SiteSectionId,
        wanted: &RequestedPosition<SiteSectionId>,
    ) -> Result<()> {
        let sections = self.section_keys(site)?;
        find(&sections, id).ok_or(Error::NotFound)?;
        let field = |name: &SiteSectionId| {
            if Some(*name) == wanted.before { "position.before" } else { "position.after" }
        };
        let mut group = None;
        for name in wanted.named() {
            let sibling = find(&sections, *name).filter(|_| *name != id);
            let sibling =
                sibling.ok_or_else(|| invalid(field(name), "is not another section of this site"))?;
            group = sibling.group;
        }
        let siblings = match group {
            Some(group) => {
                let sections = self.sections_in_group(site, group)?.into_iter();
                sections.map(|(section, position)| (Sibling::Section(section), position)).collect()
            }
            None => self.top_of_site(site)?,
        };
        let wanted = RequestedPosition {
            before: wanted.before.map(Sibling::Section),
            after: wanted.after.map(Sibling::Section),
        };
        let position = moved(siblings, &Sibling::Section(id), &wanted)?;
        self.place_section(site, id, group, &position)?;
        self.refresh_site(site)
    }

    /// Deletes a section with its site spaces. The spaces of the last section stay on the site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist; 409 for the default section while there are other sections.
    pub fn delete_section(&mut self, site: &LockedSite, id: SiteSectionId) -> Result<()> {
        let sections = self.section_keys(site)?;
        let section = find(&sections, id).ok_or(Error::NotFound)?;
        let is_last = sections.len() == 1;
        if !is_last && self.default_section(site, &sections)? == Some(section.id) {
            return Err(Error::refused(
                Reason::SiteDefault,
                "The section is the site's default. Make another section the default first.",
            ));
        }
        let spaces = self.lock_spaces_on_site(site, &[])?;
        if is_last {
            self.reassign_spaces(site, Some(id), None)?;
        }
        diesel::delete(site_sections::table.find(site.key_of(id))).execute(self.connection)?;
        self.refresh_structure(site, &spaces)
    }

    /// Sets the default section of a site.
    pub(crate) fn make_section_default(&mut self, site: &LockedSite, id: SiteSectionId) -> Result<()> {
        let sections = self.section_keys(site)?;
        if find(&sections, id).is_none() {
            return Err(invalid("defaultSiteSection", "is not a section of this site"));
        }
        let (organization, site_id) = site.keys();
        let defaults = site_sections::table
            .filter(site_sections::organization_id.eq(organization))
            .filter(site_sections::site_id.eq(site_id))
            .filter(site_sections::is_default);
        diesel::update(defaults).set(site_sections::is_default.eq(false)).execute(self.connection)?;
        diesel::update(site_sections::table.find(site.key_of(id)))
            .set(site_sections::is_default.eq(true))
            .execute(self.connection)?;
        Ok(())
    }

    /// Moves all spaces of one section, or of a site without sections, into another.
    fn reassign_spaces(
        &mut self,
        site: &LockedSite,
        from: Option<SiteSectionId>,
        to: Option<SiteSectionId>,
    ) -> Result<()> {
        let (organization, id) = site.keys();
        let spaces = site_spaces::table
            .filter(site_spaces::organization_id.eq(organization))
            .filter(site_spaces::site_id.eq(id))
            .filter(site_spaces::section_id.is_not_distinct_from(from.map(Uuid::from)));
        diesel::update(spaces)
            .set(site_spaces::section_id.eq(to.map(Uuid::from)))
            .execute(self.connection)?;
        Ok(())
    }

    /// Returns the sections of a site, in order of creation.
    pub(super) fn section_keys(&mut self, site: &LockedSite) -> Result<Vec<SectionKey>> {
        let (organization, id) = site.keys();
        let sections = site_sections::table
            .filter(site_sections::organization_id.eq(organization))
            .filter(site_sections::site_id.eq(id))
            .order(site_sections::id)
            .select(SectionKey::as_select());
        Ok(sections.load(self.connection)?)
    }

    /// Returns the site's default section: the flagged one, or else the first.
    pub(super) fn default_section(
        &mut self,
        site: &LockedSite,
        sections: &[SectionKey],
    ) -> Result<Option<SiteSectionId>> {
        if let Some(section) = sections.iter().find(|section| section.is_default) {
            return Ok(Some(section.id));
        }
        for (sibling, _) in self.top_of_site(site)? {
            match sibling {
                Sibling::Section(section) => return Ok(Some(section)),
                Sibling::Group(group) => {
                    if let Some((section, _)) = self.sections_in_group(site, group)?.first() {
                        return Ok(Some(*section));
                    }
                }
            }
        }
        Ok(None)
    }

    pub(super) fn require_section(&mut self, site: &LockedSite, id: SiteSectionId) -> Result<()> {
        let sections = self.section_keys(site)?;
        find(&sections, id).map(|_| ()).ok_or(Error::NotFound)
    }

    pub(super) fn place_section(
        &mut self,
        site: &LockedSite,
        id: SiteSectionId,
        group: Option<SiteSectionGroupId>,
        position: &Position,
    ) -> Result<()> {
        diesel::update(site_sections::table.find(site.key_of(id)))
            .set((
                site_sections::position.eq(position.to_string()),
                site_sections::group_id.eq(group.map(Uuid::from)),
            ))
            .execute(self.connection)?;
        Ok(())
    }
}

/// Maps a violated key to a refusal: siblings must have different paths.
pub(super) fn path_taken(error: DieselError) -> Error {
    match violated_key(&error) {
        Some("site_sections_organization_id_site_id_path_key" | "site_spaces_path" | "site_spaces_once") => {
            let refusal = Refusal::new(Reason::SlugTaken).with_message("The path is already in use.");
            refusal.at("path", "is already in use").into()
        }
        _ => error.into(),
    }
}

/// Sets the first digit of an id to `a`. Renderers use section ids as CSS selectors, which must not start with a
/// decimal digit. The first digit of the time in an id is 0 until the year 2527.
fn lettered(id: Uuid) -> Uuid {
    Uuid::from_u128(id.as_u128() | (0xa << 124))
}
