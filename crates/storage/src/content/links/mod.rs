//! Links and backlinks of a revision.
//!
//! References of a document are written once, when it is stored. The state of a reference follows from the tree.
//! Answers come from an index of the tree's links, a persistent value that is cached by the tree's root and made from
//! that of the nearest tree: a request costs what it shows, and the first one after an edit costs what the edit
//! changed.

mod external_targets;
mod index;
mod index_loader;
mod items;
mod list;
mod specs;
mod target;
#[cfg(test)]
mod tests;

use quire_domain::links::LinkStats;
use quire_revision::{EntryId, Tree};

pub use external_targets::ExternalTargets;
pub(crate) use index_loader::IndexedTree;
pub use items::{Backlink, LinkCursor, LinkFilter, LinksOf, ShownLink};
pub use target::{Elsewhere, Holder, LinkTarget};

use self::list::{Judged, Seen};
use crate::Result;
use crate::content::store::ContentAt;
use crate::list::Slice;
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::sites::published::PublishedSite;
use crate::transaction::Reader;

/// The content that links are looked for in.
#[derive(Clone, Copy)]
pub struct LinksIn<'a> {
    /// The content.
    pub content: &'a Authorized<ContentAt>,
    /// The organization that has its space.
    pub organization: &'a Authorized<OrganizationRecord>,
    /// Its tree.
    pub tree: &'a Tree,
    /// Base URL of this deployment.
    pub app: &'a str,
    /// The visitor of a site that the links are for; `None` for a user with a role on the space.
    pub visitor: Option<LinkVisitor<'a>>,
}

/// Visitor of a site, who sees only parts of the content.
#[derive(Clone, Copy)]
pub struct LinkVisitor<'a> {
    /// The site, with the spaces that the visitor sees.
    pub site: Option<&'a PublishedSite>,
    /// Evaluates a condition.
    pub meets: &'a dyn Fn(&str) -> bool,
}

/// A part of a list of links.
#[derive(Clone, Debug)]
pub struct LinkSlice {
    /// The links.
    pub links: Slice<ShownLink>,
    /// Number of all links, without the filter.
    pub stats: LinkStats,
    /// Targets outside of the space.
    pub external: ExternalTargets,
}

impl Reader<'_> {
    /// Links of content, with how many there are: four statements at most when the index of its tree is cached, for a
    /// change request one more. A visitor gets those of the parts that the visitor sees, with counts of these, and what
    /// the site does not show does not exist.
    pub fn content_links(
        &mut self,
        links_in: LinksIn<'_>,
        filter: LinkFilter,
        after: Option<LinkCursor>,
        limit: u16,
    ) -> Result<LinkSlice> {
        let LinksIn { content, organization, tree, app, visitor } = links_in;
        let space = content.space.id;
        let indexed = match visitor {
            Some(_) => self.links_with_conditions_of(space, tree)?,
            None => self.links_of(space, tree)?,
        };
        let mut elsewhere = indexed.index.external();
        let seen = visitor.map(|LinkVisitor { site, meets }| {
            let unseen = indexed.index.unseen(meets);
            let specs = indexed.index.specs_shown_by(|key| !unseen.contains(&key));
            elsewhere.retain(|id| match id {
                Elsewhere::Space(id) => {
                    site.is_some_and(|site| site.spaces.iter().any(|own| own.space == *id))
                }
                Elsewhere::Specification(name) => specs.contains(name),
                Elsewhere::Collection(_) | Elsewhere::User(_) => false,
            });
            Seen { meets, unseen }
        });
        let base = match &content.change_request {
            Some(_) => {
                let before = self.tree_before(content)?;
                Some(self.links_of(space, &before)?)
            }
            None => None,
        };
        let present = self.present_elsewhere(organization.id, content.specs(), &elsewhere)?;
        let base = base.as_deref().map(|base| &base.index);
        let judged = Judged::new(&indexed.index, base, &present, app, filter.of, seen);
        let links = judged.slice(filter, after, limit);
        let stats = judged.stats();
        let targets = links.items.iter().filter_map(|link| match &link.target {
            LinkTarget::Elsewhere(id) => Some(id).filter(|id| visitor.is_none() || present.contains(id)),
            _ => None,
        });
        let external = self.see_elsewhere(organization, targets, visitor.and_then(|visitor| visitor.site))?;
        Ok(LinkSlice { links, stats, external })
    }

    /// The occurrences of links to or into one of the records: no statement when the index of its tree is cached.
    pub fn backlinks(
        &mut self,
        content: &Authorized<ContentAt>,
        tree: &Tree,
        to: EntryId,
        after: Option<LinkCursor>,
        limit: u16,
    ) -> Result<Slice<Backlink>> {
        let indexed = self.links_of(content.space.id, tree)?;
        Ok(list::backlinks(&indexed.index, to, after, limit))
    }
}
