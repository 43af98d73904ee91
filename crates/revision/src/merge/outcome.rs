//! State of a merge in progress: `into` plus the decisions made so far.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::conflict::{Conflict, ConflictKind, ConflictPage};
use super::documents::DocumentMerges;
use super::resolution::{ConflictId, Resolution};
use super::{Merged, Strategy, WithoutConflict, documents_of};
use crate::diff::tree_order;
use crate::entry::{Entry, EntryId, PageNode};
use crate::hash::DocumentId;
use crate::id::PageId;
use crate::position::Position;
use crate::tree::Tree;

/// Kinds of conflicts about the existence and the parents of pages.
const STRUCTURAL: [ConflictKind; 3] =
    [ConflictKind::DeletedHere, ConflictKind::DeletedThere, ConflictKind::Moved];

pub(super) struct Outcome<'a> {
    pub(super) base: &'a Tree,
    pub(super) into: &'a Tree,
    pub(super) from: &'a Tree,
    pub(super) documents: &'a DocumentMerges,
    resolution: &'a Resolution,
    /// Decided records, `None` for deleted ones; all others are as in `into`.
    decided: BTreeMap<EntryId, Option<Entry>>,
    /// Conflicts to report.
    conflicts: Vec<Conflict>,
    /// Conflicts that a choice resolved.
    resolved: Vec<ConflictId>,
    /// Number of blocks that merged in documents with conflicts.
    merged_blocks: usize,
    /// Side that resolves each conflict about a page; `None` for an unresolved one.
    sides: BTreeMap<(PageId, ConflictKind), Option<Strategy>>,
    /// Conflicts about the structure that a choice resolved. They become unresolved if the choices contradict each
    /// other.
    structural: Vec<Conflict>,
}

impl<'a> Outcome<'a> {
    pub(super) fn new(
        base: &'a Tree,
        into: &'a Tree,
        from: &'a Tree,
        resolution: &'a Resolution,
        documents: &'a DocumentMerges,
    ) -> Self {
        Self {
            base,
            into,
            from,
            documents,
            resolution,
            decided: BTreeMap::new(),
            conflicts: Vec::new(),
            resolved: Vec::new(),
            merged_blocks: 0,
            sides: BTreeMap::new(),
            structural: Vec::new(),
        }
    }

    /// Sets the outcome of a record.
    pub(super) fn set(&mut self, id: EntryId, entry: Option<Entry>) {
        self.decided.insert(id, entry);
    }

    /// Returns a page as decided so far; `None` if it is deleted.
    pub(super) fn page(&self, id: PageId) -> Option<&PageNode> {
        match self.decided.get(&EntryId::Page(id)) {
            Some(decided) => decided.as_ref().and_then(Entry::as_page).map(Arc::as_ref),
            None => self.into.page(id),
        }
    }

    /// Returns the pages whose parent may be missing or form a cycle: decided pages, and children in `into` of deleted
    /// pages.
    pub(super) fn suspects(&self) -> Vec<PageId> {
        let mut suspects = Vec::new();
        for (id, entry) in &self.decided {
            let EntryId::Page(id) = *id else { continue };
            match entry {
                Some(_) => suspects.push(id),
                None => suspects.extend(self.into.children(Some(id)).map(|child| child.id)),
            }
        }
        suspects
    }

    /// Records a conflict about a page, and returns the side that resolves it.
    pub(super) fn conflict_on_page(
        &mut self,
        id: PageId,
        kind: ConflictKind,
        values: [Option<Value>; 3],
    ) -> Option<Strategy> {
        let page = ConflictPage::new(id, self.from, self.into);
        let side = self.conflict(Conflict::on_page(page, kind, values));
        self.sides.insert((id, kind), side);
        side
    }

    /// Records a conflict, and returns the side that resolves it.
    pub(super) fn conflict(&mut self, conflict: Conflict) -> Option<Strategy> {
        if let Some(side) = self.resolution.chosen_side(&conflict.id) {
            self.resolved.push(conflict.id.clone());
            if STRUCTURAL.contains(&conflict.kind) {
                self.structural.push(conflict);
            }
            return Some(side);
        }
        if self.resolution.reports() {
            self.conflicts.push(conflict);
        }
        self.resolution.strategy()
    }

    /// Reports a conflict whose outcome is already set, with the number of blocks of its document that merged.
    pub(super) fn report(&mut self, conflict: Conflict, merged_blocks: usize) {
        self.conflicts.push(conflict);
        self.merged_blocks += merged_blocks;
    }

    /// Adds conflicts that choices resolved in a merge of documents.
    pub(super) fn note_resolved(&mut self, conflicts: &[ConflictId]) {
        self.resolved.extend_from_slice(conflicts);
    }

    /// Returns whether there is a conflict of one of these kinds about a page.
    pub(super) fn has_conflict(&self, id: PageId, kinds: &[ConflictKind]) -> bool {
        kinds.iter().any(|kind| self.sides.contains_key(&(id, *kind)))
    }

    /// Returns the side that determines the existence and parent of a page.
    pub(super) fn side_of(&self, id: PageId) -> Option<Strategy> {
        let chosen = || STRUCTURAL.iter().find_map(|kind| self.sides.get(&(id, *kind)).copied().flatten());
        self.resolution.strategy().or_else(chosen)
    }

    /// Returns whether the outcome follows all choices about existence and parents of pages. It may not, if they
    /// contradict each other.
    pub(super) fn follows_choices(&self) -> bool {
        self.structural.iter().all(|conflict| {
            let Some(id) = conflict.page.as_ref().map(|page| page.id) else { return true };
            let side = match self.resolution.chosen_side(&conflict.id) {
                Some(Strategy::Ours) => self.from,
                Some(Strategy::Theirs) => self.into,
                None => return true,
            };
            let parent = |page: &PageNode| page.parent.filter(|_| conflict.kind == ConflictKind::Moved);
            self.page(id).map(parent) == side.page(id).map(parent)
        })
    }

    /// Reverts the choices about the structure and reports their conflicts as unresolved.
    pub(super) fn reject_structure(&mut self) {
        let rejected = std::mem::take(&mut self.structural);
        self.resolved.retain(|id| rejected.iter().all(|conflict| conflict.id != *id));
        self.conflicts.extend(rejected);
        self.decided.clear();
    }

    /// Builds the merged tree. A page whose slug or position a sibling has gets a free one.
    pub(super) fn finish(mut self) -> Merged<DocumentId> {
        let mut tree = self.into.clone();
        let mut entries = Vec::new();
        for (id, entry) in std::mem::take(&mut self.decided) {
            let present = tree.entry(id);
            if present != entry {
                tree.take(id);
                entries.extend(entry.map(|entry| (relocation_rank(present.as_ref(), &entry), id, entry)));
            }
        }
        // Siblings are inserted in order, so that relocated ones keep their relative order.
        let position = |entry: &Entry| entry.as_page().map(|page| page.position.clone());
        entries.sort_by_cached_key(|(relocation_rank, id, entry)| (*relocation_rank, position(entry), *id));
        let used = documents_of(entries.iter().map(|(_, _, entry)| entry));
        let mut relocator = Relocator { base: self.base, from: self.from, after_into: BTreeSet::new() };
        for (_, _, entry) in entries {
            let entry = relocator.place(&tree, entry);
            tree.put(entry);
        }
        let (into, from) = (self.into, self.from);
        self.conflicts.sort_by_cached_key(|conflict| {
            let page = conflict.page.as_ref().map(|page| page.id);
            let order = page.map(|id| tree_order(from, into, from.page(id), into.page(id)));
            (page.is_none(), order, conflict.kind, conflict.file, conflict.reusable_content)
        });
        let Self { conflicts, resolved, documents, merged_blocks, .. } = self;
        let without_conflict = WithoutConflict { blocks: merged_blocks, ..WithoutConflict::default() };
        Merged { tree, documents: documents.made_of(&used), conflicts, resolved, without_conflict }
    }
}

/// Ranks a record by the difference between its location and its location in `into`. Records that stay are inserted
/// first and keep their slugs and positions.
fn relocation_rank(present: Option<&Entry>, entry: &Entry) -> u8 {
    match (present.and_then(Entry::as_page), entry.as_page()) {
        (Some(present), Some(page)) if present.parent == page.parent && present.slug == page.slug => {
            u8::from(present.position != page.position)
        }
        _ => 2,
    }
}

/// Assigns free slugs and positions to new and relocated pages of the merged tree.
struct Relocator<'a> {
    base: &'a Tree,
    from: &'a Tree,
    /// Inserted pages of `from` that were placed after inserted pages of `into`.
    after_into: BTreeSet<PageId>,
}

impl Relocator<'_> {
    /// Returns the record with a slug and a position that are free in the tree.
    fn place(&mut self, tree: &Tree, entry: Entry) -> Entry {
        let Entry::Page(page) = entry else { return entry };
        let mut page = Arc::unwrap_or_clone(page);
        if !page.slug.is_empty() {
            page.slug = tree.free_slug(page.parent, &page.slug);
        }
        page.position = match self.after_inserted(tree, &page) {
            Some(position) => position,
            None => tree.free_position(page.parent, page.position),
        };
        Entry::Page(Arc::new(page))
    }

    /// Returns the position of an inserted page whose position `into` uses: after all inserted pages there, so that two
    /// lists added at the same position follow each other and do not interleave.
    fn after_inserted(&mut self, tree: &Tree, page: &PageNode) -> Option<Position> {
        if !self.is_newcomer(page) {
            return None;
        }
        let there = self.from.page(page.id).filter(|there| there.parent == page.parent);
        let leader = there.and_then(|there| self.from.child_before(there.parent, &there.position));
        let leader = leader.filter(|leader| self.after_into.contains(&leader.id));
        let (before, after) = match leader.and_then(|leader| tree.page(leader.id)) {
            Some(leader) => {
                let mut rest = tree.children_from(page.parent, &leader.position);
                (rest.next()?, rest.next())
            }
            None => {
                let mut rest = tree.children_from(page.parent, &page.position).peekable();
                rest.peek().filter(|tied| tied.position == page.position && self.is_newcomer(tied))?;
                let mut last = rest.next()?;
                while let Some(next) = rest.next_if(|next| self.is_newcomer(next)) {
                    last = next;
                }
                (last, rest.next())
            }
        };
        let position = Position::between(Some(&before.position), after.map(|page| &page.position))?;
        self.after_into.insert(page.id);
        Some(position)
    }

    /// Returns whether a page did not have this parent in the base.
    fn is_newcomer(&self, page: &PageNode) -> bool {
        self.base.page(page.id).is_none_or(|base| base.parent != page.parent)
    }
}
