//! Structure of a site in the terms of its site file, and the last structure common to both.

use std::collections::BTreeMap;

use diesel::prelude::*;
use quire_domain::git::GitDirection;
use quire_domain::policy::Action;
use quire_domain::sites::{SiteSectionFacts, SiteSectionGroupFacts};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::{DueSiteGit, SiteGitReading, SiteLayout};
use crate::content::git_installations::GitLogEntry;
use crate::content::hierarchy::Parent;
use crate::lookup::Authorized;
use crate::schema::{
    git_installations, site_git_installations, site_section_groups, site_sections, site_spaces, spaces,
};
use crate::sites::SiteRecord;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Kind of a part of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SitePartKind {
    /// Group of sections.
    SectionGroup,
    /// Section.
    Section,
    /// Space.
    Space,
}

/// Part of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SitePart {
    /// Kind.
    pub kind: SitePartKind,
    /// Id of the group, section or site space.
    pub id: Uuid,
    /// Values by the keys of the file. Absent and false values are left out.
    pub values: BTreeMap<String, Value>,
    /// Sections of a group, or spaces of a section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<SitePart>,
}

/// Structure of a site before a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteStructure {
    /// Last structure common to site and file; `None` before the first run.
    pub base: Option<Vec<SitePart>>,
    /// Current structure of the site.
    pub now: Vec<SitePart>,
}

/// Pushed site file.
#[derive(Clone, Debug)]
pub struct SavedSiteFile {
    /// Commit, and the object id of the file.
    pub read: SiteGitReading,
    /// Structure in the file.
    pub layout: SiteLayout,
}

/// Part with its parent (section or group) and its position.
struct Placed {
    parent: Option<Uuid>,
    position: String,
    part: SitePart,
}

/// Values of a space, by the keys of the file.
#[derive(Queryable, Serialize)]
#[serde(rename_all = "camelCase")]
struct SpaceOfFile {
    key: Option<String>,
    title: String,
    localized_title: Option<Value>,
    path: String,
    default: bool,
    hidden: bool,
    draft: bool,
    condition: Option<String>,
}

impl Reader<'_> {
    /// Returns the structure of a connected site. Takes five statements.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the site is not connected.
    pub fn site_git_structure(
        &mut self,
        site: &Authorized<SiteRecord>,
        due: &DueSiteGit,
    ) -> Result<SiteStructure> {
        let base: Option<Option<Value>> = site_git_installations::table
            .find((site.organization, site.id))
            .filter(site_git_installations::id.eq(due.connection.id))
            .select(site_git_installations::structure)
            .get_result(self.connection)
            .optional()?;
        let base = base.ok_or(Error::NotFound)?.map(serde_json::from_value).transpose();
        let base = base.map_err(|error| {
            Error::corrupt("the structure of a site is damaged", anyhow::Error::from(error))
        })?;
        Ok(SiteStructure { base, now: self.site_parts(site, due)? })
    }

    fn site_parts(&mut self, site: &Authorized<SiteRecord>, due: &DueSiteGit) -> Result<Vec<SitePart>> {
        let mut spaces = self.space_parts(site, due)?;
        let mut sections = self.section_parts(site)?;
        for section in &mut sections {
            section.part.children = children_of(&mut spaces, Some(section.part.id));
        }
        let mut top = self.group_parts(site)?;
        for group in &mut top {
            group.part.children = children_of(&mut sections, Some(group.part.id));
        }
        top.append(&mut sections);
        let mut parts = children_of(&mut top, None);
        parts.extend(children_of(&mut spaces, None));
        Ok(parts)
    }

    fn group_parts(&mut self, site: &Authorized<SiteRecord>) -> Result<Vec<Placed>> {
        let rows: Vec<(String, SiteSectionGroupFacts)> = site_section_groups::table
            .filter(site_section_groups::organization_id.eq(site.organization))
            .filter(site_section_groups::site_id.eq(site.id))
            .select((site_section_groups::position, SiteSectionGroupFacts::as_select()))
            .load(self.connection)?;
        let groups = rows.into_iter().map(|(position, facts)| {
            let part = part(SitePartKind::SectionGroup, facts.id.into(), &facts)?;
            Ok(Placed { parent: None, position, part })
        });
        groups.collect()
    }

    fn section_parts(&mut self, site: &Authorized<SiteRecord>) -> Result<Vec<Placed>> {
        let rows: Vec<(String, SiteSectionFacts)> = site_sections::table
            .filter(site_sections::organization_id.eq(site.organization))
            .filter(site_sections::site_id.eq(site.id))
            .select((
                site_sections::position,
                (
                    site_sections::id,
                    site_sections::title,
                    site_sections::localized_title,
                    site_sections::description,
                    site_sections::localized_description,
                    site_sections::is_default,
                    site_sections::path,
                    site_sections::condition,
                    site_sections::group_id,
                    site_sections::draft,
                    site_sections::icon,
                ),
            ))
            .load(self.connection)?;
        let sections = rows.into_iter().map(|(position, facts)| {
            let part = part(SitePartKind::Section, facts.id.into(), &facts)?;
            Ok(Placed { parent: facts.section_group.map(Uuid::from), position, part })
        });
        sections.collect()
    }

    fn space_parts(&mut self, site: &Authorized<SiteRecord>, due: &DueSiteGit) -> Result<Vec<Placed>> {
        let of_space = spaces::organization_id
            .eq(site_spaces::organization_id)
            .and(spaces::id.eq(site_spaces::space_id));
        let of_connection = git_installations::space_id
            .eq(site_spaces::space_id)
            .and(git_installations::parent_id.eq(due.connection.id));
        let rows: Vec<(Uuid, Option<Uuid>, String, SpaceOfFile)> = site_spaces::table
            .inner_join(spaces::table.on(of_space))
            .left_join(git_installations::table.on(of_connection))
            .filter(site_spaces::organization_id.eq(site.organization))
            .filter(site_spaces::site_id.eq(site.id))
            .filter(spaces::deleted_at.is_null())
            .select((
                site_spaces::id,
                site_spaces::section_id,
                site_spaces::position,
                (
                    git_installations::site_key.nullable(),
                    spaces::title,
                    site_spaces::localized_title,
                    site_spaces::path,
                    site_spaces::is_default,
                    site_spaces::hidden,
                    site_spaces::draft,
                    site_spaces::condition,
                ),
            ))
            .load(self.connection)?;
        let parts = rows.into_iter().map(|(id, parent, position, space)| {
            Ok(Placed { parent, position, part: part(SitePartKind::Space, id, &space)? })
        });
        parts.collect()
    }
}

impl Tx<'_> {
    /// Stores the structure of a site as the last one common to site and file.
    pub fn keep_site_structure(
        &mut self,
        site: &Authorized<SiteRecord>,
        due: &DueSiteGit,
        parts: &[SitePart],
    ) -> Result<()> {
        let json = serde_json::to_value(parts);
        let json = json.map_err(|error| Error::Internal("a structure can't be written", error.into()))?;
        let row = site_git_installations::table
            .find((site.organization, site.id))
            .filter(site_git_installations::id.eq(due.connection.id));
        diesel::update(row).set(site_git_installations::structure.eq(Some(json))).execute(self.connection)?;
        Ok(())
    }

    /// Records a pushed site file with these parts, and applies it, which disconnects the spaces that it no longer
    /// contains. If the site was changed again in between, this is left to the next run.
    ///
    /// # Errors
    /// See [`Tx::apply_site_layout`].
    pub fn note_saved_site_file(
        &mut self,
        due: &DueSiteGit,
        (parts, saved): (&[SitePart], &SavedSiteFile),
    ) -> Result<()> {
        let SavedSiteFile { read, layout } = saved;
        let key = (due.organization, due.site);
        // The same lock order as in the application of a file.
        let owner = self.organization(due.organization)?.authorize(Action::ManageSites)?;
        self.lock_parent(Parent::Root(&owner))?;
        self.lock_site_of_git(key)?;
        let site = self.site(due.organization, due.site)?.authorize(Action::ManageSites)?;
        if self.read_site_git(key)?.is_none_or(|found| found.id != due.connection.id) {
            return Err(Error::NotFound);
        }
        let to_commit = read.commit.as_deref();
        self.log_site_git(key, &GitLogEntry { to_commit, ..due.log_entry(GitDirection::Export) })?;
        let is_same = self.site_parts(&site, due)? == parts;
        if is_same {
            let mut known = due.clone();
            known.commit.clone_from(&read.commit);
            known.file.clone_from(&read.file);
            self.apply_site_layout(&known, layout, read)?;
        }
        // Lock order: the row of the connection after the rows of spaces, as at the end of other transactions.
        diesel::update(site_git_installations::table.find(key))
            .set((
                site_git_installations::commit_id.eq(&read.commit),
                site_git_installations::file_id.eq(&read.file),
                site_git_installations::changed_at.eq(self.now),
            ))
            .execute(self.connection)?;
        match is_same {
            true => {
                let parts = self.site_parts(&site, due)?;
                self.keep_site_structure(&site, due, &parts)
            }
            false => self.keep_site_structure(&site, due, parts),
        }
    }
}

/// Removes and returns the parts of a parent, in their order.
fn children_of(parts: &mut Vec<Placed>, parent: Option<Uuid>) -> Vec<SitePart> {
    let mut children: Vec<Placed> = parts.extract_if(.., |placed| placed.parent == parent).collect();
    children.sort_by(|one, other| (&one.position, one.part.id).cmp(&(&other.position, other.part.id)));
    children.into_iter().map(|placed| placed.part).collect()
}

/// Returns a part with its stored fields as values, without those that its place in the file expresses.
fn part(kind: SitePartKind, id: Uuid, fields: &impl Serialize) -> Result<SitePart> {
    let values = serde_json::to_value(fields).and_then(serde_json::from_value::<BTreeMap<String, Value>>);
    let mut values = values.map_err(|error| Error::Internal("a part can't be written", error.into()))?;
    let is_placed = |key: &str| matches!(key, "id" | "sectionGroup");
    values.retain(|key, value| !is_placed(key) && !matches!(value, Value::Null | Value::Bool(false)));
    Ok(SitePart { kind, id, values, children: Vec::new() })
}
