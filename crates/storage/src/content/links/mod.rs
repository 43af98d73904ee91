//! Links and backlinks of a revision.
//!
//! The references of a document are extracted once, when it is stored. The state of a reference depends on the tree.
//! Responses use an index of the tree's links, a persistent value that is cached by the tree's root and derived from
//! the index of the nearest tree: the cost of a request is proportional to its result, and the first request after an
//! edit also pays for the edit's changes.

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

/// Content whose links are requested.
#[derive(Clone, Copy)]
pub struct LinksIn<'a> {
    /// Content.
    pub content: &'a Authorized<ContentAt>,
    /// Organization of the space.
    pub organization: &'a Authorized<OrganizationRecord>,
    /// Tree of the content.
    pub tree: &'a Tree,
    /// Base URL of this deployment.
    pub app: &'a str,
    /// Visitor of a site for whom the links are; `None` for a user with a role on the space.
    pub visitor: Option<LinkVisitor<'a>>,
}

/// Visitor of a site, who sees only parts of the content.
#[derive(Clone, Copy)]
pub struct LinkVisitor<'a> {
    /// Site, with the spaces that the visitor sees.
    pub site: Option<&'a PublishedSite>,
    /// Evaluates a condition.
    pub meets: &'a dyn Fn(&str) -> bool,
}

/// Page of a list of links.
#[derive(Clone, Debug)]
pub struct LinkSlice {
    /// Links.
    pub links: Slice<ShownLink>,
    /// Counts of all links, regardless of the filter.
    pub stats: LinkStats,
    /// Targets outside of the space.
    pub external: ExternalTargets,
}

impl Reader<'_> {
    /// Returns the links of content with their counts. Takes at most four statements if the index of its tree is
    /// cached, and one more for a change request. For a visitor, links and counts cover only the visible parts, and
    /// targets that the site does not show do not exist.
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
        let external =
            self.find_external_targets(organization, targets, visitor.and_then(|visitor| visitor.site))?;
        Ok(LinkSlice { links, stats, external })
    }

    /// Returns the occurrences of links to one of the records or a part of it. Takes no statement if the index of the
    /// tree is cached.
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
