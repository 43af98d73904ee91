//! Spaces on a site that the reader may see.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{
    Array, BigInt, Binary, Bool, Jsonb, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid,
};
use quire_database::sql_files;
use quire_domain::ids::{SiteSectionId, SiteSpaceId};
use uuid::Uuid;

use super::SiteSpaceRecord;
use crate::content::spaces::SpaceRecord;
use crate::list::{Slice, fetch_limit};
use crate::sites::ReadableSite;
use crate::transaction::Reader;
use crate::{Error, Result};

/// SQL types of a [`SiteSpaceRecord`].
type SiteSpaceTypes = (
    SqlUuid,
    Nullable<SqlUuid>,
    Text,
    Text,
    Nullable<Jsonb>,
    Nullable<Text>,
    Bool,
    Bool,
    Bool,
    Text,
    Nullable<SmallInt>,
    dsl::SqlTypeOf<dsl::AsSelect<SpaceRecord, Pg>>,
);

sql_files! {
    ListSpaces(
        Binary, Timestamptz, SqlUuid, SqlUuid, Bool, Nullable<Bool>, Nullable<SqlUuid>, Nullable<Array<SqlUuid>>,
        Text, BigInt,
    ) -> SiteSpaceTypes = "list_spaces.sql" of SpaceRecord;
    CountSpaces(Binary, Timestamptz, SqlUuid, SqlUuid, Bool, Nullable<Bool>) -> BigInt = "count_spaces.sql";
}

/// Selection of site spaces.
#[derive(Clone, Default)]
struct Selection<'a> {
    /// `true` for only default spaces, `false` for only others.
    default: Option<bool>,
    /// Only the site space with this id.
    id: Option<Uuid>,
    /// Only the site spaces of these sections.
    sections: Option<Vec<SiteSectionId>>,
    /// Only the site spaces after this key.
    after: &'a str,
    /// Maximum number of site spaces.
    limit: Option<i64>,
}

impl Reader<'_> {
    /// Returns the spaces on a site in their order. Takes two statements.
    pub fn site_spaces_of(
        &mut self,
        site: ReadableSite<'_>,
        default: Option<bool>,
        after: Option<&str>,
        limit: u16,
    ) -> Result<Slice<SiteSpaceRecord>> {
        let after = after.unwrap_or_default();
        let limited = Selection { default, after, limit: Some(fetch_limit(limit)), ..Selection::default() };
        let spaces = self.select_site_spaces(site, limited)?;
        let total = CountSpaces::bind((
            self.credentials.token_hash.as_slice(),
            self.now,
            site.organization,
            site.id,
            site.has_all_spaces(),
            default,
        ))
        .get_result(self.connection)?;
        Ok(Slice::cut(spaces, limit, total))
    }

    /// Returns all spaces on a site in their order. Takes one statement.
    pub fn all_site_spaces(&mut self, site: ReadableSite<'_>) -> Result<Vec<SiteSpaceRecord>> {
        self.select_site_spaces(site, Selection::default())
    }

    /// Returns a space on a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist, or if the reader does not manage the site, has no role on its space,
    /// and the site is not published.
    pub fn site_space(&mut self, site: ReadableSite<'_>, id: SiteSpaceId) -> Result<SiteSpaceRecord> {
        let one = Selection { id: Some(id.into()), ..Selection::default() };
        self.select_site_spaces(site, one)?.pop().ok_or(Error::NotFound)
    }

    /// Returns the spaces in some sections of a site, in their order. Takes one statement.
    pub(super) fn spaces_of_sections(
        &mut self,
        site: ReadableSite<'_>,
        sections: Vec<SiteSectionId>,
    ) -> Result<Vec<SiteSpaceRecord>> {
        let of_sections = Selection { sections: Some(sections), ..Selection::default() };
        self.select_site_spaces(site, of_sections)
    }

    fn select_site_spaces(
        &mut self,
        site: ReadableSite<'_>,
        selection: Selection<'_>,
    ) -> Result<Vec<SiteSpaceRecord>> {
        let Selection { default, id, sections, after, limit } = selection;
        let spaces = ListSpaces::bind((
            self.credentials.token_hash.as_slice(),
            self.now,
            site.organization,
            site.id,
            site.has_all_spaces(),
            default,
            id,
            sections,
            after,
            limit.unwrap_or(i64::MAX),
        ));
        Ok(spaces.load(self.connection)?)
    }
}
