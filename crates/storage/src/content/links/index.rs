//! Persistent index of the links of a tree: by holder, by target, and the broken ones.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

use imbl::ordmap::DiffItem;
use imbl::{OrdMap, OrdSet};
use quire_domain::ids::{DocumentId, SpaceId};
use quire_domain::links::LinkRelation;
use quire_revision::{Entry, EntryChange, EntryId, PageKind, Tree};
use serde_json::Value;

use super::target::{Elsewhere, Holder, LinkTarget};
use crate::content::store::{ConditionFact, DocumentLinks};

/// Approximate memory of a link in an index, in bytes.
const LINK_BYTES: usize = 960;
/// Approximate memory of a page or reusable content in an index without its links, in bytes.
const SOURCE_BYTES: usize = 256;

/// Key of a link: its holder and its number in the holder. Lists have this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LinkKey {
    pub(super) holder: Holder,
    pub(super) number: u32,
}

impl LinkKey {
    /// Returns the range of all links of a holder.
    pub(super) fn all_of(holder: Holder) -> RangeInclusive<Self> {
        Self { holder, number: 0 }..=Self { holder, number: u32::MAX }
    }
}

/// Reference with its locations in the holder.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IndexedLink {
    pub(super) reference: Value,
    pub(super) relation: LinkRelation,
    /// Locations, in the order of the document.
    pub(super) locations: Vec<LinkLocation>,
    pub(super) target: LinkTarget,
}

/// Location of a link in its holder.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LinkLocation {
    /// Node of the document; `None` for the record of the page.
    pub(super) node: Option<String>,
    /// Index of the innermost `if` block that contains the link.
    condition: Option<usize>,
}

/// Facts about a document that are stored besides its body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DocumentFacts {
    /// References, each with the node that contains it.
    pub(super) links: DocumentLinks,
    /// Anchors of its headings.
    pub(super) anchors: BTreeSet<String>,
}

/// Links of one page or reusable content, and the anchors that links may target.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Source {
    pub(super) links: Vec<IndexedLink>,
    anchors: BTreeSet<String>,
    /// Conditions of the document's `if` blocks; `None` if the document was stored without them by an earlier version.
    conditions: Option<Vec<ConditionFact>>,
}

/// Links of one tree.
///
/// The index is a persistent value like the tree itself. It is derived from the index of another tree and their
/// difference, so the cost is proportional to the changes and the links from and to them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LinkIndex {
    sources: OrdMap<Holder, Arc<Source>>,
    /// Links by target record.
    inbound: OrdSet<(EntryId, LinkKey)>,
    /// Links by target in other tables.
    external: OrdSet<(Elsewhere, LinkKey)>,
    /// Links by URL.
    urls: OrdSet<(Arc<str>, LinkKey)>,
    broken: OrdSet<LinkKey>,
    /// Links that occur only within `if` blocks.
    conditional: OrdSet<LinkKey>,
    /// Holders whose documents were stored without the conditions of their `if` blocks.
    unknown: OrdSet<Holder>,
    total: usize,
}

/// Returns whether a URL has neither a scheme nor a host (RFC 3986, 4.2). Its target is not in the content, because it
/// would be a reference then.
fn is_relative(url: &str) -> bool {
    let of_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let scheme = url.split_once(':').map(|(scheme, _)| scheme);
    let has_scheme = scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(of_scheme)
    });
    !has_scheme && !url.starts_with("//")
}

impl LinkIndex {
    /// Returns the index of `after`. `changes` is the difference from this index's tree. `facts` has each document of
    /// [`unknown`].
    pub(super) fn after(
        &self,
        space: SpaceId,
        changes: Vec<EntryChange>,
        after: &Tree,
        facts: &HashMap<DocumentId, DocumentFacts>,
    ) -> Self {
        let mut index = self.clone();
        let mut stale: BTreeSet<LinkKey> = BTreeSet::new();
        let mut touched: BTreeSet<EntryId> = BTreeSet::new();
        for (before, now) in changes {
            if let Some(id) = index.replace(space, before, now, facts, &mut stale) {
                touched.insert(id);
            }
        }
        for id in touched {
            stale.extend(index.inbound_of(id));
        }
        for key in stale {
            index.judge(key, after);
        }
        index
    }

    /// Replaces the links of a record, and adds its former and its new ones to `stale`. Returns the record's id if its
    /// existence or its anchors changed, because other records may link to them.
    fn replace(
        &mut self,
        space: SpaceId,
        before: Option<Entry>,
        now: Option<Entry>,
        facts: &HashMap<DocumentId, DocumentFacts>,
        stale: &mut BTreeSet<LinkKey>,
    ) -> Option<EntryId> {
        let id = now.as_ref().or(before.as_ref()).map(Entry::id)?;
        let appears = before.is_some() != now.is_some();
        let Some(holder) = holder(id) else { return appears.then_some(id) };
        if before.as_ref().map(own_facts) == now.as_ref().map(own_facts) {
            return appears.then_some(id);
        }
        let old = self.sources.get(&holder).cloned().unwrap_or_default();
        self.remove(holder, &old);
        let Some(now) = now else { return Some(id) };
        let new = Arc::new(Source::of(space, holder, &now, facts));
        self.insert(holder, &new);
        stale.extend(keys(holder, &new).map(|(key, _)| key));
        (appears || old.anchors != new.anchors).then_some(id)
    }

    /// Returns the index with the conditions of documents that were stored without them. `facts` has these documents.
    pub(super) fn with_conditions(
        &self,
        (space, tree): (SpaceId, &Tree),
        holders: &[Holder],
        facts: &HashMap<DocumentId, DocumentFacts>,
    ) -> Self {
        let mut index = self.clone();
        for holder in holders {
            let Some(entry) = tree.entry(holder.entry()) else { continue };
            let old = index.sources.get(holder).cloned().unwrap_or_default();
            index.remove(*holder, &old);
            let new = Arc::new(Source::of(space, *holder, &entry, facts));
            index.insert(*holder, &new);
            keys(*holder, &new).for_each(|(key, _)| index.judge(key, tree));
        }
        index
    }

    fn remove(&mut self, holder: Holder, source: &Source) {
        self.sources.remove(&holder);
        self.unknown.remove(&holder);
        self.total = self.total.saturating_sub(source.links.len());
        for (key, link) in keys(holder, source) {
            self.broken.remove(&key);
            self.conditional.remove(&key);
            match &link.target {
                LinkTarget::Content(id) | LinkTarget::Anchor(id, _) => drop(self.inbound.remove(&(*id, key))),
                LinkTarget::Elsewhere(id) => drop(self.external.remove(&(id.clone(), key))),
                LinkTarget::Url(url) => drop(self.urls.remove(&(Arc::from(url.as_str()), key))),
                LinkTarget::Nothing => {}
            }
        }
    }

    fn insert(&mut self, holder: Holder, source: &Arc<Source>) {
        self.sources.insert(holder, Arc::clone(source));
        self.total += source.links.len();
        if source.conditions.is_none() {
            self.unknown.insert(holder);
        }
        for (key, link) in keys(holder, source) {
            if link.locations.iter().all(|location| location.condition.is_some()) {
                self.conditional.insert(key);
            }
            match &link.target {
                LinkTarget::Content(id) | LinkTarget::Anchor(id, _) => drop(self.inbound.insert((*id, key))),
                LinkTarget::Elsewhere(id) => drop(self.external.insert((id.clone(), key))),
                LinkTarget::Url(url) => drop(self.urls.insert((Arc::from(url.as_str()), key))),
                LinkTarget::Nothing => {}
            }
        }
    }

    /// Records whether a link is broken in `tree`. Targets in other tables are not checked.
    fn judge(&mut self, key: LinkKey, tree: &Tree) {
        let broken = match self.link(key).map(|link| &link.target) {
            None => false,
            Some(LinkTarget::Content(id)) => tree.entry(*id).is_none(),
            Some(LinkTarget::Anchor(id, anchor)) => {
                tree.entry(*id).is_none() || !self.has_anchor(*id, anchor)
            }
            Some(LinkTarget::Nothing) => true,
            Some(LinkTarget::Url(url)) => is_relative(url),
            Some(LinkTarget::Elsewhere(_)) => false,
        };
        if broken {
            self.broken.insert(key);
        } else {
            self.broken.remove(&key);
        }
    }

    fn has_anchor(&self, id: EntryId, anchor: &str) -> bool {
        let source = holder(id).and_then(|holder| self.sources.get(&holder));
        source.is_some_and(|source| source.anchors.contains(anchor))
    }

    /// Returns the number of links.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Returns the links of a holder.
    pub(super) fn source(&self, holder: Holder) -> Option<&Source> {
        self.sources.get(&holder).map(Arc::as_ref)
    }

    /// Returns a link.
    pub(super) fn link(&self, key: LinkKey) -> Option<&IndexedLink> {
        self.source(key.holder)?.links.get(usize::try_from(key.number).ok()?)
    }

    /// Returns all links from `key` on.
    pub(super) fn from(&self, key: Option<LinkKey>) -> impl Iterator<Item = LinkKey> {
        let sources = match key {
            Some(key) => self.sources.range(key.holder..),
            None => self.sources.range::<_, Holder>(..),
        };
        sources
            .flat_map(|(holder, source)| keys(*holder, source).map(|(key, _)| key))
            .skip_while(move |next| key.is_some_and(|key| *next < key))
    }

    /// Returns the links that are broken, regardless of other tables.
    pub(super) fn broken(&self) -> &OrdSet<LinkKey> {
        &self.broken
    }

    /// Returns the links to a record or to a part of it.
    pub(super) fn inbound_of(&self, id: EntryId) -> impl Iterator<Item = LinkKey> {
        const FIRST: u128 = u128::MAX;
        let first = quire_revision::PageId::from_uuid(uuid::Uuid::from_u128(FIRST));
        let first = LinkKey { holder: Holder::page(first), number: 0 };
        self.inbound.range((id, first)..).take_while(move |(target, _)| *target == id).map(|(_, key)| *key)
    }

    /// Returns the keys of other tables to which the links refer, without duplicates.
    pub(super) fn external(&self) -> BTreeSet<Elsewhere> {
        self.external.iter().map(|(id, _)| id.clone()).collect()
    }

    /// Returns the names of the specifications whose content is shown, by computed pages or by blocks. A mere link to a
    /// specification shows none of its content.
    pub(super) fn shown_specs(&self) -> BTreeSet<Arc<str>> {
        self.specs_shown_by(|_| true)
    }

    /// Returns the names of the specifications that some of the links show.
    pub(super) fn specs_shown_by(&self, mut includes: impl FnMut(LinkKey) -> bool) -> BTreeSet<Arc<str>> {
        let mut is_shown = |key| {
            self.link(key).is_some_and(|link| link.relation == LinkRelation::DependsOn) && includes(key)
        };
        let shown = self.external.iter().filter_map(|(id, key)| match id {
            Elsewhere::Specification(name) if is_shown(*key) => Some(Arc::clone(name)),
            _ => None,
        });
        shown.collect()
    }

    /// Returns the holders whose documents were stored without the conditions of their `if` blocks.
    pub(super) fn without_conditions(&self) -> Vec<Holder> {
        self.unknown.iter().copied().collect()
    }

    /// Returns the links that occur only in parts of documents that a visitor does not see. `meets` evaluates a
    /// condition.
    pub(super) fn unseen(&self, meets: &dyn Fn(&str) -> bool) -> BTreeSet<LinkKey> {
        let is_unseen = |key: &LinkKey| {
            let locations = self.link(*key).map(|link| link.locations.as_slice()).unwrap_or_default();
            !locations.iter().any(|location| self.sees(key.holder, location, meets))
        };
        self.conditional.iter().filter(|key| is_unseen(key)).copied().collect()
    }

    /// Returns whether a visitor sees the part of a document that contains a link.
    pub(super) fn sees(&self, holder: Holder, location: &LinkLocation, meets: &dyn Fn(&str) -> bool) -> bool {
        let Some(mut number) = location.condition else { return true };
        let Some(conditions) = self.source(holder).and_then(|source| source.conditions.as_ref()) else {
            return false;
        };
        loop {
            let Some(condition) = conditions.get(number) else { return false };
            if !condition.expression.as_deref().is_some_and(meets) {
                return false;
            }
            match condition.parent {
                None => return true,
                // A block precedes the blocks that it contains.
                Some(parent) if parent < number => number = parent,
                Some(_) => return false,
            }
        }
    }

    /// Returns the records that show a specification with one of these names. The value is `true` if a document shows
    /// it, and `false` if the record itself does.
    pub(super) fn holders_of_specs(&self, names: &[String]) -> BTreeSet<(EntryId, bool)> {
        let links = self.external.iter().filter_map(|(id, key)| match id {
            Elsewhere::Specification(name) if names.iter().any(|known| **known == **name) => {
                Some((key.holder.entry(), self.link(*key)?))
            }
            _ => None,
        });
        links
            .filter(|(_, link)| link.relation == LinkRelation::DependsOn)
            .flat_map(|(entry, link)| {
                link.locations.iter().map(move |location| (entry, location.node.is_some()))
            })
            .collect()
    }

    /// Returns the links to targets in other tables that do not exist according to `is_gone`.
    pub(super) fn dead(&self, is_gone: impl Fn(&Elsewhere) -> bool) -> BTreeSet<LinkKey> {
        self.external.iter().filter(|(id, _)| is_gone(id)).map(|(_, key)| *key).collect()
    }

    /// Returns the links to URLs equal to or below `base`.
    pub(super) fn urls_below(&self, base: &str) -> BTreeSet<LinkKey> {
        let first = quire_revision::PageId::from_uuid(uuid::Uuid::max());
        let first = (Arc::from(base), LinkKey { holder: Holder::page(first), number: 0 });
        let urls = self.urls.range(first..).take_while(|(url, _)| url.starts_with(base));
        urls.filter(|(url, _)| is_below(url, base)).map(|(_, key)| *key).collect()
    }

    /// Returns the approximate memory of the index in bytes, as if it shared nothing with other indexes.
    pub(super) fn approximate_bytes(&self) -> usize {
        self.total * LINK_BYTES + self.sources.len() * SOURCE_BYTES
    }

    /// Returns the approximate memory in bytes that the index does not share with another one.
    pub(super) fn approximate_bytes_beyond(&self, other: &Self) -> usize {
        let sources = other.sources.diff(&self.sources).map(|difference| match difference {
            DiffItem::Add(_, source) | DiffItem::Update { new: (_, source), .. } => {
                SOURCE_BYTES + source.links.len() * LINK_BYTES
            }
            DiffItem::Remove(..) => 0,
        });
        self.approximate_bytes().min(sources.sum())
    }
}

/// Returns whether a URL is `base` or below it.
pub(super) fn is_below(url: &str, base: &str) -> bool {
    url.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

/// Returns the documents whose facts the index of a changed tree needs.
pub(super) fn unknown(changes: &[EntryChange]) -> BTreeSet<DocumentId> {
    let changed = changes.iter().filter(|(before, now)| {
        before.as_ref().and_then(document) != now.as_ref().and_then(document)
            || before.as_ref().map(own_facts) != now.as_ref().map(own_facts)
    });
    changed.filter_map(|(_, now)| now.as_ref().and_then(document)).collect()
}

impl Source {
    fn of(space: SpaceId, holder: Holder, entry: &Entry, facts: &HashMap<DocumentId, DocumentFacts>) -> Self {
        let mut links: Vec<IndexedLink> = Vec::new();
        let mut known: HashMap<(String, LinkRelation), usize> = HashMap::new();
        let mut add = |reference: &Value, relation: LinkRelation, at: LinkLocation| {
            let index = *known.entry((reference.to_string(), relation)).or_insert(links.len());
            if index == links.len() {
                let target = LinkTarget::of(reference, space, holder);
                links.push(IndexedLink {
                    reference: reference.clone(),
                    relation,
                    locations: Vec::new(),
                    target,
                });
            }
            if let Some(link) = links.get_mut(index)
                && link.locations.last().is_none_or(|last| last.node != at.node)
            {
                link.locations.push(at);
            }
        };
        for (reference, relation) in own_references(entry) {
            add(reference, relation, LinkLocation { node: None, condition: None });
        }
        let Some(facts) = document(entry).and_then(|id| facts.get(&id)) else {
            return Self { links, anchors: BTreeSet::new(), conditions: Some(Vec::new()) };
        };
        let DocumentFacts { links: DocumentLinks { links: in_document, conditions }, anchors } = facts;
        for fact in in_document {
            let at = LinkLocation { node: fact.node.clone(), condition: fact.condition };
            add(&fact.reference, fact.relation(), at);
        }
        Self { links, anchors: anchors.clone(), conditions: conditions.clone() }
    }
}

fn keys(holder: Holder, source: &Source) -> impl Iterator<Item = (LinkKey, &IndexedLink)> {
    (0..).zip(&source.links).map(move |(number, link)| (LinkKey { holder, number }, link))
}

fn holder(id: EntryId) -> Option<Holder> {
    match id {
        EntryId::Page(id) => Some(Holder::page(id)),
        EntryId::ReusableContent(id) => Some(Holder::reusable_content(id)),
        EntryId::File(_) => None,
    }
}

pub(super) fn document(entry: &Entry) -> Option<DocumentId> {
    match entry {
        Entry::Page(page) => page.document,
        Entry::ReusableContent(content) => content.document,
        Entry::File(_) => None,
    }
}

/// Returns the references of a page outside of its document: cover images, the target of a link in the table of
/// contents, and the source of a placeholder's computed pages.
fn own_references(entry: &Entry) -> Vec<(&Value, LinkRelation)> {
    let Entry::Page(page) = entry else { return Vec::new() };
    let pictures = ["ref", "refDark"].into_iter().filter_map(|key| page.cover.as_ref()?.get(key));
    let pictures = pictures.filter(|picture| picture.is_object());
    let mut references: Vec<_> = pictures.map(|picture| (picture, LinkRelation::DependsOn)).collect();
    match &page.kind {
        PageKind::Link { target } => references.push((target, LinkRelation::Reference)),
        PageKind::Computed { source, .. } => {
            let dependencies = source.get("dependencies").and_then(Value::as_object);
            let named = dependencies.into_iter().flat_map(|all| all.values());
            let named = named.filter_map(|dependency| dependency.get("ref"));
            references.extend(named.map(|reference| (reference, LinkRelation::DependsOn)));
        }
        PageKind::Document | PageKind::Group => {}
    }
    references
}

/// Returns the parts of a record that determine its links.
fn own_facts(entry: &Entry) -> (Option<DocumentId>, Vec<(&Value, LinkRelation)>) {
    (document(entry), own_references(entry))
}

#[cfg(test)]
mod tests {
    use super::is_relative;

    #[test]
    fn a_url_with_a_scheme_or_a_host_is_not_relative() {
        for absolute in
            ["https://example.com/a:b", "mailto:ada@example.com", "tel:1", "//example.com", "x-app+1:go"]
        {
            assert!(!is_relative(absolute), "{absolute}");
        }
        for relative in ["", "a.md", "../a.png", "/a", "#b", "?c", "a/b:c", "1:2", "ü:x"] {
            assert!(is_relative(relative), "{relative}");
        }
    }
}
