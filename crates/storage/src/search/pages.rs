//! Pages as the engine takes them, and the pages that the index lacks.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, Uuid as SqlUuid};
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, PageId, SpaceId};
use quire_revision::{Entry, PageKind, PageNode, Tree, TreeHash, raw_diff};
use quire_search::{Held, Language, Overlay, Page, Scope, Section, Snapshot, SpaceMap};
use uuid::Uuid;

use super::node::{KeptOverlay, failed};
use crate::content::{SectionFact, document_id};
use crate::statement::sql_files;
use crate::transaction::Reader;
use crate::{Error, Result};

/// Pages that a search looks at without the index.
const DIRECT_PAGES: usize = 1000;
/// Bytes of their documents. An overlay takes about twice as many.
const DIRECT_BYTES: i64 = 8 << 20;

sql_files! {
    FindBodies(Array<SqlUuid>, Array<Binary>, BigInt) -> (Binary, Nullable<Binary>) = "search/bodies.sql";
    FindNextBodies(SqlUuid, Array<Binary>, BigInt) -> (Binary, Binary) = "search/next_bodies.sql";
}

/// A space with the content to be searched.
#[derive(Clone, Copy)]
pub(super) struct SearchedSpace {
    pub(super) id: SpaceId,
    pub(super) root: TreeHash,
    pub(super) language: Language,
}

impl SearchedSpace {
    pub(super) fn held(&self) -> Held {
        Held { root: *self.root.as_bytes(), language: self.language }
    }
}

/// Sections of documents by the hashes of the documents.
pub(super) type SectionsById = HashMap<DocumentId, Arc<[SectionFact]>>;

/// Difference of two trees for search.
pub(super) struct Changed {
    /// Pages that the former tree shows otherwise.
    pub(super) stale: Vec<PageId>,
    /// Pages to be searched instead.
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

    /// As [`Changed::between`], with pages whose path another page changed. Answers show the paths in the index while it
    /// holds the head of a space.
    pub(super) fn with_paths(before: &Tree, after: &Tree) -> Self {
        let mut changed = Self::between(before, after);
        let place = |entry: Option<Entry>| match entry {
            Some(Entry::Page(page)) => Some((page.parent, page.slug.clone())),
            _ => None,
        };
        let is_moved = |(old, new): (Option<Entry>, Option<Entry>)| {
            place(old).zip(place(new)).is_some_and(|(old, new)| old != new)
        };
        if raw_diff(before, after).into_iter().any(is_moved) {
            for page in after.pages_in_order() {
                let is_other = |former: &PageNode| before.path_of(former.id) != after.path_of(page.id);
                if !changed.fresh.contains_key(&page.id)
                    && before.page(page.id).is_some_and(is_other)
                    && let Some(page) = searchable(Entry::Page(Arc::new(page.clone())))
                {
                    changed.stale.push(page.id);
                    changed.fresh.insert(page.id, page);
                }
            }
        }
        changed
    }

    pub(super) fn count(&self) -> usize {
        self.fresh.len().max(self.stale.len())
    }
}

impl Reader<'_> {
    /// Returns the scopes of spaces, with overlays of the pages that the index lacks.
    ///
    /// # Errors
    /// [`Error::Indexing`] if it lacks too many.
    pub(super) fn scopes(&mut self, snapshot: &Snapshot, spaces: &[SearchedSpace]) -> Result<Vec<Scope>> {
        let behind: Vec<SearchedSpace> =
            spaces.iter().filter(|space| snapshot.held(space.id) != Some(space.held())).copied().collect();
        let node = self.storage.search_node();
        if let ([only], true) = (spaces, node.is_bounded()) {
            node.uses.note(only.id);
        }
        let mut overlays = self.overlays(snapshot, &behind)?;
        let scope = |space: &SearchedSpace| Scope { space: space.id, overlay: overlays.remove(&space.id) };
        Ok(spaces.iter().map(scope).collect())
    }

    fn overlays(&mut self, snapshot: &Snapshot, behind: &[SearchedSpace]) -> Result<SpaceMap<Arc<Overlay>>> {
        if behind.is_empty() {
            return Ok(SpaceMap::default());
        }
        let node = self.storage.search_node();
        let mut overlays = SpaceMap::default();
        let mut missing = Vec::new();
        for space in behind {
            let held = snapshot.held(space.id);
            match node.overlay(space.id, held, space.held()) {
                Some(overlay) => drop(overlays.insert(space.id, overlay)),
                None => missing.push((*space, held)),
            }
        }
        let mut pages = 0;
        let mut changes = Vec::new();
        for (space, held) in missing {
            // Stems of another language are of no use.
            let base = held.filter(|held| held.language == space.language);
            let before = self.former_tree(space.id, base.map(|held| held.root))?;
            let after = self.tree_of(space.id, space.root)?;
            let changed = Changed::between(before.as_ref().unwrap_or(&Tree::empty()), &after);
            pages += changed.count();
            changes.push((space, held, before.is_none(), changed));
        }
        let requested = u64::try_from(pages).unwrap_or(u64::MAX);
        self.storage.request_indexing(behind.iter().map(|space| space.id), requested);
        if pages > DIRECT_PAGES {
            return Err(node.behind());
        }
        let documents = |(space, _, _, changed): &(SearchedSpace, _, _, Changed)| {
            let space = space.id;
            changed.fresh.values().filter_map(move |page| Some((space, page.document?))).collect::<Vec<_>>()
        };
        let documents = changes.iter().flat_map(documents).collect();
        let Some(sections) = self.direct_sections(documents)? else {
            self.storage.request_indexing_now(behind.iter().map(|space| space.id));
            return Err(node.behind());
        };
        for (space, before, is_all, changed) in changes {
            let overlay = Arc::new(overlay_of(space, is_all, changed, &sections)?);
            let kept = KeptOverlay { before, after: space.held(), overlay: Arc::clone(&overlay) };
            node.keep_overlay(space.id, kept);
            overlays.insert(space.id, overlay);
        }
        Ok(overlays)
    }

    /// Returns the tree that the index holds; `None` if it is unknown to the database, as after a backup was restored.
    pub(super) fn former_tree(&mut self, space: SpaceId, root: Option<[u8; 32]>) -> Result<Option<Tree>> {
        let Some(root) = root else { return Ok(None) };
        match self.tree_of(space, TreeHash::from_bytes(root)) {
            Ok(tree) => Ok(Some(tree)),
            Err(Error::Internal(..)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the sections of documents that are searched without the index: at most one statement. `None` if the
    /// documents that aren't in memory take more than [`DIRECT_BYTES`].
    fn direct_sections(&mut self, documents: Vec<(SpaceId, DocumentId)>) -> Result<Option<SectionsById>> {
        let (mut sections, missing) = self.cached_sections(documents);
        if missing.is_empty() {
            return Ok(Some(sections));
        }
        let ids: Vec<&[u8]> = missing.iter().map(|(_, id)| id.as_bytes().as_slice()).collect();
        let spaces: Vec<Uuid> = missing.iter().map(|(space, _)| *space.as_uuid()).collect();
        let rows: Vec<(Vec<u8>, Option<Vec<u8>>)> =
            FindBodies::bind((spaces, ids, DIRECT_BYTES)).load(self.connection)?;
        for (id, body) in rows {
            let Some(body) = body else { return Ok(None) };
            let (id, document) = document_of(&id, body)?;
            sections.insert(id, self.storage.sections_of(id, &document));
        }
        Ok(Some(sections))
    }

    /// Returns the sections of the first of some documents of a space, at least of one: at most one statement. It stops
    /// before the documents that aren't in memory take `bytes`, apart from the last of them.
    ///
    /// The sections are not kept in memory: each page is indexed once, and overlays no longer need them then.
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
            FindNextBodies::bind((space.as_uuid(), ids, bytes)).load(self.connection)?;
        for (id, body) in rows {
            let (id, document) = document_of(&id, body)?;
            sections.insert(id, self.storage.extract_sections(&document));
        }
        Ok(sections)
    }

    /// Returns the sections that are in memory, and the other documents.
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

fn overlay_of(
    space: SearchedSpace,
    is_all: bool,
    changed: Changed,
    sections: &SectionsById,
) -> Result<Overlay> {
    let Changed { stale, fresh } = changed;
    // The paths of a space with an overlay come from its tree.
    let pages: Vec<Page<'_>> = fresh.values().map(|page| engine_page(page, "", sections)).collect();
    let made = if is_all {
        Overlay::of_all(space.id, space.language, &pages)
    } else {
        Overlay::of_changes(space.id, space.language, stale.into_iter().collect(), &pages)
    };
    made.map_err(failed)
}

fn document_of(id: &[u8], body: Vec<u8>) -> Result<(DocumentId, DocumentJson)> {
    let json = String::from_utf8(body).map_err(anyhow::Error::from);
    let document = json.and_then(|json| Ok(DocumentJson::new(json)?));
    let document = document.map_err(|error| Error::corrupt("a document isn't JSON", error))?;
    Ok((document_id(id)?, document))
}

/// The page as the engine takes it.
pub(super) fn engine_page<'p>(page: &'p PageNode, path: &'p str, sections: &'p SectionsById) -> Page<'p> {
    let facts = page.document.and_then(|id| sections.get(&id)).map_or(&[][..], |facts| &**facts);
    Page { id: page.id, title: &page.title, path, sections: facts.iter().map(engine_section).collect() }
}

pub(super) fn engine_section(fact: &SectionFact) -> Section<'_> {
    Section { anchor: fact.anchor.as_deref(), heading: fact.heading.as_deref(), text: &fact.text }
}

/// The page, if it can be found at all.
fn searchable(entry: Entry) -> Option<Arc<PageNode>> {
    match entry {
        Entry::Page(page) if matches!(page.kind, PageKind::Document) && !page.no_index => Some(page),
        _ => None,
    }
}

/// Attributes of a page that a search depends on.
fn search_facts(page: &PageNode) -> (PageId, &str, Option<DocumentId>) {
    (page.id, &page.title, page.document)
}
