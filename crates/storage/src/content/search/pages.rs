//! Pages in the form of the engine, and the pages that the index lacks.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, PageId, SpaceId};
use quire_revision::{Entry, PageKind, PageNode, Tree, TreeHash, raw_diff};
use quire_search::{Context, IndexedVersion, Overlay, Page, Scope, Section, Snapshot, SpaceMap};

use super::node::{KeptOverlay, failed};
use super::progress::SearchProgress;
use super::searched::SearchedSpace;
use crate::content::store::{SectionFact, document_id};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Maximum number of pages that a search reads without the index.
const DIRECT_PAGES: usize = 1000;
/// Maximum size of their documents in bytes. An overlay takes about twice as much memory.
const DIRECT_BYTES: i64 = 8 << 20;

sql_files! {
    FindBodies(Array<SqlUuid>, Array<Binary>, BigInt) -> (Binary, Nullable<Binary>) = "bodies.sql";
    FindNextBodies(SqlUuid, Array<Binary>, BigInt) -> (Binary, Binary) = "next_bodies.sql";
}

/// Sections of documents, by document id.
pub(super) type SectionsById = HashMap<DocumentId, Arc<[SectionFact]>>;

/// Difference of two trees that matters for search.
pub(super) struct Changed {
    /// Pages whose indexed form is outdated.
    pub(super) stale: Vec<PageId>,
    /// Pages to search instead.
    pub(super) fresh: BTreeMap<PageId, Arc<PageNode>>,
}

impl Changed {
    pub(super) fn between(before: &Tree, after: &Tree) -> Self {
        let mut changed = Self { stale: Vec::new(), fresh: BTreeMap::new() };
        for (old, new) in raw_diff(before, after) {
            let (old, new) = (old.and_then(searchable), new.and_then(searchable));
            if old.as_deref().map(search_facts) == new.as_deref().map(search_facts) {
                continue;
            }
            changed.stale.extend(old.map(|page| page.id));
            changed.fresh.extend(new.map(|page| (page.id, page)));
        }
        changed
    }

    /// Like [`Changed::between`], with pages whose path, description or ancestors changed. Responses take these from
    /// the index while it has the head of a space.
    pub(super) fn with_names(before: &Tree, after: &Tree) -> Self {
        let mut changed = Self::between(before, after);
        let mut changes_others = false;
        for (old, new) in raw_diff(before, after) {
            let (Some(Entry::Page(old)), Some(Entry::Page(new))) = (old, new) else { continue };
            let is_moved = (old.parent, &old.slug) != (new.parent, &new.slug);
            let is_renamed_ancestor =
                || old.title != new.title && after.children(Some(new.id)).next().is_some();
            changes_others |= is_moved || is_renamed_ancestor();
            if old.description != new.description {
                changed.add(&new);
            }
        }
        if changes_others {
            for page in after.pages_in_order() {
                let is_other = |former: &PageNode| {
                    before.path_of(former.id) != after.path_of(page.id)
                        || ancestors_of(before, former) != ancestors_of(after, page)
                };
                if before.page(page.id).is_some_and(is_other) {
                    changed.add(page);
                }
            }
        }
        changed
    }

    /// Adds the pages of a partially indexed tree that the index lacks.
    pub(super) fn add_missing(&mut self, after: &Tree, is_indexed: impl Fn(PageId) -> bool) {
        for page in after.pages_in_order().filter(|page| !is_indexed(page.id)) {
            if let Some(page) = searchable(Entry::Page(Arc::new(page.clone()))) {
                self.fresh.insert(page.id, page);
            }
        }
    }

    /// Adds a page that both trees have, unless it is already among the changed ones.
    fn add(&mut self, page: &PageNode) {
        if !self.fresh.contains_key(&page.id)
            && let Some(page) = searchable(Entry::Page(Arc::new(page.clone())))
        {
            self.stale.push(page.id);
            self.fresh.insert(page.id, page);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.fresh.len().max(self.stale.len())
    }
}

/// Space that differs from the index.
struct Behind {
    space: SearchedSpace,
    held: Option<IndexedVersion>,
    /// `true` if the indexed state is unusable.
    is_all: bool,
    changed: Changed,
    /// Indexed computed pages that the tree may no longer have. The indexer adds the current ones.
    outdated: Vec<PageId>,
    /// Number of pages of the space.
    pages: u64,
}

impl Behind {
    /// Returns the maximum number of pages of the indexed tree that the index may lack.
    fn missing(&self) -> u64 {
        self.held.filter(|_| !self.is_all).map_or(0, |held| held.missing)
    }

    /// Creates the overlay. Without sections of documents it only hides pages.
    fn overlay(self, sections: Option<&SectionsById>) -> Result<KeptOverlay> {
        let mut missing = self.missing();
        let Self { space, held, is_all, pages, outdated, changed } = self;
        let Changed { mut stale, mut fresh } = changed;
        stale.extend(outdated);
        if sections.is_none() {
            missing = missing.saturating_add(count_of(fresh.len()));
            fresh.clear();
        }
        let no_sections = SectionsById::new();
        let sections = sections.unwrap_or(&no_sections);
        // The paths of a space with an overlay come from its tree.
        let shown = |page| engine_page(page, "", Context::default(), sections);
        let engine_pages: Vec<Page<'_>> = fresh.values().map(|page| shown(page)).collect();
        let overlay = if is_all {
            Overlay::of_all(space.id, space.language, &engine_pages)
        } else {
            Overlay::of_changes(space.id, space.language, stale.into_iter().collect(), &engine_pages)
        };
        let overlay = Arc::new(overlay.map_err(failed)?);
        Ok(KeptOverlay { before: held, root: space.root, language: space.language, overlay, pages, missing })
    }
}

fn count_of(pages: usize) -> u64 {
    u64::try_from(pages).unwrap_or(u64::MAX)
}

impl Reader<'_> {
    /// Returns the scopes of spaces, with overlays of the pages that the index lacks. If these are too many, the
    /// overlays only hide the changed pages, and the progress of the index is returned as well.
    pub(super) fn scopes(
        &mut self,
        snapshot: &Snapshot,
        spaces: &[SearchedSpace],
    ) -> Result<(Vec<Scope>, Option<SearchProgress>)> {
        let is_behind = |space: &&SearchedSpace| !space.is_in(snapshot.held(space.id));
        let behind: Vec<SearchedSpace> = spaces.iter().filter(is_behind).copied().collect();
        let node = self.storage.search_node();
        if let ([only], true) = (spaces, node.is_bounded()) {
            node.uses.note(only.id);
        }
        let mut overlays = self.overlays(snapshot, &behind)?;
        let progress = SearchProgress::of(snapshot, spaces, &overlays);
        let scope = |space: &SearchedSpace| Scope {
            space: space.id,
            overlay: overlays.remove(&space.id).map(|kept| kept.overlay),
        };
        Ok((spaces.iter().map(scope).collect(), progress))
    }

    fn overlays(&mut self, snapshot: &Snapshot, behind: &[SearchedSpace]) -> Result<SpaceMap<KeptOverlay>> {
        let mut overlays = SpaceMap::default();
        if behind.is_empty() {
            return Ok(overlays);
        }
        let node = self.storage.search_node();
        let mut changes = Vec::new();
        for space in behind {
            let held = snapshot.held(space.id);
            match node.overlay(space, held) {
                Some(kept) => drop(overlays.insert(space.id, kept)),
                None => changes.push(self.behind(snapshot, *space, held)?),
            }
        }
        let requested = changes.iter().map(|change| count_of(change.changed.count())).sum();
        self.storage.request_indexing(behind.iter().map(|space| space.id), requested);
        // The smallest differences come first, so that as many spaces as possible are searched completely.
        changes.sort_by_key(|change| change.changed.count());
        let mut pages = 0_usize;
        let mut fits = |change: &Behind| {
            pages = pages.saturating_add(change.changed.count());
            pages <= DIRECT_PAGES
        };
        let hidden = changes.split_off(changes.iter().take_while(|change| fits(change)).count());
        let documents = changes.iter().flat_map(|Behind { space, changed, .. }| {
            changed.fresh.values().filter_map(|page| Some((space.id, page.document?)))
        });
        let sections = self.direct_sections(documents.collect())?;
        if sections.is_none() {
            self.storage.request_indexing_now(behind.iter().map(|space| space.id));
        }
        for change in changes {
            let id = change.space.id;
            let kept = change.overlay(sections.as_ref())?;
            node.keep_overlay(id, kept.clone());
            overlays.insert(id, kept);
        }
        for change in hidden {
            let (id, is_large) = (change.space.id, change.changed.count() > DIRECT_PAGES);
            let kept = change.overlay(None)?;
            // The next search may have enough memory for the pages of a small overlay, so only large ones are cached.
            if is_large {
                node.keep_overlay(id, kept.clone());
            }
            overlays.insert(id, kept);
        }
        Ok(overlays)
    }

    fn behind(
        &mut self,
        snapshot: &Snapshot,
        space: SearchedSpace,
        held: Option<IndexedVersion>,
    ) -> Result<Behind> {
        // Stems of another language are useless.
        let base = held.filter(|held| held.language == space.language);
        let before = self.former_tree(space.id, base.map(|held| held.root))?;
        let after = self.tree_of(space.id, space.root)?;
        let changed = Changed::between(before.as_ref().unwrap_or(&Tree::empty()), &after);
        let mut outdated = Vec::new();
        if let Some(before) = before.as_ref().filter(|_| base.is_some_and(|held| held.computed != 0))
            && !has_same_placeholders(before, &after)
        {
            let is_computed = |page: &PageId| before.page(*page).is_none();
            outdated.extend(snapshot.page_ids(space.id).into_iter().filter(is_computed));
        }
        let (is_all, pages) = (before.is_none(), count_of(after.page_count()));
        Ok(Behind { space, held, is_all, changed, outdated, pages })
    }

    /// Returns the indexed tree; `None` if the database does not have it, as after the restoration of a backup.
    pub(super) fn former_tree(&mut self, space: SpaceId, root: Option<[u8; 32]>) -> Result<Option<Tree>> {
        let Some(root) = root else { return Ok(None) };
        match self.tree_of(space, TreeHash::from_bytes(root)) {
            Ok(tree) => Ok(Some(tree)),
            Err(Error::Internal(..)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the sections of documents that are searched without the index. Takes at most one statement. Returns
    /// `None` if the uncached documents have more than [`DIRECT_BYTES`].
    fn direct_sections(&mut self, documents: Vec<(SpaceId, DocumentId)>) -> Result<Option<SectionsById>> {
        let (mut sections, missing) = self.cached_sections(documents);
        if missing.is_empty() {
            return Ok(Some(sections));
        }
        let ids: Vec<&[u8]> = missing.iter().map(|(_, id)| id.as_bytes().as_slice()).collect();
        let spaces: Vec<_> = missing.iter().map(|(space, _)| space).collect();
        let rows: Vec<(Vec<u8>, Option<Vec<u8>>)> =
            FindBodies::bind((spaces, ids, DIRECT_BYTES)).load(self.connection)?;
        for (id, body) in rows {
            let Some(body) = body else { return Ok(None) };
            let (id, document) = document_of(&id, body)?;
            sections.insert(id, self.storage.sections_of(id, &document));
        }
        Ok(Some(sections))
    }

    /// Returns the sections of the first documents of a space, of at least one. Takes at most one statement. It stops
    /// when the uncached documents reach `bytes`, and includes the last of them.
    ///
    /// The sections are not cached: each page is indexed once, and overlays no longer need them then.
    pub(super) fn next_sections(
        &mut self,
        space: SpaceId,
        documents: impl IntoIterator<Item = DocumentId>,
        bytes: i64,
    ) -> Result<SectionsById> {
        let documents = documents.into_iter().map(|id| (space, id)).collect();
        let (mut sections, missing) = self.cached_sections(documents);
        if missing.is_empty() {
            return Ok(sections);
        }
        let ids: Vec<&[u8]> = missing.iter().map(|(_, id)| id.as_bytes().as_slice()).collect();
        let rows: Vec<(Vec<u8>, Vec<u8>)> =
            FindNextBodies::bind((space, ids, bytes)).load(self.connection)?;
        for (id, body) in rows {
            let (id, document) = document_of(&id, body)?;
            sections.insert(id, self.storage.extract_sections(&document));
        }
        Ok(sections)
    }

    /// Returns the cached sections, and the other documents.
    fn cached_sections(
        &self,
        documents: Vec<(SpaceId, DocumentId)>,
    ) -> (SectionsById, Vec<(SpaceId, DocumentId)>) {
        let mut sections = HashMap::with_capacity(documents.len());
        let mut missing = documents;
        missing.retain(|(_, id)| match self.storage.caches().sections.get(id) {
            Some(found) => {
                sections.insert(*id, found);
                false
            }
            None => true,
        });
        (sections, missing)
    }
}

fn document_of(id: &[u8], body: Vec<u8>) -> Result<(DocumentId, DocumentJson)> {
    let json = String::from_utf8(body).map_err(anyhow::Error::from);
    let document = json.and_then(|json| Ok(DocumentJson::new(json)?));
    let document = document.map_err(|error| Error::corrupt("a document isn't JSON", error))?;
    Ok((document_id(id)?, document))
}

/// Returns a page in the form of the engine.
pub(super) fn engine_page<'p>(
    page: &'p PageNode,
    path: &'p str,
    context: Context<'p>,
    sections: &'p SectionsById,
) -> Page<'p> {
    let facts = page.document.and_then(|id| sections.get(&id)).map_or(&[][..], |facts| &**facts);
    let sections = facts.iter().map(engine_section).collect();
    Page { id: page.id, title: &page.title, path, context, sections }
}

/// Returns the titles of a page's ancestors, from the top.
pub(super) fn ancestors_of<'t>(tree: &'t Tree, page: &PageNode) -> Vec<&'t str> {
    let mut titles: Vec<&str> = tree.ancestors(page.id).map(|page| page.title.as_str()).collect();
    titles.reverse();
    titles
}

pub(super) fn engine_section(fact: &SectionFact) -> Section<'_> {
    Section { anchor: fact.anchor.as_deref(), heading: fact.heading.as_deref(), text: &fact.text }
}

/// Returns the page, if it can be found in searches.
fn searchable(entry: Entry) -> Option<Arc<PageNode>> {
    match entry {
        Entry::Page(page) if matches!(page.kind, PageKind::Document) && !page.no_index => Some(page),
        _ => None,
    }
}

/// Returns whether two trees have the same placeholders in the same places. If so, equal specifications result in equal
/// computed pages.
fn has_same_placeholders(before: &Tree, after: &Tree) -> bool {
    let facts = |tree: &Tree| -> Vec<(PageNode, Option<String>, Vec<String>)> {
        let facts = |page: PageNode| {
            let path = page.parent.and_then(|parent| tree.path_of(parent));
            let above = ancestors_of(tree, &page).into_iter().map(str::to_owned).collect();
            (page, path, above)
        };
        let mut facts: Vec<_> = tree.computed_pages().cloned().map(facts).collect();
        facts.sort_by_key(|(page, ..)| page.id);
        facts
    };
    facts(before) == facts(after)
}

/// Returns the attributes of a page on which a search depends.
fn search_facts(page: &PageNode) -> (PageId, &str, Option<DocumentId>) {
    (page.id, &page.title, page.document)
}
