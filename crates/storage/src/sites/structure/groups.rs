//! The groups of a site, each with its sections.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::SiteSectionGroupId;
use uuid::Uuid;

use super::{Group, GroupRecord, keys, slice_on_site};
use crate::list::Slice;
use crate::lookup::ReadableSite;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result};

statements! {
    ListGroups = "SELECT id AS group_id, title, icon, position FROM site_section_groups WHERE organization_id = $1 AND site_id = $2 \
                  AND ($3 IS NULL OR position > $3) ORDER BY position LIMIT $4";
    CountGroups = "SELECT count(*) AS total FROM site_section_groups WHERE organization_id = $1 AND site_id = $2";
    FindGroup = "SELECT id AS group_id, title, icon, position FROM site_section_groups \
                 WHERE organization_id = $1 AND site_id = $2 AND id = $3";
}

#[derive(QueryableByName)]
struct GroupColumns {
    #[diesel(sql_type = SqlUuid)]
    group_id: Uuid,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Nullable<Text>)]
    icon: Option<String>,
    #[diesel(sql_type = Text)]
    position: String,
}

impl From<GroupColumns> for GroupRecord {
    fn from(row: GroupColumns) -> Self {
        Self {
            id: SiteSectionGroupId::from_uuid(row.group_id),
            title: row.title,
            icon: row.icon,
            position: row.position,
        }
    }
}

impl Reader<'_> {
    /// Groups of a site in their order, each with its sections: four statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn section_groups_of(
        &mut self,
        site: ReadableSite<'_>,
        after: Option<&str>,
        limit: u16,
    ) -> Result<Slice<Group>> {
        let rows = slice_on_site::<ListGroups, CountGroups, _>(self.connection, site, after, limit)?;
        rows.try_map_all(|rows| self.fill_groups(site, rows))
    }

    /// All groups of a site in their order, without their sections: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn all_section_groups(&mut self, site: ReadableSite<'_>) -> Result<Vec<GroupRecord>> {
        let (organization, id) = keys!(site);
        let everything =
            (organization, id, val::<Nullable<Text>, _>(None::<String>), val::<BigInt, _>(i64::MAX));
        let rows: Vec<GroupColumns> = ListGroups::bind(everything).load(self.connection)?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// A group of sections.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn section_group(&mut self, site: ReadableSite<'_>, id: SiteSectionGroupId) -> Result<Group> {
        let (organization, site_id) = keys!(site);
        let rows: Vec<GroupColumns> =
            FindGroup::bind((organization, site_id, val::<SqlUuid, _>(*id.as_uuid())))
                .load(self.connection)?;
        self.fill_groups(site, rows)?.pop().ok_or(Error::NotFound)
    }

    /// Gives each group its sections: two statements for all of them.
    fn fill_groups(&mut self, site: ReadableSite<'_>, rows: Vec<GroupColumns>) -> Result<Vec<Group>> {
        let ids: Vec<Uuid> = rows.iter().map(|row| row.group_id).collect();
        let mut sections = self.sections_of_groups(site, ids)?;
        Ok(rows
            .into_iter()
            .map(|row| {
                let group = GroupRecord::from(row);
                let (own, others) = std::mem::take(&mut sections)
                    .into_iter()
                    .partition(|s| s.section.group == Some(group.id));
                sections = others;
                Group { group, sections: own }
            })
            .collect())
    }
}
