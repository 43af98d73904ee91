//! The spaces on a site, as far as the reader may see them.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{SiteSectionId, SiteSpaceId};
use uuid::Uuid;

use super::{SiteSpaceRecord, keys};
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    ReadableSite, RoleColumn, SpaceColumns, role_from_rank, shows, space_columns, space_role, valid_token,
};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result};

/// The values that `site_spaces` takes, and those of the rest of the statement.
macro_rules! seen {
    ($reader:expr, $site:expr $(, $more:expr)*) => {{
        let (organization, id) = keys!($site);
        ($reader.token_bind(), $reader.now_bind(), organization, id, val::<Bool, _>($site.published), $($more),*)
    }};
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
              WHERE p.organization_id = $3 AND p.site_id = $4) v WHERE ($5 OR ", shows!("v.role"), ")"
        )
    };
}

statements! {
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

impl Reader<'_> {
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
        let rows: Vec<SiteSpaceRow> = ListSiteSpaces::bind(seen!(
            self,
            site,
            val::<Nullable<Bool>, _>(default),
            val::<Nullable<Text>, _>(after.map(str::to_owned)),
            val::<BigInt, _>(fetch_limit(limit))
        ))
        .load(self.connection)?;
        let count: CountRow = CountSiteSpaces::bind(seen!(self, site, val::<Nullable<Bool>, _>(default)))
            .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(site_space)
    }

    /// All spaces on a site in their order: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn all_site_spaces(&mut self, site: ReadableSite<'_>) -> Result<Vec<SiteSpaceRecord>> {
        let rows: Vec<SiteSpaceRow> = AllSiteSpaces::bind(seen!(self, site)).load(self.connection)?;
        rows.into_iter().map(site_space).collect()
    }

    /// A space's place on a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none, or its space is neither published nor the actor's to see.
    pub fn site_space(&mut self, site: ReadableSite<'_>, id: SiteSpaceId) -> Result<SiteSpaceRecord> {
        let row: Option<SiteSpaceRow> =
            FindSiteSpace::bind(seen!(self, site, val::<SqlUuid, _>(*id.as_uuid())))
                .get_result(self.connection)
                .optional()?;
        site_space(row.ok_or(Error::NotFound)?)
    }

    /// The spaces in some sections of a site, in their order: one statement.
    pub(super) fn spaces_of_sections(
        &mut self,
        site: ReadableSite<'_>,
        sections: Vec<Uuid>,
    ) -> Result<Vec<SiteSpaceRecord>> {
        let rows: Vec<SiteSpaceRow> =
            SiteSpacesOfSections::bind(seen!(self, site, val::<Array<SqlUuid>, _>(sections)))
                .load(self.connection)?;
        rows.into_iter().map(site_space).collect()
    }
}
