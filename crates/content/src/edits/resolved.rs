//! Documents of a write with resolved links, and the lookups that they depend on.
//!
//! Resolving the links of a document walks all of it. This is done once, when the write is drafted. If the head has
//! moved since, only the lookups are repeated under its lock. A document whose lookups have the same results is
//! unchanged, so its id is known.

use std::collections::{BTreeMap, HashMap};

use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, PageId, ReusableContentId};
use quire_revision::Tree;
use quire_storage::content::store::AnalyzedDocument;

use super::problems::Problems;

/// Owner of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Owner {
    Page(PageId),
    ReusableContent(ReusableContentId),
}

/// Source of a document of the write.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// Stored document, or `None` for an empty one.
    Document(Option<DocumentId>),
    /// Body of the change with this index.
    Body { change: usize, keeps_heading: bool },
    /// Present document with blocks restored from a past one.
    Reverted { present: Box<Self>, past: Option<DocumentId>, blocks: Vec<String> },
}

/// Lookups in a tree, and their results.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    /// Path of the owning page, if relative links depend on it.
    path: Option<(PageId, Option<String>)>,
    pages: BTreeMap<String, Option<PageId>>,
}

impl Lookups {
    pub(super) fn path_of(&mut self, tree: &Tree, page: PageId) -> Option<String> {
        let path = tree.path_of(page);
        self.path = Some((page, path.clone()));
        path
    }

    pub(super) fn page_by_path(&mut self, tree: &Tree, path: String) -> Option<PageId> {
        *self.pages.entry(path).or_insert_with_key(|path| tree.page_by_path(path).map(|page| page.id))
    }

    fn hold(&self, tree: &Tree) -> bool {
        self.path.as_ref().is_none_or(|(page, path)| tree.path_of(*page) == *path)
            && self.pages.iter().all(|(path, id)| tree.page_by_path(path).map(|page| page.id) == *id)
    }
}

/// Document ids by source, with the lookups that they depend on. `None` for the empty document.
#[derive(Debug, Default)]
pub struct Resolved(pub(super) HashMap<(Owner, Source), Vec<(Lookups, Outcome)>>);

pub(super) type Outcome = Result<Option<DocumentId>, Problems>;

impl Resolved {
    pub(super) fn find(&self, key: &(Owner, Source), tree: &Tree) -> Option<&Outcome> {
        let found = self.0.get(key)?.iter().find(|(lookups, _)| lookups.hold(tree));
        found.map(|(_, outcome)| outcome)
    }
}

/// Documents of a write that is being applied.
pub(super) enum Documents<'a> {
    /// Draft, which creates the documents.
    Drafted { resolved: Resolved, made: BTreeMap<DocumentId, AnalyzedDocument> },
    /// Replay, which reuses the documents of a draft.
    Replayed { resolved: &'a Resolved, outdated: bool },
}

impl<'a> Documents<'a> {
    pub(super) fn draft() -> Self {
        Self::Drafted { resolved: Resolved::default(), made: BTreeMap::new() }
    }

    pub(super) fn replay(resolved: &'a Resolved) -> Self {
        Self::Replayed { resolved, outdated: false }
    }

    /// Returns the documents that a draft created.
    pub(super) fn into_drafted(self) -> (Resolved, BTreeMap<DocumentId, AnalyzedDocument>) {
        match self {
            Self::Drafted { resolved, made } => (resolved, made),
            Self::Replayed { .. } => Default::default(),
        }
    }

    /// Returns whether the replay needed a document that the draft lacks.
    pub(super) fn are_outdated(&self) -> bool {
        matches!(self, Self::Replayed { outdated: true, .. })
    }

    pub(super) fn made(&self, id: DocumentId) -> Option<&DocumentJson> {
        match self {
            Self::Drafted { made, .. } => made.get(&id).map(AnalyzedDocument::body),
            Self::Replayed { .. } => None,
        }
    }
}
