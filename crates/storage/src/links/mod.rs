//! Links and backlinks of a revision.
//!
//! What a document refers to is written once, when it is stored; what became of a reference follows from the tree. The answers come
//! from an index of the tree's links, a persistent value that is cached by the tree's root and made from that of the nearest tree:
//! so a request costs what it shows, and the first one after an edit what the edit changed.

mod elsewhere;
mod facts;
mod index;
mod list;
mod specs;
mod target;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use quire_domain::ids::PageId;
use quire_domain::links::{BrokenContext, LinkRelation, LinkStats, LinkStatus};
use quire_revision::{EntryId, Tree, canonical_json};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use elsewhere::SeenElsewhere;
pub(crate) use facts::IndexedTree;
pub use target::{Elsewhere, Holder, LinkTarget};

use self::index::{IndexedLink, LinkIndex, LinkKey};
use self::list::Judged;
use crate::Result;
use crate::list::Slice;
use crate::lookup::{Authorized, ContentAt, OrganizationRecord};
use crate::transaction::Reader;

/// Whose links are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinksOf {
    /// All pages' and reusable contents'.
    #[default]
    Content,
    /// A page's.
    Page(PageId),
}

/// Which links are meant.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkFilter {
    /// Whose they are.
    pub of: LinksOf,
    /// What became of their targets.
    pub status: Option<LinkStatus>,
    /// Whose fault it is that they are broken; those that are not broken have none.
    pub context: Option<BrokenContext>,
}

/// The content that links are looked for in.
#[derive(Clone, Copy, Debug)]
pub struct LinksIn<'a> {
    /// The content.
    pub content: &'a Authorized<ContentAt>,
    /// The organization that has its space.
    pub organization: &'a Authorized<OrganizationRecord>,
    /// Its tree.
    pub tree: &'a Tree,
    /// Where this deployment is reached.
    pub app: &'a str,
}

/// Where a list of links or backlinks goes on. It finds its link again although others came or went before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCursor {
    holder: Holder,
    number: u32,
    /// Tells the link from others of its holder.
    mark: u64,
    /// How many of the link's places were shown: for backlinks, which are places.
    shown: u32,
}

/// A link as it is shown.
#[derive(Clone, Debug)]
pub struct ShownLink {
    /// What became of its target.
    pub status: LinkStatus,
    /// How much its holder needs the target.
    pub relation: LinkRelation,
    /// What holds it.
    pub holder: Holder,
    /// The nodes of the holder's document that it stands in; `None` for the holder's own record.
    pub places: Vec<Option<String>>,
    /// What it leads to.
    pub target: LinkTarget,
    /// Where the list goes on after it.
    pub cursor: LinkCursor,
}

/// A part of a list of links.
#[derive(Clone, Debug)]
pub struct LinkSlice {
    /// The links.
    pub links: Slice<ShownLink>,
    /// How many links there are, whatever the filter.
    pub stats: LinkStats,
    /// What they lead to outside of the space.
    pub elsewhere: SeenElsewhere,
}

/// A place that leads to a page or file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlink {
    /// What holds the link.
    pub holder: Holder,
    /// The node of the holder's document; `None` for the holder's own record.
    pub place: Option<String>,
    /// Where the list goes on after it.
    pub cursor: LinkCursor,
}

impl IndexedLink {
    fn cursor(&self, key: LinkKey, shown: u32) -> LinkCursor {
        LinkCursor { holder: key.holder, number: key.number, mark: self.mark(), shown }
    }

    fn mark(&self) -> u64 {
        let mut hash = Sha256::new();
        hash.update([u8::from(self.relation == LinkRelation::DependsOn)]);
        hash.update(canonical_json(&self.reference));
        hash.finalize().first_chunk().map_or(0, |head| u64::from_be_bytes(*head))
    }
}

impl LinkCursor {
    /// The first link that may still have to be shown, and how many of its places were.
    fn resume(&self, index: &LinkIndex) -> (LinkKey, u32) {
        let links = index.source(self.holder).map(|source| source.links.as_slice()).unwrap_or_default();
        let same = (0..).zip(links).find(|(_, link)| link.mark() == self.mark);
        match same {
            Some((number, _)) => (LinkKey { holder: self.holder, number }, self.shown),
            // The link is gone, and the next one has its number.
            None => (LinkKey { holder: self.holder, number: self.number }, 0),
        }
    }
}

impl Reader<'_> {
    /// Links of content, with how many there are: four statements at most when the index of its tree is cached, for a change
    /// request one more.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn content_links(
        &mut self,
        place: LinksIn<'_>,
        filter: LinkFilter,
        after: Option<LinkCursor>,
        limit: u16,
    ) -> Result<LinkSlice> {
        let LinksIn { content, organization, tree, app } = place;
        let space = content.space.id;
        let indexed = self.links_of(space, tree)?;
        let base = match &content.change_request {
            Some(_) => {
                let before = self.tree_before(content)?;
                Some(self.links_of(space, &before)?)
            }
            None => None,
        };
        let present = self.present_elsewhere(organization.id, content.specs(), &indexed.index.elsewhere())?;
        let judged =
            Judged::new(&indexed.index, base.as_deref().map(|base| &base.index), &present, app, filter.of);
        let links = judged.slice(filter, after, limit);
        let stats = judged.stats();
        let targets = links.items.iter().filter_map(|link| match &link.target {
            LinkTarget::Elsewhere(id) => Some(id),
            _ => None,
        });
        let elsewhere = self.see_elsewhere(organization, targets)?;
        Ok(LinkSlice { links, stats, elsewhere })
    }

    /// The places of content that lead to or into one of its records: no statement when the index of its tree is cached.
    ///
    /// # Errors
    /// When a statement fails.
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

/// The items of a sorted set within bounds, as a set.
fn within(set: BTreeSet<LinkKey>, of: LinksOf) -> BTreeSet<LinkKey> {
    match of {
        LinksOf::Content => set,
        LinksOf::Page(page) => {
            let bounds = LinkKey::all_of(Holder::page(page));
            set.into_iter().filter(|key| bounds.contains(key)).collect()
        }
    }
}
