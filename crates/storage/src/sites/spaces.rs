//! Changes to site spaces.

use std::mem::take;

use diesel::prelude::*;
use diesel::sql_types::{Array, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounds::SPACES_OF_SITE_MAX;
use quire_domain::error::Reason;
use quire_domain::ids::{SiteSectionId, SiteSpaceId, SpaceId};
use quire_domain::positions::{Position, RequestedPosition};
use quire_domain::sites::SiteSpaceUpdate;
use uuid::Uuid;

use super::order::{SiblingSpace, at_end, free_path, moved};
use super::sections::{find, path_taken};
use super::{LockedSite, invalid, localized, require_capacity};
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::schema::{site_spaces, spaces};
use crate::transaction::Tx;
use crate::{Error, Result};

/// Message for a space that is deleted or belongs to another organization.
const NO_SUCH_SPACE: &str = "does not exist in this organization";

sql_files! {
    FillSite(SqlUuid, SqlUuid, Array<SqlUuid>, Array<SqlUuid>, Array<Text>, Array<Text>) = "fill.sql";
}

impl Tx<'_> {
    /// Adds a space to the end of a section. Without a section, it goes to the default section, or to the site itself
    /// if the site has no sections.
    ///
    /// # Errors
    /// 400 for an unknown section or a deleted space; 409 if the space is already in the section, or the site has the
    /// maximum number of spaces.
    pub fn add_site_space(
        &mut self,
        site: &LockedSite,
        space: &Authorized<SpaceRecord>,
        section: Option<SiteSectionId>,
        path: &str,
        draft: bool,
    ) -> Result<SiteSpaceId> {
        let sections = self.section_keys(site)?;
        let section = match section {
            Some(id) if find(&sections, id).is_none() => {
                return Err(invalid("sectionId", "is not a section of this site"));
            }
            Some(id) => Some(id),
            None => self.default_section(site, &sections)?,
        };
        let spaces = self.lock_spaces_on_site(site, &[space.id])?;
        let id = self.put_on_site(site, space, section, path, draft)?;
        self.refresh_structure(site, &spaces)?;
        self.record_created("site-space", id);
        Ok(id)
    }

    /// Adds spaces to an empty site in this order, each with its requested path.
    ///
    /// # Errors
    /// 400 if one of the spaces was deleted.
    pub fn fill_new_site(
        &mut self,
        site: &LockedSite,
        spaces: &[(Authorized<SpaceRecord>, String)],
    ) -> Result<()> {
        let ids: Vec<_> = spaces.iter().map(|(space, _)| space.id).collect();
        let held = self.lock_given_spaces(site, &ids)?;
        if let Some(gone) = ids.iter().position(|id| !held.contains(id)) {
            return Err(invalid(&format!("spaces[{gone}]"), NO_SUCH_SPACE));
        }
        let mut paths: Vec<String> = Vec::new();
        for (_, path) in spaces {
            paths.push(free_path(path, paths.iter().map(String::as_str)));
        }
        let new: Vec<Uuid> = ids.iter().map(|_| self.storage.ids().uuid()).collect();
        let positions: Vec<String> = Position::n_evenly(ids.len()).iter().map(ToString::to_string).collect();
        let (organization, id) = site.keys();
        FillSite::bind((organization, id, new, ids, paths, positions)).execute(self.connection)?;
        Ok(())
    }

    /// Locks and returns the given spaces of the site's organization that are not deleted, so that they stay there
    /// until the transaction ends.
    fn lock_given_spaces(&mut self, site: &LockedSite, ids: &[SpaceId]) -> Result<Vec<SpaceId>> {
        let present = spaces::table
            .filter(spaces::organization_id.eq(site.organization))
            .filter(spaces::id.eq_any(ids))
            .filter(spaces::deleted_at.is_null())
            .order(spaces::id)
            .for_key_share()
            .select(spaces::id);
        Ok(present.load(self.connection)?)
    }

    /// Inserts a site space at the end of a section, or of a site without sections.
    pub(super) fn put_on_site(
        &mut self,
        site: &LockedSite,
        space: &Authorized<SpaceRecord>,
        section: Option<SiteSectionId>,
        path: &str,
        draft: bool,
    ) -> Result<SiteSpaceId> {
        if self.lock_given_spaces(site, &[space.id])?.is_empty() {
            return Err(invalid("spaceId", NO_SUCH_SPACE));
        }
        let siblings = self.spaces_in_section(site, section)?;
        if siblings.iter().any(|sibling| sibling.space == space.id) {
            return Err(Error::refused(Reason::Conflict, "The space is already in this section."));
        }
        let (organization, id) = site.keys();
        let present: i64 = site_spaces::table
            .filter(site_spaces::organization_id.eq(organization))
            .filter(site_spaces::site_id.eq(id))
            .count()
            .get_result(self.connection)?;
        require_capacity(present, SPACES_OF_SITE_MAX, "spaces")?;
        let new = SiteSpaceId::from_uuid(self.storage.ids().uuid());
        let path = free_path(path, siblings.iter().map(|sibling| sibling.path.as_str()));
        let position = at_end(siblings.iter().map(|sibling| &sibling.position));
        diesel::insert_into(site_spaces::table)
            .values((
                site_spaces::organization_id.eq(organization),
                site_spaces::site_id.eq(id),
                site_spaces::id.eq(new),
                site_spaces::section_id.eq(section.map(Uuid::from)),
                site_spaces::space_id.eq(space.id),
                site_spaces::path.eq(path),
                site_spaces::draft.eq(draft),
                site_spaces::position.eq(position.to_string()),
                site_spaces::is_default.eq(siblings.is_empty()),
            ))
            .execute(self.connection)?;
        Ok(new)
    }

    /// Changes a site space.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist; 409 if the path is taken.
    pub fn update_site_space(
        &mut self,
        site: &LockedSite,
        id: SiteSpaceId,
        mut update: SiteSpaceUpdate,
    ) -> Result<()> {
        self.section_and_space(site, id)?;
        let moves = update.path.is_some() || update.draft.is_some();
        let changes = (
            localized(take(&mut update.localized_title))?.map(|texts| site_spaces::localized_title.eq(texts)),
            take(&mut update.condition).assign(site_spaces::condition),
            update,
        );
        if moves {
            self.lock_spaces_on_site(site, &[])?;
        }
        self.note_structure(site.organization, site.id);
        diesel::update(site_spaces::table.find(site.key_of(id)))
            .set(changes)
            .execute(self.connection)
            .optional_empty_changeset()
            .map_err(path_taken)?;
        if moves { self.refresh_site(site) } else { Ok(()) }
    }

    /// Moves a site space next to another one of its section, or to the end of the section.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist; 400 for a position that does not exist.
    pub fn move_site_space(
        &mut self,
        site: &LockedSite,
        id: SiteSpaceId,
        wanted: &RequestedPosition<SiteSpaceId>,
    ) -> Result<()> {
        let (section, _) = self.section_and_space(site, id)?;
        let siblings = self.spaces_in_section(site, section)?.into_iter();
        let position = moved(siblings.map(|sibling| (sibling.id, sibling.position)), &id, wanted)?;
        self.lock_spaces_on_site(site, &[])?;
        self.place_site_space(site, id, &position)?;
        self.refresh_site(site)
    }

    pub(super) fn place_site_space(
        &mut self,
        site: &LockedSite,
        id: SiteSpaceId,
        position: &Position,
    ) -> Result<()> {
        diesel::update(site_spaces::table.find(site.key_of(id)))
            .set(site_spaces::position.eq(position.to_string()))
            .execute(self.connection)?;
        Ok(())
    }

    /// Removes a space from a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist; 409 for the default space while its section has other spaces.
    pub fn delete_site_space(&mut self, site: &LockedSite, id: SiteSpaceId) -> Result<()> {
        let (section, space) = self.section_and_space(site, id)?;
        let siblings = self.present_in_section(site, section)?;
        let default = siblings.iter().find(|sibling| sibling.is_default).or(siblings.first());
        if siblings.len() > 1 && default.is_some_and(|default| default.id == id) {
            return Err(Error::refused(
                Reason::SiteDefault,
                "The site space is the default. Make another one the default first.",
            ));
        }
        let spaces = self.lock_spaces_on_site(site, &[space])?;
        diesel::delete(site_spaces::table.find(site.key_of(id))).execute(self.connection)?;
        self.refresh_structure(site, &spaces)
    }

    /// Sets the default of the default section, or of a site without sections.
    pub(super) fn make_site_space_default(&mut self, site: &LockedSite, id: SiteSpaceId) -> Result<()> {
        let sections = self.section_keys(site)?;
        let section = self.default_section(site, &sections)?;
        self.set_default_site_space(site, section, id)
    }

    /// Sets the default of a site space's section.
    pub(crate) fn set_default_site_space(
        &mut self,
        site: &LockedSite,
        section: Option<SiteSectionId>,
        id: SiteSpaceId,
    ) -> Result<()> {
        let present = self.present_in_section(site, section)?;
        if present.iter().all(|sibling| sibling.id != id) {
            return Err(invalid(
                "defaultSiteSpace",
                if section.is_some() { "is not in the section" } else { "is not on this site" },
            ));
        }
        let (organization, site_id) = site.keys();
        let defaults = site_spaces::table
            .filter(site_spaces::organization_id.eq(organization))
            .filter(site_spaces::site_id.eq(site_id))
            .filter(site_spaces::section_id.is_not_distinct_from(section.map(Uuid::from)))
            .filter(site_spaces::is_default);
        diesel::update(defaults).set(site_spaces::is_default.eq(false)).execute(self.connection)?;
        diesel::update(site_spaces::table.find(site.key_of(id)))
            .set(site_spaces::is_default.eq(true))
            .execute(self.connection)?;
        Ok(())
    }

    /// Returns the site spaces of a section, or of a site without sections, except those whose space is deleted.
    fn present_in_section(
        &mut self,
        site: &LockedSite,
        section: Option<SiteSectionId>,
    ) -> Result<Vec<SiblingSpace>> {
        let mut siblings = self.spaces_in_section(site, section)?;
        let ids: Vec<_> = siblings.iter().map(|sibling| sibling.space).collect();
        let deleted: Vec<SpaceId> = spaces::table
            .filter(spaces::organization_id.eq(site.organization))
            .filter(spaces::id.eq_any(ids))
            .filter(spaces::deleted_at.is_not_null())
            .select(spaces::id)
            .load(self.connection)?;
        siblings.retain(|sibling| !deleted.contains(&sibling.space));
        Ok(siblings)
    }

    /// Returns the section and the space of a site space whose space is not deleted.
    fn section_and_space(
        &mut self,
        site: &LockedSite,
        id: SiteSpaceId,
    ) -> Result<(Option<SiteSectionId>, SpaceId)> {
        let space = spaces::organization_id
            .eq(site_spaces::organization_id)
            .and(spaces::id.eq(site_spaces::space_id));
        let row: Option<(Option<Uuid>, Uuid)> = site_spaces::table
            .find(site.key_of(id))
            .inner_join(spaces::table.on(space))
            .filter(spaces::deleted_at.is_null())
            .select((site_spaces::section_id, site_spaces::space_id))
            .get_result(self.connection)
            .optional()?;
        let (section, space) = row.ok_or(Error::NotFound)?;
        Ok((section.map(SiteSectionId::from), space.into()))
    }
}
