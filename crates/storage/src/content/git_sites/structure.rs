//! Structure of a site in the terms of its site file, and the last structure common to both.

use std::collections::BTreeMap;

use diesel::prelude::*;
use quire_domain::git::GitDirection;
use quire_domain::policy::Action;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::run::NewEntry;
use super::{DueSiteGit, SiteGitReading, SiteLayout};
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
        type Row = (Uuid, String, String, Option<Value>, Option<String>, bool);
        let rows: Vec<Row> = site_section_groups::table
            .filter(site_section_groups::organization_id.eq(site.organization))
            .filter(site_section_groups::site_id.eq(site.id))
            .select((
                site_section_groups::id,
                site_section_groups::position,
                site_section_groups::title,
                site_section_groups::localized_title,
                site_section_groups::icon,
                site_section_groups::draft,
            ))
            .load(self.connection)?;
        let groups = rows.into_iter().map(|(id, position, title, localized_title, icon, draft)| {
            let values = [
                ("title", Some(title.into())),
                ("localizedTitle", localized_title),
                ("icon", icon.map(Value::from)),
                ("draft", draft.then_some(true.into())),
            ];
            Placed { parent: None, position, part: part(SitePartKind::SectionGroup, id, values) }
        });
        Ok(groups.collect())
    }

    fn section_parts(&mut self, site: &Authorized<SiteRecord>) -> Result<Vec<Placed>> {
        type Texts = (String, Option<Value>, Option<String>, Option<Value>, Option<String>);
        type Row = (Uuid, Option<Uuid>, String, Texts, String, Option<String>, bool, bool);
        let rows: Vec<Row> = site_sections::table
            .filter(site_sections::organization_id.eq(site.organization))
            .filter(site_sections::site_id.eq(site.id))
            .select((
                site_sections::id,
                site_sections::group_id,
                site_sections::position,
                (
                    site_sections::title,
                    site_sections::localized_title,
                    site_sections::description,
                    site_sections::localized_description,
                    site_sections::icon,
                ),
                site_sections::path,
                site_sections::condition,
                site_sections::is_default,
                site_sections::draft,
            ))
            .load(self.connection)?;
        let sections =
            rows.into_iter().map(|(id, parent, position, texts, path, condition, default, draft)| {
                let (title, localized_title, description, localized_description, icon) = texts;
                let values = [
                    ("title", Some(title.into())),
                    ("localizedTitle", localized_title),
                    ("description", description.map(Value::from)),
                    ("localizedDescription", localized_description),
                    ("icon", icon.map(Value::from)),
                    ("default", default.then_some(true.into())),
                    ("draft", draft.then_some(true.into())),
                    ("path", Some(path.into())),
                    ("condition", condition.map(Value::from)),
                ];
                Placed { parent, position, part: part(SitePartKind::Section, id, values) }
            });
        Ok(sections.collect())
    }

    fn space_parts(&mut self, site: &Authorized<SiteRecord>, due: &DueSiteGit) -> Result<Vec<Placed>> {
        type Flags = (bool, bool, bool);
        type Row = (
            Uuid,
            Option<Uuid>,
            String,
            (String, Option<Value>),
            String,
            Option<String>,
            Flags,
            Option<String>,
        );
        let of_space = spaces::organization_id
            .eq(site_spaces::organization_id)
            .and(spaces::id.eq(site_spaces::space_id));
        let of_connection = git_installations::space_id
            .eq(site_spaces::space_id)
            .and(git_installations::parent_id.eq(due.connection.id));
        let rows: Vec<Row> = site_spaces::table
            .inner_join(spaces::table.on(of_space))
            .left_join(git_installations::table.on(of_connection))
            .filter(site_spaces::organization_id.eq(site.organization))
            .filter(site_spaces::site_id.eq(site.id))
            .filter(spaces::deleted_at.is_null())
            .select((
                site_spaces::id,
                site_spaces::section_id,
                site_spaces::position,
                (spaces::title, site_spaces::localized_title),
                site_spaces::path,
                site_spaces::condition,
                (site_spaces::is_default, site_spaces::draft, site_spaces::hidden),
                git_installations::site_key.nullable(),
            ))
            .load(self.connection)?;
        let parts = rows.into_iter().map(|(id, parent, position, texts, path, condition, flags, key)| {
            let ((title, localized_title), (default, draft, hidden)) = (texts, flags);
            let values = [
                ("key", key.map(Value::from)),
                ("title", Some(title.into())),
                ("localizedTitle", localized_title),
                ("path", Some(path.into())),
                ("default", default.then_some(true.into())),
                ("hidden", hidden.then_some(true.into())),
                ("draft", draft.then_some(true.into())),
                ("condition", condition.map(Value::from)),
            ];
            Placed { parent, position, part: part(SitePartKind::Space, id, values) }
        });
        Ok(parts.collect())
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
        self.log_site_git(due, &NewEntry { to_commit, ..NewEntry::of(GitDirection::Export) })?;
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

fn part<const N: usize>(kind: SitePartKind, id: Uuid, values: [(&str, Option<Value>); N]) -> SitePart {
    let values = values.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    SitePart { kind, id, values: values.collect(), children: Vec::new() }
}
