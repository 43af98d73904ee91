//! Spaces on sites: added, changed, moved, removed.

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_domain::bounds::SPACES_OF_SITE_MAX;
use quire_domain::error::Reason;
use quire_domain::ids::{SiteSectionId, SiteSpaceId, SpaceId};
use quire_domain::patch::Patch;
use quire_domain::positions::{Position, Wanted};
use uuid::Uuid;

use super::order::{Placed, at_end, free_path, moved};
use super::sections::{OptionalChange, find, path_taken};
use super::{LockedSite, invalid};
use crate::lookup::{Authorized, SpaceRecord};
use crate::schema::site_spaces;
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

/// What may be changed of a site space; `None` keeps.
#[derive(Clone, Debug, Default)]
pub struct SiteSpaceChanges {
    /// The path.
    pub path: Option<String>,
    /// Which visitors see it.
    pub condition: Patch<String>,
}

#[derive(AsChangeset)]
#[diesel(table_name = site_spaces)]
struct SiteSpaceRow {
    path: Option<String>,
    #[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
    condition: Option<Option<String>>,
}

statements! {
    InsertSiteSpace = "INSERT INTO site_spaces (organization_id, site_id, id, section_id, space_id, path, position, is_default) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    InsertSiteSpaces = "INSERT INTO site_spaces (organization_id, site_id, id, space_id, path, position, is_default) \
                        SELECT $1, $2, v.id, v.space_id, v.path, v.position, v.number = 1 \
                        FROM unnest($3, $4, $5, $6) WITH ORDINALITY AS v (id, space_id, path, position, number)";
    CountSiteSpaces = "SELECT count(*) AS total FROM site_spaces WHERE organization_id = $1 AND site_id = $2";
    HoldSpaces = "SELECT id FROM spaces WHERE organization_id = $1 AND id = ANY ($2) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE";
    FindPlace = "SELECT p.section_id, p.space_id FROM site_spaces p JOIN spaces s ON s.id = p.space_id AND s.deleted_at IS NULL \
                 WHERE p.organization_id = $1 AND p.site_id = $2 AND p.id = $3";
    ClearDefaultSpace = "UPDATE site_spaces SET is_default = false \
                         WHERE organization_id = $1 AND site_id = $2 AND section_id IS NOT DISTINCT FROM $3 AND is_default";
    SetDefaultSpace = "UPDATE site_spaces SET is_default = true \
                       WHERE organization_id = $1 AND site_id = $2 AND section_id IS NOT DISTINCT FROM $3 AND id = $4";
    PlaceSiteSpace = "UPDATE site_spaces SET position = $4 WHERE organization_id = $1 AND site_id = $2 AND id = $3";
    DeleteSiteSpace = "DELETE FROM site_spaces WHERE organization_id = $1 AND site_id = $2 AND id = $3";
    DeletedSpaces = "SELECT id FROM spaces WHERE organization_id = $1 AND id = ANY ($2) AND deleted_at IS NOT NULL";
}

#[derive(QueryableByName)]
struct PlaceRow {
    #[diesel(sql_type = Nullable<SqlUuid>)]
    section_id: Option<Uuid>,
    #[diesel(sql_type = SqlUuid)]
    space_id: Uuid,
}

impl PlaceRow {
    fn space(&self) -> SpaceId {
        SpaceId::from_uuid(self.space_id)
    }

    fn section(&self) -> Option<SiteSectionId> {
        self.section_id.map(SiteSectionId::from_uuid)
    }
}

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

impl Tx<'_> {
    /// Adds a space to the end of a section: of the default one when none is named, or of the site itself while it has no sections.
    ///
    /// # Errors
    /// 400 for an unknown section or when the space is gone; 409 when it stands there already, or the site has as many spaces as it
    /// may have.
    pub fn add_site_space(
        &mut self,
        site: &LockedSite,
        space: &Authorized<SpaceRecord>,
        section: Option<SiteSectionId>,
        path: &str,
    ) -> Result<SiteSpaceId> {
        let sections = self.section_keys(site)?;
        let section = match section {
            Some(id) if find(&sections, id).is_none() => {
                return Err(invalid("sectionId", "names no section of this site"));
            }
            Some(id) => Some(id),
            None => self.default_section(site, &sections)?,
        };
        let id = self.put_on_site(site, space, section, path)?;
        self.refresh_publication(site.organization, &[space.id])?;
        self.note_made("site-space", id);
        Ok(id)
    }

    /// Adds spaces to a site that has nothing on it, in this order, each with the path that it shall have.
    ///
    /// # Errors
    /// 400 when one of the spaces is gone.
    pub fn fill_new_site(
        &mut self,
        site: &LockedSite,
        spaces: &[(Authorized<SpaceRecord>, String)],
    ) -> Result<()> {
        let ids: Vec<Uuid> = spaces.iter().map(|(space, _)| *space.id.as_uuid()).collect();
        let (organization, id) = site.keys();
        let held: Vec<IdRow> =
            HoldSpaces::bind((val::<SqlUuid, _>(organization), val::<Array<SqlUuid>, _>(ids.clone())))
                .load(self.connection)?;
        if let Some(gone) = ids.iter().position(|id| held.iter().all(|row| row.id != *id)) {
            return Err(invalid(&format!("spaces[{gone}]"), "there is no such space in this organization"));
        }
        let mut paths: Vec<String> = Vec::new();
        for (_, path) in spaces {
            paths.push(free_path(path, paths.iter().map(String::as_str)));
        }
        let new: Vec<Uuid> = ids.iter().map(|_| self.storage.ids().uuid()).collect();
        let positions: Vec<String> = Position::n_evenly(ids.len()).iter().map(ToString::to_string).collect();
        InsertSiteSpaces::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<Array<SqlUuid>, _>(new),
            val::<Array<SqlUuid>, _>(ids),
            val::<Array<Text>, _>(paths),
            val::<Array<Text>, _>(positions),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Writes the row of a space's place.
    pub(super) fn put_on_site(
        &mut self,
        site: &LockedSite,
        space: &Authorized<SpaceRecord>,
        section: Option<SiteSectionId>,
        path: &str,
    ) -> Result<SiteSpaceId> {
        self.hold_space(site, space.id)?;
        let siblings = self.spaces_in_place(site, section)?;
        if siblings.iter().any(|sibling| sibling.space == space.id) {
            return Err(Error::refused(Reason::Conflict, "The space stands there already."));
        }
        self.require_room_for::<CountSiteSpaces>(site, SPACES_OF_SITE_MAX, "spaces")?;
        let (organization, id) = site.keys();
        let new = SiteSpaceId::from_uuid(self.storage.ids().uuid());
        let path = free_path(path, siblings.iter().map(|sibling| sibling.path.as_str()));
        let position = at_end(siblings.iter().map(|sibling| &sibling.position));
        InsertSiteSpace::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<SqlUuid, _>(*new.as_uuid()),
            val::<Nullable<SqlUuid>, _>(section.map(|section| *section.as_uuid())),
            val::<SqlUuid, _>(*space.id.as_uuid()),
            val::<Text, _>(path),
            val::<Text, _>(position.to_string()),
            val::<Bool, _>(siblings.is_empty()),
        ))
        .execute(self.connection)?;
        Ok(new)
    }

    /// Changes a space's place on a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none; 409 when the path is taken.
    pub fn update_site_space(
        &mut self,
        site: &LockedSite,
        id: SiteSpaceId,
        changes: SiteSpaceChanges,
    ) -> Result<()> {
        let place = self.place_of(site, id)?;
        let SiteSpaceChanges { path, condition } = changes;
        let moves = path.is_some();
        if moves {
            self.lock_spaces(site.organization, &[place.space()])?;
        }
        let (organization, site_id) = site.keys();
        diesel::update(site_spaces::table.find((organization, site_id, *id.as_uuid())))
            .set(SiteSpaceRow { path, condition: condition.into_option() })
            .execute(self.connection)
            .optional_change()
            .map_err(path_taken)?;
        if moves {
            self.refresh_publication(site.organization, &[place.space()])?;
        }
        Ok(())
    }

    /// Moves a space beside another of the same section, or to its end.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none; 400 for a place that isn't.
    pub fn move_site_space(
        &mut self,
        site: &LockedSite,
        id: SiteSpaceId,
        wanted: &Wanted<SiteSpaceId>,
    ) -> Result<()> {
        let place = self.place_of(site, id)?;
        let siblings = self.spaces_in_place(site, place.section())?.into_iter();
        let position = moved(siblings.map(|sibling| (sibling.id, sibling.position)), &id, wanted)?;
        self.set_position::<PlaceSiteSpace>(site, id.as_uuid(), &position)
    }

    /// Takes a space off a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none; 409 for the default one while there are others beside it.
    pub fn delete_site_space(&mut self, site: &LockedSite, id: SiteSpaceId) -> Result<()> {
        let place = self.place_of(site, id)?;
        let siblings = self.present_in_place(site, place.section())?;
        let default = siblings.iter().find(|sibling| sibling.is_default).or(siblings.first());
        if siblings.len() > 1 && default.is_some_and(|default| default.id == id) {
            return Err(Error::refused(
                Reason::SiteDefault,
                "The site space is the default: make another one the default first.",
            ));
        }
        self.lock_spaces(site.organization, &[place.space()])?;
        self.on_part::<DeleteSiteSpace>(site, id.as_uuid())?;
        self.refresh_publication(site.organization, &[place.space()])
    }

    /// Makes a site space the default: of the default section, where there are sections.
    pub(super) fn make_site_space_default(&mut self, site: &LockedSite, id: SiteSpaceId) -> Result<()> {
        let sections = self.section_keys(site)?;
        let section = self.default_section(site, &sections)?;
        self.set_default_site_space(site, section, id)
    }

    /// Makes a site space the default of its section.
    pub(super) fn set_default_site_space(
        &mut self,
        site: &LockedSite,
        section: Option<SiteSectionId>,
        id: SiteSpaceId,
    ) -> Result<()> {
        let present = self.present_in_place(site, section)?;
        if present.iter().all(|sibling| sibling.id != id) {
            return Err(invalid(
                "defaultSiteSpace",
                if section.is_some() { "names nothing in the section" } else { "names nothing on this site" },
            ));
        }
        let (organization, site_id) = site.keys();
        let section = section.map(|section| *section.as_uuid());
        ClearDefaultSpace::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(site_id),
            val::<Nullable<SqlUuid>, _>(section),
        ))
        .execute(self.connection)?;
        SetDefaultSpace::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(site_id),
            val::<Nullable<SqlUuid>, _>(section),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// The spaces of a section, or of the site itself, without deleted ones.
    fn present_in_place(&mut self, site: &LockedSite, section: Option<SiteSectionId>) -> Result<Vec<Placed>> {
        let mut placed = self.spaces_in_place(site, section)?;
        let ids: Vec<Uuid> = placed.iter().map(|sibling| *sibling.space.as_uuid()).collect();
        let deleted: Vec<IdRow> = DeletedSpaces::bind((
            val::<SqlUuid, _>(*site.organization.as_uuid()),
            val::<Array<SqlUuid>, _>(ids),
        ))
        .load(self.connection)?;
        placed.retain(|sibling| deleted.iter().all(|row| row.id != *sibling.space.as_uuid()));
        Ok(placed)
    }

    fn place_of(&mut self, site: &LockedSite, id: SiteSpaceId) -> Result<PlaceRow> {
        let (organization, site_id) = site.keys();
        FindPlace::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(site_id),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?
        .ok_or(Error::NotFound)
    }
}
