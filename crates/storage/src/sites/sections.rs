//! Sections: added, changed, moved, removed.

use diesel::prelude::*;
use diesel::result::Error as DieselError;
use diesel::sql_types::{Nullable, Text, Uuid as SqlUuid};
use quire_domain::bounds::SECTIONS_OF_SITE_MAX;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId, SpaceId};
use quire_domain::patch::Patch;
use quire_domain::positions::{Position, Wanted};
use quire_domain::sites::Sibling;
use uuid::Uuid;

use super::order::{at_end, free_path, moved};
use super::{LockedSite, invalid, require_room};
use crate::error::violated_key;
use crate::lookup::{Authorized, SpaceRecord};
use crate::schema::site_sections;
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

/// A new section.
#[derive(Clone, Debug)]
pub struct NewSection {
    /// Its title.
    pub title: String,
    /// The path that it shall have; a number is added when it is taken.
    pub path: String,
    /// The name of its icon.
    pub icon: Option<String>,
    /// The path of its first space.
    pub space_path: String,
    /// The path of the section that takes what stands on the site already, if this is the first one.
    pub default_path: String,
}

/// What may be changed of a section; `None` keeps.
#[derive(Clone, Debug, Default)]
pub struct SectionChanges {
    /// The title.
    pub title: Option<String>,
    /// The path.
    pub path: Option<String>,
    /// The site space to show first.
    pub default_site_space: Option<SiteSpaceId>,
    /// Which visitors see it.
    pub condition: Patch<String>,
    /// The name of its icon.
    pub icon: Patch<String>,
    /// What it is about.
    pub description: Patch<String>,
}

#[derive(AsChangeset)]
#[diesel(table_name = site_sections)]
#[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
struct SectionRow {
    title: Option<String>,
    path: Option<String>,
    condition: Option<Option<String>>,
    icon: Option<Option<String>>,
    description: Option<Option<String>>,
}

statements! {
    Sections = "SELECT id, path, group_id, is_default FROM site_sections WHERE organization_id = $1 AND site_id = $2 ORDER BY id";
    InsertSection = "INSERT INTO site_sections (organization_id, site_id, id, title, path, icon, position, is_default) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    TakeRootSpaces = "UPDATE site_spaces SET section_id = $3 WHERE organization_id = $1 AND site_id = $2 AND section_id IS NULL";
    GiveBackSpaces = "UPDATE site_spaces SET section_id = NULL WHERE organization_id = $1 AND site_id = $2 AND section_id = $3";
    ClearDefaultSection = "UPDATE site_sections SET is_default = false WHERE organization_id = $1 AND site_id = $2 AND is_default";
    SetDefaultSection = "UPDATE site_sections SET is_default = true WHERE organization_id = $1 AND site_id = $2 AND id = $3";
    PlaceSection = "UPDATE site_sections SET position = $4, group_id = $5 WHERE organization_id = $1 AND site_id = $2 AND id = $3";
    DeleteSection = "DELETE FROM site_sections WHERE organization_id = $1 AND site_id = $2 AND id = $3";
    HoldSpace = "SELECT 1 FROM spaces WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE";
}

/// What the rules about sections need to know of one.
#[derive(QueryableByName)]
pub(super) struct SectionKey {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    path: String,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    group_id: Option<Uuid>,
    #[diesel(sql_type = diesel::sql_types::Bool)]
    is_default: bool,
}

impl SectionKey {
    pub(super) fn id(&self) -> SiteSectionId {
        SiteSectionId::from_uuid(self.id)
    }

    pub(super) fn group(&self) -> Option<SiteSectionGroupId> {
        self.group_id.map(SiteSectionGroupId::from_uuid)
    }
}

/// The section of a list with this id.
pub(super) fn find(sections: &[SectionKey], id: SiteSectionId) -> Option<&SectionKey> {
    sections.iter().find(|section| section.id() == id)
}

impl Tx<'_> {
    /// Adds a section with one space to the end of a site. The first section of a site takes what stands there already into a
    /// default section.
    ///
    /// # Errors
    /// 400 when the space is gone; 409 when the site has as many sections or spaces as it may have.
    pub fn add_section(
        &mut self,
        site: &LockedSite,
        space: &Authorized<SpaceRecord>,
        new: &NewSection,
    ) -> Result<SiteSectionId> {
        let sections = self.section_keys(site)?;
        let mut paths: Vec<String> = sections.iter().map(|section| section.path.clone()).collect();
        let is_first = sections.is_empty();
        let has_spaces = is_first && !self.spaces_in_place(site, None)?.is_empty();
        require_room(sections.len(), 1, SECTIONS_OF_SITE_MAX, "sections")?;
        if has_spaces {
            let mut all = self.spaces_on_site(site)?;
            // The new one with them: spaces are locked in one order.
            all.push(space.id);
            self.lock_spaces(site.organization, &all)?;
            let default = self.insert_section(site, &site.title, &new.default_path, None, true)?;
            self.on_part::<TakeRootSpaces>(site, default.as_uuid())?;
            paths.push(new.default_path.clone());
        }
        let path = free_path(&new.path, paths.iter().map(String::as_str));
        let section =
            self.insert_section(site, &new.title, &path, new.icon.as_deref(), is_first && !has_spaces)?;
        self.put_on_site(site, space, Some(section), &new.space_path)?;
        self.refresh_site(site)?;
        self.note_made("site-section", section);
        Ok(section)
    }

    fn insert_section(
        &mut self,
        site: &LockedSite,
        title: &str,
        path: &str,
        icon: Option<&str>,
        is_default: bool,
    ) -> Result<SiteSectionId> {
        let section = SiteSectionId::from_uuid(self.storage.ids().uuid());
        let position = at_end(self.top_of_site(site)?.iter().map(|(_, position)| position));
        let (organization, id) = site.keys();
        InsertSection::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<SqlUuid, _>(*section.as_uuid()),
            val::<Text, _>(title.to_owned()),
            val::<Text, _>(path.to_owned()),
            val::<Nullable<Text>, _>(icon.map(str::to_owned)),
            val::<Text, _>(position.to_string()),
            val::<diesel::sql_types::Bool, _>(is_default),
        ))
        .execute(self.connection)?;
        Ok(section)
    }

    /// Changes a section.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none; 400 for a default that doesn't stand in it; 409 when the path is taken.
    pub fn update_section(
        &mut self,
        site: &LockedSite,
        id: SiteSectionId,
        changes: SectionChanges,
    ) -> Result<()> {
        self.require_section(site, id)?;
        let SectionChanges { title, path, default_site_space, condition, icon, description } = changes;
        let moves = path.is_some();
        let row = SectionRow {
            title,
            path,
            condition: condition.into_option(),
            icon: icon.into_option(),
            description: description.into_option(),
        };
        let (organization, site_id) = site.keys();
        diesel::update(site_sections::table.find((organization, site_id, *id.as_uuid())))
            .set(row)
            .execute(self.connection)
            .optional_change()
            .map_err(path_taken)?;
        if let Some(default) = default_site_space {
            self.set_default_site_space(site, Some(id), default)?;
        }
        if moves { self.refresh_site(site) } else { Ok(()) }
    }

    /// Moves a section beside another, and into or out of that one's group; without a place to the end of the site, out of any group.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none; 400 for a place that isn't.
    pub fn move_section(
        &mut self,
        site: &LockedSite,
        id: SiteSectionId,
        wanted: &Wanted<SiteSectionId>,
    ) -> Result<()> {
        let sections = self.section_keys(site)?;
        find(&sections, id).ok_or(Error::NotFound)?;
        let field = |name: &SiteSectionId| {
            if Some(*name) == wanted.before { "position.before" } else { "position.after" }
        };
        let mut group = None;
        for name in wanted.named() {
            let beside = find(&sections, *name).filter(|_| *name != id);
            let beside = beside.ok_or_else(|| invalid(field(name), "names no other section of this site"))?;
            group = beside.group();
        }
        let siblings = match group {
            Some(group) => self.sections_in_group(site, group)?,
            None => self.top_of_site(site)?,
        };
        let wanted =
            Wanted { before: wanted.before.map(Sibling::Section), after: wanted.after.map(Sibling::Section) };
        let position = moved(siblings, &Sibling::Section(id), &wanted)?;
        self.place_section(site, id, group, &position)
    }

    /// Removes a section with the spaces' places in it. The last one gives them back to the site itself.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none; 409 for the default one while there are others.
    pub fn delete_section(&mut self, site: &LockedSite, id: SiteSectionId) -> Result<()> {
        let sections = self.section_keys(site)?;
        let section = find(&sections, id).ok_or(Error::NotFound)?;
        let is_last = sections.len() == 1;
        if !is_last && self.default_section(site, &sections)? == Some(section.id()) {
            return Err(Error::refused(
                Reason::SiteDefault,
                "The section is the site's default: make another one the default first.",
            ));
        }
        let spaces = self.spaces_on_site(site)?;
        self.lock_spaces(site.organization, &spaces)?;
        if is_last {
            self.on_part::<GiveBackSpaces>(site, id.as_uuid())?;
        }
        self.on_part::<DeleteSection>(site, id.as_uuid())?;
        self.refresh_publication(site.organization, &spaces)
    }

    /// Makes a section the site's default.
    pub(super) fn make_section_default(&mut self, site: &LockedSite, id: SiteSectionId) -> Result<()> {
        let sections = self.section_keys(site)?;
        if find(&sections, id).is_none() {
            return Err(invalid("defaultSiteSection", "names no section of this site"));
        }
        let (organization, site_id) = site.keys();
        ClearDefaultSection::bind((val::<SqlUuid, _>(organization), val::<SqlUuid, _>(site_id)))
            .execute(self.connection)?;
        self.on_part::<SetDefaultSection>(site, id.as_uuid())
    }

    /// The sections of a site, in no order that means something.
    pub(super) fn section_keys(&mut self, site: &LockedSite) -> Result<Vec<SectionKey>> {
        let (organization, id) = site.keys();
        Ok(Sections::bind((val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id))).load(self.connection)?)
    }

    /// The site's default section: the one that was made so, or the first.
    pub(super) fn default_section(
        &mut self,
        site: &LockedSite,
        sections: &[SectionKey],
    ) -> Result<Option<SiteSectionId>> {
        if let Some(section) = sections.iter().find(|section| section.is_default) {
            return Ok(Some(section.id()));
        }
        for (sibling, _) in self.top_of_site(site)? {
            match sibling {
                Sibling::Section(section) => return Ok(Some(section)),
                Sibling::Group(group) => {
                    if let Some((Sibling::Section(section), _)) = self.sections_in_group(site, group)?.first()
                    {
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
        let (organization, site_id) = site.keys();
        PlaceSection::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(site_id),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Text, _>(position.to_string()),
            val::<Nullable<SqlUuid>, _>(group.map(|group| *group.as_uuid())),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// The space's row can't be deleted or leave its organization until the transaction ends.
    pub(super) fn hold_space(&mut self, site: &LockedSite, space: SpaceId) -> Result<()> {
        HoldSpace::bind((
            val::<SqlUuid, _>(*site.organization.as_uuid()),
            val::<SqlUuid, _>(*space.as_uuid()),
        ))
        .execute(self.connection)
        .and_then(|held| if held == 1 { Ok(()) } else { Err(DieselError::NotFound) })
        .map_err(|error| match error {
            DieselError::NotFound => invalid("spaceId", "there is no such space in this organization"),
            error => error.into(),
        })
    }
}

/// An update without any change is no statement for diesel, and no error here.
pub(super) trait OptionalChange {
    /// The same, with nothing to change as no row changed.
    fn optional_change(self) -> std::result::Result<usize, DieselError>;
}

impl OptionalChange for std::result::Result<usize, DieselError> {
    fn optional_change(self) -> Self {
        match self {
            Err(DieselError::QueryBuilderError(_)) => Ok(0),
            other => other,
        }
    }
}

/// Two siblings can't have one path.
pub(super) fn path_taken(error: DieselError) -> Error {
    match violated_key(&error) {
        Some("site_sections_organization_id_site_id_path_key" | "site_spaces_path" | "site_spaces_once") => {
            let refusal = Refusal::new(Reason::SlugTaken).with_message("The path is taken.");
            refusal.at("path", "is taken").into()
        }
        _ => error.into(),
    }
}
