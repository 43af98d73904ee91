//! Sections of a site, each with its spaces.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId};
use quire_domain::sites::SiteSectionFacts;

use super::Section;
use crate::list::{Slice, fetch_limit};
use crate::schema::site_sections;
use crate::sites::ReadableSite;
use crate::transaction::Reader;
use crate::{Error, Result};

/// SQL types of [`SiteSectionFacts`].
type Facts = (
    SqlUuid,
    Text,
    Nullable<Jsonb>,
    Nullable<Text>,
    Nullable<Jsonb>,
    Bool,
    Text,
    Nullable<Text>,
    Nullable<SqlUuid>,
    Bool,
    Nullable<Text>,
);

sql_files! {
    ListSections(SqlUuid, SqlUuid, Nullable<Array<SqlUuid>>, Nullable<Array<SqlUuid>>, Text, BigInt) -> (Facts, Text, Bool, Text)
        = "list_sections.sql";
}

/// Selection of sections.
#[derive(Clone, Default)]
struct Selection<'a> {
    /// Only the sections with these ids.
    ids: Option<Vec<SiteSectionId>>,
    /// Only the sections of these groups.
    groups: Option<Vec<SiteSectionGroupId>>,
    /// Only the sections after this key.
    after: &'a str,
    /// Maximum number of sections.
    limit: Option<i64>,
}

impl Reader<'_> {
    /// Returns the sections of a site in their order, each with its spaces. Takes three statements.
    pub fn site_sections_of(
        &mut self,
        site: ReadableSite<'_>,
        after: Option<&str>,
        limit: u16,
    ) -> Result<Slice<Section>> {
        let after = after.unwrap_or_default();
        let limited = Selection { after, limit: Some(fetch_limit(limit)), ..Selection::default() };
        let sections = self.select_sections(site, limited)?;
        let total = site_sections::table
            .filter(site_sections::organization_id.eq(site.organization))
            .filter(site_sections::site_id.eq(site.id))
            .count()
            .get_result(self.connection)?;
        Slice::cut(sections, limit, total).try_map_all(|sections| self.fill(site, sections))
    }

    /// Returns all sections of a site in their order. Takes two statements.
    pub fn all_sections(&mut self, site: ReadableSite<'_>) -> Result<Vec<Section>> {
        let sections = self.select_sections(site, Selection::default())?;
        self.fill(site, sections)
    }

    /// Returns a section of a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn section(&mut self, site: ReadableSite<'_>, id: SiteSectionId) -> Result<Section> {
        let one = Selection { ids: Some(vec![id]), ..Selection::default() };
        let sections = self.select_sections(site, one)?;
        self.fill(site, sections)?.pop().ok_or(Error::NotFound)
    }

    /// Returns the sections of some groups of a site, in their order. Takes two statements.
    pub(super) fn sections_of_groups(
        &mut self,
        site: ReadableSite<'_>,
        groups: Vec<SiteSectionGroupId>,
    ) -> Result<Vec<Section>> {
        let of_groups = Selection { groups: Some(groups), ..Selection::default() };
        let sections = self.select_sections(site, of_groups)?;
        self.fill(site, sections)
    }

    fn select_sections(&mut self, site: ReadableSite<'_>, selection: Selection<'_>) -> Result<Vec<Section>> {
        let (organization, id) = (site.organization, site.id);
        let Selection { ids, groups, after, limit } = selection;
        let limit = limit.unwrap_or(i64::MAX);
        let rows: Vec<(SiteSectionFacts, String, bool, String)> =
            ListSections::bind((organization, id, ids, groups, after, limit)).load(self.connection)?;
        let empty = |(facts, site_path, in_draft, order_key)| Section {
            facts,
            site_path,
            in_draft,
            order_key,
            site_spaces: Vec::new(),
        };
        Ok(rows.into_iter().map(empty).collect())
    }

    /// Adds the spaces of each section. Takes one statement.
    fn fill(&mut self, site: ReadableSite<'_>, mut sections: Vec<Section>) -> Result<Vec<Section>> {
        let ids = sections.iter().map(|section| section.id).collect();
        let mut spaces = self.spaces_of_sections(site, ids)?;
        for section in &mut sections {
            let id = section.id;
            section.site_spaces = spaces.extract_if(.., |space| space.section == Some(id)).collect();
        }
        Ok(sections)
    }
}
