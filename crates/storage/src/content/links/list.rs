//! Lists of links, from an index and the targets in other tables.

use std::collections::{BTreeSet, HashSet};

use quire_domain::bounds::{LINK_LIST_OCCURRENCES_MAX, LINK_OCCURRENCES_MAX};
use quire_domain::links::{BrokenContext, BrokenLinks, LinkStats, LinkStatus};
use quire_revision::EntryId;

use super::index::{IndexedLink, LinkIndex, LinkKey, LinkLocation, is_below};
use super::items::{Backlink, LinkCursor, LinkFilter, LinksOf, ShownLink, within};
use super::target::{Elsewhere, Holder, LinkTarget};
use crate::list::Slice;

/// Links of an index with their status.
pub(super) struct Judged<'a> {
    index: &'a LinkIndex,
    of: LinksOf,
    app: &'a str,
    /// Links that a visitor sees; `None` for a user with a role.
    seen: Option<Seen<'a>>,
    /// All broken links.
    broken: BTreeSet<LinkKey>,
    /// Broken links that are due to the change request; `None` without a change request.
    by_change_request: Option<BTreeSet<LinkKey>>,
}

/// Links that a visitor sees.
pub(super) struct Seen<'a> {
    /// Evaluates a condition.
    pub(super) meets: &'a dyn Fn(&str) -> bool,
    /// Links with no location that is visible to the visitor.
    pub(super) unseen: BTreeSet<LinkKey>,
}

impl<'a> Judged<'a> {
    /// Computes the status of the links. `base` is the index of the content to compare a change request with.
    pub(super) fn new(
        index: &'a LinkIndex,
        base: Option<&LinkIndex>,
        present: &BTreeSet<Elsewhere>,
        app: &'a str,
        of: LinksOf,
        seen: Option<Seen<'a>>,
    ) -> Self {
        let seen = seen.map(|Seen { meets, unseen }| Seen { meets, unseen: within(unseen, of) });
        let mut broken = within(index.dead(|id| !present.contains(id)), of);
        match of {
            LinksOf::Content => broken.extend(index.broken().iter().copied()),
            LinksOf::Page(page) => {
                broken.extend(index.broken().range(LinkKey::all_of(Holder::page(page))).copied());
            }
        }
        if let Some(Seen { unseen, .. }) = &seen {
            broken.retain(|key| !unseen.contains(key));
        }
        let by_change_request = base.map(|base| new_since(base, index, &broken));
        Self { index, of, app, seen, broken, by_change_request }
    }

    pub(super) fn stats(&self) -> LinkStats {
        let change_request = self.by_change_request.as_ref().map(|keys| number(keys.len()));
        let broken = BrokenLinks { total: number(self.broken.len()), change_request };
        LinkStats { total: number(self.total()), broken }
    }

    fn total(&self) -> usize {
        let total = match self.of {
            LinksOf::Content => self.index.total(),
            LinksOf::Page(page) => {
                self.index.source(Holder::page(page)).map_or(0, |source| source.links.len())
            }
        };
        total.saturating_sub(self.seen.as_ref().map_or(0, |seen| seen.unseen.len()))
    }

    fn in_app(&self) -> BTreeSet<LinkKey> {
        let mut keys = within(self.index.urls_below(self.app), self.of);
        keys.retain(|key| self.is_seen(key));
        keys
    }

    fn is_seen(&self, key: &LinkKey) -> bool {
        self.seen.as_ref().is_none_or(|seen| !seen.unseen.contains(key))
    }

    /// Returns the nodes with a link that the visitor sees.
    fn nodes<'l>(&'l self, key: LinkKey, link: &'l IndexedLink) -> impl Iterator<Item = &'l Option<String>> {
        let is_seen = move |location: &&LinkLocation| match &self.seen {
            Some(seen) => self.index.sees(key.holder, location, seen.meets),
            None => true,
        };
        link.locations.iter().filter(is_seen).map(|location| &location.node)
    }

    fn status(&self, key: LinkKey, link: &IndexedLink) -> LinkStatus {
        match &link.target {
            LinkTarget::Url(url) if is_below(url, self.app) => LinkStatus::InApp,
            _ if self.broken.contains(&key) => LinkStatus::Broken,
            _ => LinkStatus::Ok,
        }
    }

    /// Returns the matching links after the cursor, each with its first occurrences.
    pub(super) fn slice(
        &self,
        filter: LinkFilter,
        after: Option<LinkCursor>,
        limit: u16,
    ) -> Slice<ShownLink> {
        let resume = after.map(|after| after.resume(self.index));
        let from = resume.map(|(key, _)| key);
        // A link is listed once with all its locations, so a link of an earlier page is not repeated.
        let shown = resume.filter(|(_, shown)| *shown > 0).map(|(key, _)| key);
        let (mut keys, total) = self.matching(filter, from);
        let mut items: Vec<ShownLink> = Vec::new();
        let (mut has_more, mut nodes) = (false, 0_usize);
        for key in keys.by_ref().filter(|key| shown != Some(*key)) {
            let Some(link) = self.index.link(key) else { continue };
            let own: Vec<_> = self.nodes(key, link).take(LINK_OCCURRENCES_MAX).cloned().collect();
            nodes += own.len();
            // A page of the list has all occurrences of its links, so their number bounds the page as well.
            let is_full = items.len() == usize::from(limit) || nodes > LINK_LIST_OCCURRENCES_MAX;
            if is_full {
                has_more = true;
                break;
            }
            items.push(ShownLink {
                status: self.status(key, link),
                relation: link.relation,
                holder: key.holder,
                nodes: own,
                target: link.target.clone(),
                cursor: link.cursor(key, 1),
            });
        }
        Slice { items, total: number(total), has_more }
    }

    /// Returns the matching links from `from` on, and the total number of matches.
    fn matching(
        &self,
        filter: LinkFilter,
        from: Option<LinkKey>,
    ) -> (Box<dyn Iterator<Item = LinkKey> + '_>, usize) {
        let follows = move |key: &LinkKey| from.is_none_or(|from| *key >= from);
        match (filter.status, filter.context) {
            (None, None) => (self.all(from), self.total()),
            (Some(LinkStatus::Ok), None) => {
                let in_app = self.in_app();
                let count = self.total().saturating_sub(in_app.len()).saturating_sub(self.broken.len());
                let good = move |key: &LinkKey| !in_app.contains(key) && !self.broken.contains(key);
                (Box::new(self.all(from).filter(good)), count)
            }
            (Some(LinkStatus::InApp), None) => {
                let keys = self.in_app();
                let count = keys.len();
                (Box::new(keys.into_iter().filter(follows)), count)
            }
            (Some(LinkStatus::Broken), None) => {
                (Box::new(self.broken.iter().copied().filter(follows)), self.broken.len())
            }
            (None | Some(LinkStatus::Broken), Some(context)) => {
                let by_it =
                    |key: &LinkKey| self.by_change_request.as_ref().is_some_and(|keys| keys.contains(key));
                let wanted = context == BrokenContext::ChangeRequest;
                let keys = self.broken.iter().copied().filter(move |key| by_it(key) == wanted);
                let count = keys.clone().count();
                (Box::new(keys.filter(follows)), count)
            }
            // Only broken links have an origin.
            (Some(LinkStatus::Ok | LinkStatus::InApp), Some(_)) => (Box::new(std::iter::empty()), 0),
        }
    }

    fn all(&self, from: Option<LinkKey>) -> Box<dyn Iterator<Item = LinkKey> + '_> {
        let is_seen = move |key: &LinkKey| self.is_seen(key);
        match self.of {
            LinksOf::Content => Box::new(self.index.from(from).filter(is_seen)),
            LinksOf::Page(page) => {
                let bounds = LinkKey::all_of(Holder::page(page));
                let first = from.map_or(*bounds.start(), |from| from.max(*bounds.start()));
                let keys = self.index.from(Some(first)).take_while(move |key| bounds.contains(key));
                Box::new(keys.filter(is_seen))
            }
        }
    }
}

/// Returns the broken links that `base` does not have, or that are not broken there. Targets in other tables are
/// equally broken in both.
fn new_since(base: &LinkIndex, index: &LinkIndex, broken: &BTreeSet<LinkKey>) -> BTreeSet<LinkKey> {
    let mut holder: Option<(Holder, HashSet<u64>)> = None;
    let mut new = BTreeSet::new();
    for key in broken {
        if holder.as_ref().is_none_or(|(known, _)| *known != key.holder) {
            holder = Some((key.holder, broken_in(base, key.holder)));
        }
        let was_broken = match (&holder, index.link(*key)) {
            (Some((_, marks)), Some(link)) => marks.contains(&link.mark()),
            _ => false,
        };
        if !was_broken {
            new.insert(*key);
        }
    }
    new
}

/// Returns the marks of a holder's links that are broken, or refer to other tables.
fn broken_in(index: &LinkIndex, holder: Holder) -> HashSet<u64> {
    let links = index.source(holder).map(|source| source.links.as_slice()).unwrap_or_default();
    let broken = (0..).zip(links).filter(|(number, link)| {
        matches!(link.target, LinkTarget::Elsewhere(_))
            || index.broken().contains(&LinkKey { holder, number: *number })
    });
    broken.map(|(_, link)| link.mark()).collect()
}

/// Returns the occurrences of links to a record or a part of it, after the cursor.
pub(super) fn backlinks(
    index: &LinkIndex,
    to: EntryId,
    after: Option<LinkCursor>,
    limit: u16,
) -> Slice<Backlink> {
    let resume = after.map(|after| after.resume(index));
    let (mut total, mut has_more, mut items) = (0_usize, false, Vec::new());
    for key in index.inbound_of(to) {
        let Some(link) = index.link(key) else { continue };
        total += link.locations.len();
        if resume.is_some_and(|(from, _)| key < from) || has_more {
            continue;
        }
        let shown = resume.filter(|(from, _)| *from == key).map_or(0, |(_, shown)| shown);
        for (location, end) in link.locations.iter().zip(1_u32..).filter(|(_, end)| *end > shown) {
            if items.len() == usize::from(limit) {
                has_more = true;
                break;
            }
            let (node, cursor) = (location.node.clone(), link.cursor(key, end));
            items.push(Backlink { holder: key.holder, node, cursor });
        }
    }
    Slice { items, total: number(total), has_more }
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
