//! The sections of a site, each with its spaces.

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId};
use uuid::Uuid;

use super::{Section, SectionRecord, keys, slice_on_site};
use crate::list::Slice;
use crate::lookup::ReadableSite;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result};

/// The sections of a site: `$1` the organization, `$2` the site. Keys are joined by `/`, which sorts before every digit of a position.
macro_rules! sections {
    () => {
        "(SELECT x.id AS section_id, x.group_id, x.title, x.description, x.path, x.condition, x.icon, \
                 (coalesce(g.position, x.position) || '/' || CASE WHEN g.id IS NULL THEN '' ELSE x.position END || '/' || x.id) \
                     COLLATE \"C\" AS order_key, \
                 row_number() OVER (ORDER BY x.is_default DESC, coalesce(g.position, x.position), x.position, x.id) = 1 AS is_default \
            FROM site_sections x \
            LEFT JOIN site_section_groups g \
                   ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id \
           WHERE x.organization_id = $1 AND x.site_id = $2) v"
    };
}

statements! {
    ListSections = concat!("SELECT * FROM ", sections!(), " WHERE ($3 IS NULL OR v.order_key > $3) ORDER BY v.order_key LIMIT $4");
    CountSections = "SELECT count(*) AS total FROM site_sections WHERE organization_id = $1 AND site_id = $2";
    FindSections = concat!("SELECT * FROM ", sections!(), " WHERE v.section_id = ANY ($3) ORDER BY v.order_key");
    FindSectionsOfGroups = concat!("SELECT * FROM ", sections!(), " WHERE v.group_id = ANY ($3) ORDER BY v.order_key");
    AllSections = concat!("SELECT * FROM ", sections!(), " ORDER BY v.order_key");
}

#[derive(QueryableByName)]
struct SectionColumns {
    #[diesel(sql_type = SqlUuid)]
    section_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    group_id: Option<Uuid>,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Nullable<Text>)]
    description: Option<String>,
    #[diesel(sql_type = Text)]
    path: String,
    #[diesel(sql_type = Nullable<Text>)]
    condition: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    icon: Option<String>,
    #[diesel(sql_type = Bool)]
    is_default: bool,
    #[diesel(sql_type = Text)]
    order_key: String,
}

impl From<SectionColumns> for SectionRecord {
    fn from(row: SectionColumns) -> Self {
        Self {
            id: SiteSectionId::from_uuid(row.section_id),
            group: row.group_id.map(SiteSectionGroupId::from_uuid),
            title: row.title,
            description: row.description,
            path: row.path,
            condition: row.condition,
            icon: row.icon,
            is_default: row.is_default,
            order_key: row.order_key,
        }
    }
}

impl Reader<'_> {
    /// Sections of a site in their order, each with its spaces: three statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn site_sections_of(
        &mut self,
        site: ReadableSite<'_>,
        after: Option<&str>,
        limit: u16,
    ) -> Result<Slice<Section>> {
        let rows = slice_on_site::<ListSections, CountSections, _>(self.connection, site, after, limit)?;
        rows.try_map_all(|rows| self.fill(site, rows))
    }

    /// All sections of a site in their order: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn all_sections(&mut self, site: ReadableSite<'_>) -> Result<Vec<Section>> {
        let rows = AllSections::bind(keys!(site)).load(self.connection)?;
        self.fill(site, rows)
    }

    /// A section of a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn section(&mut self, site: ReadableSite<'_>, id: SiteSectionId) -> Result<Section> {
        let (organization, site_id) = keys!(site);
        let ids = val::<Array<SqlUuid>, _>(vec![*id.as_uuid()]);
        let rows = FindSections::bind((organization, site_id, ids)).load(self.connection)?;
        self.fill(site, rows)?.pop().ok_or(Error::NotFound)
    }

    /// The sections of some groups of a site, in their order: two statements.
    pub(super) fn sections_of_groups(
        &mut self,
        site: ReadableSite<'_>,
        groups: Vec<Uuid>,
    ) -> Result<Vec<Section>> {
        let (organization, id) = keys!(site);
        let rows = FindSectionsOfGroups::bind((organization, id, val::<Array<SqlUuid>, _>(groups)))
            .load(self.connection)?;
        self.fill(site, rows)
    }

    /// Gives each section its spaces: one statement for all of them.
    fn fill(&mut self, site: ReadableSite<'_>, rows: Vec<SectionColumns>) -> Result<Vec<Section>> {
        let spaces = self.spaces_of_sections(site, rows.iter().map(|row| row.section_id).collect())?;
        let mut sections: Vec<Section> =
            rows.into_iter().map(|row| Section { section: row.into(), site_spaces: Vec::new() }).collect();
        for space in spaces {
            if let Some(section) =
                sections.iter_mut().find(|section| Some(section.section.id) == space.section)
            {
                section.site_spaces.push(space);
            }
        }
        Ok(sections)
    }
}
