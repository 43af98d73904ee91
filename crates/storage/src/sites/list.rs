//! Lists of sites.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{SiteId, SpaceId};
use quire_domain::sites::SiteType;

use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, OrganizationRecord, SiteColumns, SiteRecord, seen_on_site, site_columns};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

/// Which sites of an organization are meant.
#[derive(Clone, Debug, Default)]
pub struct SiteFilter {
    /// Sites with this space, if the reader may see it there.
    pub space: Option<SpaceId>,
    /// Those whose title contains this, whatever the case.
    pub title: Option<String>,
    /// Those that are published, or that are not.
    pub published: Option<bool>,
    /// Those of these types; none means any.
    pub types: Vec<SiteType>,
}

macro_rules! filtered {
    () => {
        concat!(
            " FROM sites w WHERE w.organization_id = $3 \
              AND ($4 IS NULL OR EXISTS (SELECT 1 FROM ",
            seen_on_site!(),
            " AND p.space_id = $4)) \
              AND ($5 IS NULL OR strpos(lower(w.title), lower($5)) > 0) \
              AND ($6 IS NULL OR w.published = $6) \
              AND (cardinality($7) = 0 OR w.type = ANY ($7))"
        )
    };
}

statements! {
    ListSites = concat!("SELECT ", site_columns!(), filtered!(), " AND ($8 IS NULL OR w.id < $8) ORDER BY w.id DESC LIMIT $9");
    CountSites = concat!("SELECT count(*) AS total", filtered!());
}

impl Reader<'_> {
    /// Sites of an organization, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn sites_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        filter: &SiteFilter,
        after: Option<SiteId>,
        limit: u16,
    ) -> Result<Slice<SiteRecord>> {
        let types: Vec<&str> = filter.types.iter().map(|site_type| site_type.as_str()).collect();
        let id = || val::<SqlUuid, _>(*organization.id.as_uuid());
        let space = || val::<Nullable<SqlUuid>, _>(filter.space.map(|space| *space.as_uuid()));
        let title = || val::<Nullable<Text>, _>(filter.title.clone());
        let rows: Vec<SiteColumns> = ListSites::bind((
            self.token_bind(),
            self.now_bind(),
            id(),
            space(),
            title(),
            val::<Nullable<Bool>, _>(filter.published),
            val::<Array<Text>, _>(types.clone()),
            val::<Nullable<SqlUuid>, _>(after.map(|site| *site.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountSites::bind((
            self.token_bind(),
            self.now_bind(),
            id(),
            space(),
            title(),
            val::<Nullable<Bool>, _>(filter.published),
            val::<Array<Text>, _>(types),
        ))
        .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }
}
