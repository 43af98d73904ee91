//! Filter, cursor and items of lists of links.

use std::collections::BTreeSet;

use quire_domain::ids::PageId;
use quire_domain::links::{BrokenContext, LinkRelation, LinkStatus};
use quire_revision::canonical_json;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::index::{IndexedLink, LinkIndex, LinkKey};
use super::target::{Holder, LinkTarget};

/// Scope of a list of links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinksOf {
    /// Links of all pages and reusable contents.
    #[default]
    Content,
    /// Links of one page.
    Page(PageId),
}

/// Filter of a list of links.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkFilter {
    /// Scope.
    pub of: LinksOf,
    /// Status of the target.
    pub status: Option<LinkStatus>,
    /// Origin of broken links. Links that are not broken have none.
    pub context: Option<BrokenContext>,
}

/// Cursor of a list of links or backlinks. It remains valid when earlier links are added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCursor {
    holder: Holder,
    number: u32,
    /// Hash that distinguishes the link from others of its holder.
    mark: u64,
    /// Number of the link's occurrences already returned, for backlinks.
    shown: u32,
}

/// Link in the form of a response.
#[derive(Clone, Debug)]
pub struct ShownLink {
    /// Status of the target.
    pub status: LinkStatus,
    /// Strength of the reference.
    pub relation: LinkRelation,
    /// Page or reusable content that contains it.
    pub holder: Holder,
    /// Keys of the document nodes that contain the link; `None` for the holder's own record.
    pub nodes: Vec<Option<String>>,
    /// Target.
    pub target: LinkTarget,
    /// Cursor of the item that follows.
    pub cursor: LinkCursor,
}

/// Occurrence of a link to a page or file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlink {
    /// Page or reusable content that contains the link.
    pub holder: Holder,
    /// Node of the holder's document; `None` for the holder's own record.
    pub node: Option<String>,
    /// Cursor of the item that follows.
    pub cursor: LinkCursor,
}

impl LinkCursor {
    /// Returns the first link that may still have to be returned, and the number of its occurrences already returned.
    pub(super) fn resume(&self, index: &LinkIndex) -> (LinkKey, u32) {
        let links = index.source(self.holder).map(|source| source.links.as_slice()).unwrap_or_default();
        let same = (0..).zip(links).find(|(_, link)| link.mark() == self.mark);
        match same {
            Some((number, _)) => (LinkKey { holder: self.holder, number }, self.shown),
            // The link was removed, and the next link has its number.
            None => (LinkKey { holder: self.holder, number: self.number }, 0),
        }
    }
}

impl IndexedLink {
    pub(super) fn cursor(&self, key: LinkKey, shown: u32) -> LinkCursor {
        LinkCursor { holder: key.holder, number: key.number, mark: self.mark(), shown }
    }

    pub(super) fn mark(&self) -> u64 {
        let mut hash = Sha256::new();
        hash.update([u8::from(self.relation == LinkRelation::DependsOn)]);
        hash.update(canonical_json(&self.reference));
        hash.finalize().first_chunk().map_or(0, |head| u64::from_be_bytes(*head))
    }
}

/// Returns the items of a sorted set within bounds.
pub(super) fn within(set: BTreeSet<LinkKey>, of: LinksOf) -> BTreeSet<LinkKey> {
    match of {
        LinksOf::Content => set,
        LinksOf::Page(page) => {
            let bounds = LinkKey::all_of(Holder::page(page));
            set.into_iter().filter(|key| bounds.contains(key)).collect()
        }
    }
}
