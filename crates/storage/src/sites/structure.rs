//! What stands on a site, read: a fixed number of statements for any number of sections and spaces.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId};
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    ReadableSite, RoleColumn, SpaceColumns, SpaceRecord, role_from_rank, space_columns, space_role,
    valid_token,
};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result};

/// A section as it is stored.
#[derive(Clone, Debug)]
pub struct SectionRecord {
    /// Its id.
    pub id: SiteSectionId,
    /// The group that it stands in.
    pub group: Option<SiteSectionGroupId>,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub description: Option<String>,
    /// Its path on the site.
    pub path: String,
    /// Which visitors see it.
    pub condition: Option<String>,
    /// The name of its icon.
    pub icon: Option<String>,
    /// Whether it is the site's default.
    pub is_default: bool,
    /// Orders the sections of a site.
    pub order_key: String,
}

/// A space's place on a site as it is stored.
#[derive(Clone, Debug)]
pub struct SiteSpaceRecord {
    /// Its id.
    pub id: SiteSpaceId,
    /// The section that it stands in.
    pub section: Option<SiteSectionId>,
    /// That section's path.
    pub section_path: Option<String>,
    /// Its path in its section, or on the site.
    pub path: String,
    /// Which visitors see it.
    pub condition: Option<String>,
    /// Whether it is the default of its section, or of a site without sections.
    pub is_default: bool,
    /// The space.
    pub space: SpaceRecord,
    /// The reader's role on the space.
    pub role: Option<Role>,
    /// Orders the spaces of a site.
    pub order_key: String,
}

/// A group of sections as it is stored.
#[derive(Clone, Debug)]
pub struct GroupRecord {
    /// Its id.
    pub id: SiteSectionGroupId,
    /// Its title.
    pub title: String,
    /// The name of its icon.
    pub icon: Option<String>,
    /// Orders the groups of a site among each other and among sections.
    pub position: String,
}

/// A section with the spaces in it, as far as the reader may see them.
#[derive(Clone, Debug)]
pub struct Section {
    /// The section.
    pub section: SectionRecord,
    /// The spaces.
    pub site_spaces: Vec<SiteSpaceRecord>,
}

/// A group with its sections.
#[derive(Clone, Debug)]
pub struct Group {
    /// The group.
    pub group: GroupRecord,
    /// The sections.
    pub sections: Vec<Section>,
}

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

/// The spaces on a site: `$1` and `$2` the token, `$3` the organization, `$4` the site, `$5` whether all of them may be seen
/// because the site is published. What is neither published nor the reader's to see is left out, and so is what is deleted.
macro_rules! site_spaces {
    () => {
        concat!(
            "(SELECT p.id AS site_space_id, p.section_id, x.path AS section_path, p.path, p.condition, \
                     (coalesce(g.position, x.position, '') || '/' || CASE WHEN g.id IS NULL THEN '' ELSE x.position END \
                         || '/' || p.position || '/' || p.id) COLLATE \"C\" AS order_key, \
                     row_number() OVER (PARTITION BY p.section_id ORDER BY p.is_default DESC, p.position, p.id) = 1 AS is_default, ",
            space_role!(), " AS role, ", space_columns!(),
            " FROM site_spaces p \
              JOIN spaces s ON s.organization_id = p.organization_id AND s.id = p.space_id AND s.deleted_at IS NULL \
              LEFT JOIN site_sections x ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id \
              LEFT JOIN site_section_groups g \
                     ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id \
              LEFT JOIN api_tokens t ON ", valid_token!(), " AND (t.organizations IS NULL OR p.organization_id = ANY (t.organizations)) \
              LEFT JOIN organization_members m ON m.organization_id = p.organization_id AND m.user_id = t.user_id \
              LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id \
              WHERE p.organization_id = $3 AND p.site_id = $4) v WHERE ($5 OR v.role IS NOT NULL)"
        )
    };
}

statements! {
    ListSections = concat!("SELECT * FROM ", sections!(), " WHERE ($3 IS NULL OR v.order_key > $3) ORDER BY v.order_key LIMIT $4");
    CountSections = "SELECT count(*) AS total FROM site_sections WHERE organization_id = $1 AND site_id = $2";
    FindSections = concat!("SELECT * FROM ", sections!(), " WHERE v.section_id = ANY ($3) ORDER BY v.order_key");
    FindSectionsOfGroups = concat!("SELECT * FROM ", sections!(), " WHERE v.group_id = ANY ($3) ORDER BY v.order_key");
    AllSections = concat!("SELECT * FROM ", sections!(), " ORDER BY v.order_key");
    ListGroups = "SELECT id AS group_id, title, icon, position FROM site_section_groups WHERE organization_id = $1 AND site_id = $2 \
                  AND ($3 IS NULL OR position > $3) ORDER BY position LIMIT $4";
    CountGroups = "SELECT count(*) AS total FROM site_section_groups WHERE organization_id = $1 AND site_id = $2";
    FindGroup = "SELECT id AS group_id, title, icon, position FROM site_section_groups \
                 WHERE organization_id = $1 AND site_id = $2 AND id = $3";
    ListSiteSpaces = concat!(
        "SELECT * FROM ", site_spaces!(),
        " AND ($6 IS NULL OR v.is_default = $6) AND ($7 IS NULL OR v.order_key > $7) ORDER BY v.order_key LIMIT $8"
    );
    CountSiteSpaces = concat!("SELECT count(*) AS total FROM ", site_spaces!(), " AND ($6 IS NULL OR v.is_default = $6)");
    FindSiteSpace = concat!("SELECT * FROM ", site_spaces!(), " AND v.site_space_id = $6");
    SiteSpacesOfSections = concat!("SELECT * FROM ", site_spaces!(), " AND v.section_id = ANY ($6) ORDER BY v.order_key");
    AllSiteSpaces = concat!("SELECT * FROM ", site_spaces!(), " ORDER BY v.order_key");
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

#[derive(QueryableByName)]
struct SiteSpaceColumns {
    #[diesel(sql_type = SqlUuid)]
    site_space_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    section_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    section_path: Option<String>,
    #[diesel(sql_type = Text)]
    path: String,
    #[diesel(sql_type = Nullable<Text>)]
    condition: Option<String>,
    #[diesel(sql_type = Bool)]
    is_default: bool,
    #[diesel(sql_type = Text)]
    order_key: String,
}

type SiteSpaceRow = (SiteSpaceColumns, RoleColumn, SpaceColumns);

fn site_space((place, role, space): SiteSpaceRow) -> Result<SiteSpaceRecord> {
    Ok(SiteSpaceRecord {
        id: SiteSpaceId::from_uuid(place.site_space_id),
        section: place.section_id.map(SiteSectionId::from_uuid),
        section_path: place.section_path,
        path: place.path,
        condition: place.condition,
        is_default: place.is_default,
        space: space.try_into()?,
        role: role_from_rank(role.role)?,
        order_key: place.order_key,
    })
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

/// The organization's and the site's id as values.
macro_rules! keys {
    ($site:expr) => {
        (val::<SqlUuid, _>(*$site.organization.as_uuid()), val::<SqlUuid, _>(*$site.id.as_uuid()))
    };
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
        let (organization, id) = keys!(site);
        let rows: Vec<SectionColumns> = ListSections::bind((
            organization,
            id,
            val::<Nullable<Text>, _>(after.map(str::to_owned)),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountSections::bind(keys!(site)).get_result(self.connection)?;
        let slice = Slice::cut(rows, limit, count.total);
        let (total, has_more) = (slice.total, slice.has_more);
        let items = self.fill(site, slice.items)?;
        Ok(Slice { items, total, has_more })
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
    /// [`Error::NotFound`] when there is none.
    pub fn section(&mut self, site: ReadableSite<'_>, id: SiteSectionId) -> Result<Section> {
        let (organization, site_id) = keys!(site);
        let ids = val::<Array<SqlUuid>, _>(vec![*id.as_uuid()]);
        let rows = FindSections::bind((organization, site_id, ids)).load(self.connection)?;
        self.fill(site, rows)?.pop().ok_or(Error::NotFound)
    }

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
        let (organization, id) = keys!(site);
        let rows: Vec<GroupColumns> = ListGroups::bind((
            organization,
            id,
            val::<Nullable<Text>, _>(after.map(str::to_owned)),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountGroups::bind(keys!(site)).get_result(self.connection)?;
        let slice = Slice::cut(rows, limit, count.total);
        let (total, has_more) = (slice.total, slice.has_more);
        let items = self.fill_groups(site, slice.items)?;
        Ok(Slice { items, total, has_more })
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
    /// [`Error::NotFound`] when there is none.
    pub fn section_group(&mut self, site: ReadableSite<'_>, id: SiteSectionGroupId) -> Result<Group> {
        let (organization, site_id) = keys!(site);
        let rows: Vec<GroupColumns> =
            FindGroup::bind((organization, site_id, val::<SqlUuid, _>(*id.as_uuid())))
                .load(self.connection)?;
        self.fill_groups(site, rows)?.pop().ok_or(Error::NotFound)
    }

    /// Spaces on a site in their order: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn site_spaces_of(
        &mut self,
        site: ReadableSite<'_>,
        default: Option<bool>,
        after: Option<&str>,
        limit: u16,
    ) -> Result<Slice<SiteSpaceRecord>> {
        let (organization, id) = keys!(site);
        let rows: Vec<SiteSpaceRow> = ListSiteSpaces::bind((
            self.token_bind(),
            self.now_bind(),
            organization,
            id,
            val::<Bool, _>(site.published),
            val::<Nullable<Bool>, _>(default),
            val::<Nullable<Text>, _>(after.map(str::to_owned)),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let (organization, id) = keys!(site);
        let count: CountRow = CountSiteSpaces::bind((
            self.token_bind(),
            self.now_bind(),
            organization,
            id,
            val::<Bool, _>(site.published),
            val::<Nullable<Bool>, _>(default),
        ))
        .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(site_space)
    }

    /// All spaces on a site in their order: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn all_site_spaces(&mut self, site: ReadableSite<'_>) -> Result<Vec<SiteSpaceRecord>> {
        let (organization, id) = keys!(site);
        let rows: Vec<SiteSpaceRow> = AllSiteSpaces::bind((
            self.token_bind(),
            self.now_bind(),
            organization,
            id,
            val::<Bool, _>(site.published),
        ))
        .load(self.connection)?;
        rows.into_iter().map(site_space).collect()
    }

    /// A space's place on a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none, or its space is neither published nor the actor's to see.
    pub fn site_space(&mut self, site: ReadableSite<'_>, id: SiteSpaceId) -> Result<SiteSpaceRecord> {
        let (organization, site_id) = keys!(site);
        let row: Option<SiteSpaceRow> = FindSiteSpace::bind((
            self.token_bind(),
            self.now_bind(),
            organization,
            site_id,
            val::<Bool, _>(site.published),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        site_space(row.ok_or(Error::NotFound)?)
    }

    /// Gives each section its spaces: one statement for all of them.
    fn fill(&mut self, site: ReadableSite<'_>, rows: Vec<SectionColumns>) -> Result<Vec<Section>> {
        let ids: Vec<Uuid> = rows.iter().map(|row| row.section_id).collect();
        let (organization, id) = keys!(site);
        let spaces: Vec<SiteSpaceRow> = SiteSpacesOfSections::bind((
            self.token_bind(),
            self.now_bind(),
            organization,
            id,
            val::<Bool, _>(site.published),
            val::<Array<SqlUuid>, _>(ids),
        ))
        .load(self.connection)?;
        let mut sections: Vec<Section> =
            rows.into_iter().map(|row| Section { section: row.into(), site_spaces: Vec::new() }).collect();
        for space in spaces.into_iter().map(site_space) {
            let space = space?;
            if let Some(section) =
                sections.iter_mut().find(|section| Some(section.section.id) == space.section)
            {
                section.site_spaces.push(space);
            }
        }
        Ok(sections)
    }

    /// Gives each group its sections: two statements for all of them.
    fn fill_groups(&mut self, site: ReadableSite<'_>, rows: Vec<GroupColumns>) -> Result<Vec<Group>> {
        let ids: Vec<Uuid> = rows.iter().map(|row| row.group_id).collect();
        let (organization, id) = keys!(site);
        let sections = FindSectionsOfGroups::bind((organization, id, val::<Array<SqlUuid>, _>(ids)))
            .load(self.connection)?;
        let mut sections = self.fill(site, sections)?;
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
