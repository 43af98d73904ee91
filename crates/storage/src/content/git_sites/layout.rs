//! Application of a site file to its site: sections, spaces and their folders.
//!
//! Parts are identified by their paths, spaces first by their keys and folders. Parts that are not in the file keep
//! their places.

use std::collections::HashSet;

use diesel::prelude::*;
use quire_domain::error::Refusal;
use quire_domain::git_installations::GitTrigger;
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId, SpaceId};
use quire_domain::policy::Action;
use quire_domain::sites::{SectionGroupUpdate, SectionUpdate, SiteSpaceUpdate};
use quire_domain::spaces::{SpaceCreate, SpaceUpdate};
use quire_domain::texts;
use uuid::Uuid;

use super::children::{Child, Wanted};
use super::{DueSiteGit, SiteGitChange, SiteGitReading};
use crate::content::hierarchy::Parent;
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::{site_section_groups, site_sections, site_spaces, spaces};
use crate::sites::LockedSite;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Structure of a site in its site file.
#[derive(Clone, Debug, Default)]
pub struct SiteLayout {
    /// Groups of sections.
    pub groups: Vec<LayoutGroup>,
    /// Sections in their order.
    pub sections: Vec<LayoutSection>,
    /// Spaces outside of sections.
    pub spaces: Vec<LayoutSpace>,
    /// Messages for users about omitted parts.
    pub notes: Vec<String>,
}

/// Group of sections.
#[derive(Clone, Debug)]
pub struct LayoutGroup {
    /// Title, which identifies the group.
    pub title: String,
    /// Values.
    pub update: SectionGroupUpdate,
}

/// Section.
#[derive(Clone, Debug)]
pub struct LayoutSection {
    /// Title.
    pub title: String,
    /// Path, which identifies the section.
    pub path: String,
    /// Group in [`SiteLayout::groups`].
    pub group: Option<usize>,
    /// `true` for the default section of the site.
    pub is_default: bool,
    /// Values.
    pub update: SectionUpdate,
    /// Spaces in their order.
    pub spaces: Vec<LayoutSpace>,
}

/// Space.
#[derive(Clone, Debug)]
pub struct LayoutSpace {
    /// Key, which identifies the space even after its folder moved.
    pub key: Option<String>,
    /// Title of the space.
    pub title: String,
    /// Path in its section, or on the site.
    pub path: String,
    /// Folder in the repository, with a trailing slash; `None` if the content is not from the repository.
    pub folder: Option<String>,
    /// `true` for the default of its section, or of a site without sections.
    pub is_default: bool,
    /// `true` if visitors do not see the space.
    pub draft: bool,
    /// Values on the site.
    pub update: SiteSpaceUpdate,
}

/// Existing site space.
struct Placed {
    id: SiteSpaceId,
    section: Option<SiteSectionId>,
    space: SpaceId,
    path: String,
}

/// Space of the file with the matching existing space.
struct Found<'l> {
    declared: &'l LayoutSpace,
    space: Option<SpaceId>,
}

/// Progress of a run.
struct Applying<'a> {
    site: &'a LockedSite,
    owner: &'a Authorized<OrganizationRecord>,
    wanted: Vec<Wanted>,
    /// Site spaces in the order of the file.
    shown: Vec<SiteSpaceId>,
    change: SiteGitChange,
}

impl Tx<'_> {
    /// Applies a site file: creates missing sections and spaces, writes the values of the others, connects the spaces
    /// to their folders, and disconnects spaces that are no longer in the file. It deletes no space.
    ///
    /// # Errors
    /// 400 and 409 for values that the site cannot have; 403 and 404 for changes that the actor may not make.
    pub fn apply_site_layout(
        &mut self,
        due: &DueSiteGit,
        layout: &SiteLayout,
        read: &SiteGitReading,
    ) -> Result<()> {
        let owner = self.organization(due.organization)?.authorize(Action::ManageSites)?;
        // Lock order: the tree of the organization before the site, as when a site is created with a space.
        self.lock_parent(Parent::Root(&owner))?;
        let site = self.site(due.organization, due.site)?.authorize(Action::ManageSites)?;
        let site = self.lock_site(site)?;
        let looks = due.connection.trigger != GitTrigger::Poll || due.commit != read.commit;
        let change = SiteGitChange { notes: layout.notes.clone(), is_changed: due.file != read.file, looks };
        let (wanted, shown) = (Vec::new(), Vec::new());
        let mut applying = Applying { site: &site, owner: &owner, wanted, shown, change };
        let declared = layout.sections.iter().flat_map(|section| &section.spaces).chain(&layout.spaces);
        let known = Known {
            children: self.children_of_site_git(due.organization, due.connection.id)?,
            placed: self.placed(&site)?,
            keys: declared.filter_map(|space| space.key.as_deref()).collect(),
        };
        let mut ids: Vec<SpaceId> = known.placed.iter().map(|placed| placed.space).collect();
        ids.extend(known.children.iter().map(|child| child.space));
        self.lock_spaces(due.organization, &ids)?;

        let found = known.find(Some(None), &layout.spaces);
        self.apply_spaces(&mut applying, None, found)?;
        let mut groups: Vec<Option<SiteSectionGroupId>> = layout.groups.iter().map(|_| None).collect();
        let mut sections: Vec<(Option<SiteSectionGroupId>, SiteSectionId)> = Vec::new();
        for declared in &layout.sections {
            self.apply_section(&mut applying, &known, declared)?;
            let Some(section) = self.section_at(&site, &declared.path)? else { continue };
            let of_group = declared.group.and_then(|at| layout.groups.get(at).zip(groups.get_mut(at)));
            let group = match of_group {
                Some((declared, group)) => {
                    *group = Some(self.apply_group(&site, *group, declared, section)?);
                    *group
                }
                None => None,
            };
            sections.push((group, section));
        }
        self.arrange_site(&site, &sections, &applying.shown)?;
        let default = layout.sections.iter().find(|section| section.is_default);
        if let Some(default) = default
            && let Some(section) = self.section_at(&site, &default.path)?
        {
            self.make_section_default(&site, section)?;
            self.refresh_site(&site)?;
        }
        let Applying { wanted, mut change, .. } = applying;
        self.connect_children(due, &wanted, &mut change)?;
        self.succeed_site_git(due, read, &change)?;
        // These changes come from the file.
        self.forget_structure(due.organization, due.site);
        Ok(())
    }

    fn apply_section(
        &mut self,
        applying: &mut Applying<'_>,
        known: &Known<'_>,
        declared: &LayoutSection,
    ) -> Result<()> {
        let site = applying.site;
        let section = self.section_at(site, &declared.path)?;
        let mut found = known.find(section.map(Some), &declared.spaces);
        let section = match section {
            Some(section) => section,
            None => {
                let first =
                    found.iter().position(|found| found.space.is_some() || found.declared.folder.is_some());
                let Some(first) = first else {
                    let note = format!(
                        "The section `{}` was left out, because it has no space from the repository.",
                        declared.path
                    );
                    applying.change.notes.push(note);
                    return Ok(());
                };
                let Found { declared: space, space: id } = found.remove(first);
                let space_record = self.space_of_layout(applying, space, id)?;
                let named = (declared.title.as_str(), declared.path.as_str(), None);
                let draft = declared.update.draft.unwrap_or_default();
                let section = self.add_section(site, &space_record, named, draft, &space.path, "home")?;
                self.apply_space(applying, Some(section), space, space_record)?;
                section
            }
        };
        let updated = self.update_section(site, section, declared.update.clone());
        updated.map_err(|error| at_path(&declared.path, error))?;
        self.apply_spaces(applying, Some(section), found)
    }

    /// Puts a section into the group with this title, which is created if it does not exist.
    fn apply_group(
        &mut self,
        site: &LockedSite,
        known: Option<SiteSectionGroupId>,
        declared: &LayoutGroup,
        section: SiteSectionId,
    ) -> Result<SiteSectionGroupId> {
        let of_site = site_section_groups::table
            .filter(site_section_groups::organization_id.eq(site.organization))
            .filter(site_section_groups::site_id.eq(site.id))
            .filter(site_section_groups::title.eq(&declared.title));
        let present: Option<Uuid> = match known {
            Some(known) => Some(known.into()),
            None => of_site.select(site_section_groups::id).first(self.connection).optional()?,
        };
        let draft = declared.update.draft.unwrap_or_default();
        let group = match present {
            Some(group) => {
                let group = SiteSectionGroupId::from(group);
                self.add_to_section_group(site, group, section)?;
                group
            }
            None => self.add_section_group(site, (&declared.title, None, draft), &[section])?,
        };
        if known.is_none() {
            self.update_section_group(site, group, declared.update.clone())?;
        }
        Ok(group)
    }

    fn apply_spaces(
        &mut self,
        applying: &mut Applying<'_>,
        section: Option<SiteSectionId>,
        found: Vec<Found<'_>>,
    ) -> Result<()> {
        for Found { declared, space } in found {
            if space.is_none() && declared.folder.is_none() {
                let note = format!("The space `{}` was left out, because it has no folder.", declared.path);
                applying.change.notes.push(note);
                continue;
            }
            let record = self.space_of_layout(applying, declared, space)?;
            self.apply_space(applying, section, declared, record)?;
        }
        Ok(())
    }

    /// Returns the space of a part of the file, or creates it.
    fn space_of_layout(
        &mut self,
        applying: &mut Applying<'_>,
        declared: &LayoutSpace,
        id: Option<SpaceId>,
    ) -> Result<Authorized<SpaceRecord>> {
        if let Some(id) = id {
            return self.space(id)?.authorize(Action::PublishSpace);
        }
        let title = texts::SpaceTitle::new(declared.title.clone())?;
        let create = SpaceCreate { title: Some(title), ..SpaceCreate::default() };
        let id = self.create_space(Parent::Root(applying.owner), create)?;
        applying.change.notes.push(format!("The space “{}” was created.", declared.title));
        self.space(id)?.authorize(Action::PublishSpace)
    }

    /// Shows a space where the file has it, and records its folder.
    fn apply_space(
        &mut self,
        applying: &mut Applying<'_>,
        section: Option<SiteSectionId>,
        declared: &LayoutSpace,
        space: Authorized<SpaceRecord>,
    ) -> Result<()> {
        let site = applying.site;
        let placed = self.placed(site)?;
        let of_space = || placed.iter().filter(|placed| placed.space == space.id);
        let here = of_space().find(|placed| placed.section == section);
        let id = match (here, of_space().next()) {
            (Some(here), _) => Some(here.id),
            // On a site with sections, a space outside of sections is in the default section.
            (None, Some(there)) if section.is_none() => Some(there.id),
            (None, Some(_)) => {
                let note = format!("The space “{}” stays in its section.", space.title);
                applying.change.notes.push(note);
                None
            }
            (None, None) => {
                Some(self.add_site_space(site, &space, section, &declared.path, declared.draft)?)
            }
        };
        if let Some(id) = id {
            applying.shown.push(id);
            let updated = self.update_site_space(site, id, declared.update.clone());
            updated.map_err(|error| at_path(&declared.path, error))?;
            if declared.is_default {
                let section = self.placed(site)?.into_iter().find(|placed| placed.id == id);
                let section = section.and_then(|placed| placed.section);
                self.set_default_site_space(site, section, id)?;
                self.refresh_site(site)?;
            }
        }
        let space = self.rename_space_of_layout(applying, declared, space)?;
        if let Some(folder) = &declared.folder {
            applying.wanted.push(Wanted { space, key: declared.key.clone(), folder: folder.clone() });
        }
        Ok(())
    }

    /// Gives a space the title of the file, if the user of the connection may change it.
    fn rename_space_of_layout(
        &mut self,
        applying: &mut Applying<'_>,
        declared: &LayoutSpace,
        space: Authorized<SpaceRecord>,
    ) -> Result<Authorized<SpaceRecord>> {
        if space.title == declared.title {
            return Ok(space);
        }
        let administered = match self.space(space.id)?.authorize(Action::AdministerSpace) {
            Err(Error::Forbidden { .. }) => {
                applying.change.notes.push(format!(
                    "The space “{}” keeps its title, because the user who connected the site may not change it.",
                    space.title
                ));
                return Ok(space);
            }
            administered => administered?,
        };
        let title = texts::SpaceTitle::new(declared.title.clone())?;
        let administered = self.lock_space(administered)?;
        let update = SpaceUpdate { title: Some(title), ..SpaceUpdate::default() };
        self.update_space(administered, update)?;
        self.space(space.id)?.authorize(Action::PublishSpace)
    }

    /// Returns the section with a path.
    fn section_at(&mut self, site: &LockedSite, path: &str) -> Result<Option<SiteSectionId>> {
        let row: Option<Uuid> = site_sections::table
            .filter(site_sections::organization_id.eq(site.organization))
            .filter(site_sections::site_id.eq(site.id))
            .filter(site_sections::path.eq(path))
            .select(site_sections::id)
            .get_result(self.connection)
            .optional()?;
        Ok(row.map(SiteSectionId::from))
    }

    /// Returns the site spaces whose space is not deleted.
    fn placed(&mut self, site: &LockedSite) -> Result<Vec<Placed>> {
        let of_space = spaces::organization_id
            .eq(site_spaces::organization_id)
            .and(spaces::id.eq(site_spaces::space_id));
        let rows: Vec<(Uuid, Option<Uuid>, Uuid, String)> = site_spaces::table
            .inner_join(spaces::table.on(of_space))
            .filter(site_spaces::organization_id.eq(site.organization))
            .filter(site_spaces::site_id.eq(site.id))
            .filter(spaces::deleted_at.is_null())
            .select((site_spaces::id, site_spaces::section_id, site_spaces::space_id, site_spaces::path))
            .load(self.connection)?;
        let placed = rows.into_iter().map(|(id, section, space, path)| Placed {
            id: id.into(),
            section: section.map(SiteSectionId::from),
            space: space.into(),
            path,
        });
        Ok(placed.collect())
    }
}

/// Adds the path of the affected part to a refusal.
fn at_path(path: &str, error: Error) -> Error {
    match error {
        Error::Refused(refusal) => {
            let message = format!("The part `{path}` cannot be changed: {}", refusal.message);
            Refusal::new(refusal.reason).with_message(message).into()
        }
        error => error,
    }
}

/// Existing spaces, and the keys in the file.
struct Known<'l> {
    children: Vec<Child>,
    placed: Vec<Placed>,
    keys: HashSet<&'l str>,
}

impl Known<'_> {
    /// Returns the spaces of a section, or outside of sections, with the matching existing spaces. They are matched by
    /// key, by folder, and by path unless the section is new.
    fn find<'l>(&self, section: Option<Option<SiteSectionId>>, spaces: &'l [LayoutSpace]) -> Vec<Found<'l>> {
        spaces.iter().map(|declared| Found { declared, space: self.space_of(section, declared) }).collect()
    }

    fn space_of(&self, section: Option<Option<SiteSectionId>>, declared: &LayoutSpace) -> Option<SpaceId> {
        let present = || self.children.iter().filter(|child| child.is_present);
        // The key of this space belongs to another part of the file.
        let is_other = |child: &Child| {
            child.key != declared.key && child.key.as_deref().is_some_and(|key| self.keys.contains(key))
        };
        let by_key = present().find(|child| declared.key.is_some() && child.key == declared.key);
        let by_folder =
            || present().find(|child| Some(&child.folder) == declared.folder.as_ref() && !is_other(child));
        let by_path = || {
            let is_taken = |placed: &Placed| {
                self.children.iter().any(|child| child.space == placed.space && is_other(child))
            };
            let is_here = |placed: &&Placed| {
                Some(placed.section) == section && placed.path == declared.path && !is_taken(placed)
            };
            self.placed.iter().find(is_here).map(|placed| placed.space)
        };
        by_key.or_else(by_folder).map(|child| child.space).or_else(by_path)
    }
}
