//! Visible parts of a site, and the paths that lead to them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use quire_domain::ids::{SiteSectionId, SiteSpaceId};
use quire_domain::policy::{SiteReader, SiteSpaceView};

use super::lookup::PublishedSite;
use super::structure::{PublishedSection, PublishedSpace};
use crate::content::spaces::SpaceRecord;
use crate::sites::SharedSpace;

/// Space located by a path.
#[derive(Clone, Copy, Debug)]
pub struct Located<'s, 'p> {
    /// Section of the space; `None` on a site without sections.
    pub section: Option<&'s PublishedSection>,
    /// Space.
    pub space: &'s PublishedSpace,
    /// Segments of the path that identify the section and the space.
    pub named: &'p [String],
    /// Remaining segments: the path of the page.
    pub rest: &'p [String],
    /// `true` if no further segment can identify a section or a space.
    pub is_complete: bool,
}

impl PublishedSite {
    /// Removes the sections and spaces whose conditions the visitor does not meet, and sections without a space. A
    /// shared site is copied if anything is removed.
    pub fn show_to(self: &mut Arc<Self>, meets: impl Fn(&str) -> bool) {
        self.show(meets, |_, meets_conditions| match meets_conditions {
            true => SiteSpaceView::AsVisitor,
            false => SiteSpaceView::Hidden,
        });
    }

    /// Removes parts that the bearer of an API token may not see. `meets` evaluates the condition of a section or
    /// space.
    pub(super) fn show_to_reader(self: &mut Arc<Self>, reader: SiteReader, meets: impl Fn(&str) -> bool) {
        self.show(meets, |space, meets_conditions| reader.sees(space.role, meets_conditions));
    }

    /// Removes spaces that are closed to the reader.
    pub(super) fn remove_closed_spaces(self: &mut Arc<Self>) {
        self.keep(|space| !space.is_closed);
    }

    fn show(
        self: &mut Arc<Self>,
        meets: impl Fn(&str) -> bool,
        view: impl Fn(&PublishedSpace, bool) -> SiteSpaceView,
    ) {
        let sees = |condition: &Option<String>| condition.as_deref().is_none_or(&meets);
        let seen: HashSet<SiteSectionId> = self
            .sections
            .iter()
            .filter(|section| sees(&section.condition))
            .map(|section| section.id)
            .collect();
        let has_sections = !self.sections.is_empty();
        // On a site with sections, a space outside of all sections is not shown.
        let has_place = |space: &PublishedSpace| space.section.is_some() || !has_sections;
        let views: HashMap<SiteSpaceId, SiteSpaceView> = self
            .spaces
            .iter()
            .filter(|space| has_place(space))
            .map(|space| {
                let is_in_seen = space.section.is_none_or(|id| seen.contains(&id));
                (space.id, view(space, is_in_seen && sees(&space.condition)))
            })
            .collect();
        let closed = |space: &PublishedSpace| views.get(&space.id) == Some(&SiteSpaceView::Structure);
        if self.spaces.iter().any(closed) {
            for space in &mut Arc::make_mut(self).spaces {
                space.is_closed = views.get(&space.id) == Some(&SiteSpaceView::Structure);
            }
        }
        self.keep(|space| views.get(&space.id).is_some_and(|view| *view != SiteSpaceView::Hidden));
    }

    /// Keeps some spaces, and the sections that contain any of them. A shared site is copied if anything is removed.
    fn keep(self: &mut Arc<Self>, keeps: impl Fn(&PublishedSpace) -> bool) {
        let spaces: HashSet<SiteSpaceId> =
            self.spaces.iter().filter(|space| keeps(space)).map(|space| space.id).collect();
        let sections: HashSet<SiteSectionId> = self
            .spaces
            .iter()
            .filter(|space| spaces.contains(&space.id))
            .filter_map(|space| space.section)
            .collect();
        if spaces.len() == self.spaces.len() && sections.len() == self.sections.len() {
            return;
        }
        let site = Arc::make_mut(self);
        site.spaces.retain(|space| spaces.contains(&space.id));
        site.sections.retain(|section| sections.contains(&section.id));
    }

    /// Returns the section of a space.
    #[must_use]
    pub fn section_of(&self, space: &PublishedSpace) -> Option<&PublishedSection> {
        self.sections.iter().find(|section| Some(section.id) == space.section)
    }

    /// Returns the spaces of a section, or of a site without sections, in their order.
    pub fn spaces_in(&self, section: Option<&PublishedSection>) -> impl Iterator<Item = &PublishedSpace> {
        let id = section.map(|section| section.id);
        self.spaces.iter().filter(move |space| space.section == id)
    }

    /// Returns the space that a section shows first: its default, or the first visible one.
    #[must_use]
    pub fn default_in(&self, section: Option<&PublishedSection>) -> Option<&PublishedSpace> {
        let default = self.spaces_in(section).find(|space| space.is_default);
        default.or_else(|| self.spaces_in(section).next())
    }

    /// Returns the section that the site shows first: its default, or the first visible one.
    #[must_use]
    pub fn default_section(&self) -> Option<&PublishedSection> {
        self.sections.iter().find(|section| section.is_default).or(self.sections.first())
    }

    /// Finds the space of a path: a section and a space by their paths, or the defaults.
    #[must_use]
    pub fn locate<'p>(&self, path: &'p [String]) -> Option<Located<'_, 'p>> {
        let (mut section, mut rest) = (self.default_section(), path);
        if let Some((first, after)) = rest.split_first()
            && let Some(named) = self.sections.iter().find(|section| section.path == *first)
        {
            (section, rest) = (Some(named), after);
        }
        let (mut space, mut names_space) = (self.default_in(section)?, false);
        if let Some((first, after)) = rest.split_first()
            && let Some(named) = self.spaces_in(section).find(|space| space.path == *first)
        {
            (space, rest, names_space) = (named, after, true);
        }
        let (named, _) = path.split_at(path.len().saturating_sub(rest.len()));
        Some(Located { section, space, named, rest, is_complete: names_space || !rest.is_empty() })
    }

    /// Returns a space of the site with its address there.
    pub(crate) fn shared(&self, on_site: &PublishedSpace, space: SpaceRecord) -> SharedSpace {
        let path = self.segments_of(on_site, None).collect::<Vec<_>>().join("/");
        SharedSpace { space, role: None, site: self.site.address(), path }
    }

    /// Returns the path segments of a space, to be followed by the path of a page that starts with `start`. The default
    /// section and space are left out, unless the path would then be ambiguous.
    pub fn segments_of(
        &self,
        space: &PublishedSpace,
        start: Option<&str>,
    ) -> impl Iterator<Item = &str> + use<'_> {
        let section = self.section_of(space);
        let is_default = self.default_in(section).is_some_and(|default| default.id == space.id);
        let is_first = section.map(|section| section.id) == self.default_section().map(|section| section.id);
        let own = self.spaces.iter().find(|own| own.id == space.id);
        let section_path = section.map(|section| section.path.as_str());
        let space_path = own.map(|space| space.path.as_str());
        let short = [section_path.filter(|_| !is_first), space_path.filter(|_| !is_default)];
        let without_space = [section_path, space_path.filter(|_| !is_default)];
        let leads_here = |parts: &[Option<&str>; 2]| {
            let parts = parts.iter().copied().flatten();
            let path: Vec<String> = parts.chain(start).map(str::to_owned).collect();
            let rest = usize::from(start.is_some());
            self.locate(&path).is_some_and(|at| at.space.id == space.id && at.rest.len() == rest)
        };
        let chosen = [short, without_space].into_iter().find(leads_here);
        chosen.unwrap_or([section_path, space_path]).into_iter().flatten()
    }
}
