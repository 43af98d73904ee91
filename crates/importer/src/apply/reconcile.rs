//! Replacement of content with that of a repository. Pages, files and reusable contents keep their ids, and unchanged
//! ones keep their position and times.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use quire_domain::ids::{FileId, PageId, ReusableContentId};
use quire_revision::{
    Conflict, DocumentMerges, FileNode, GitBlob, Merged, PageNode, PageType, Position, Resolution,
    ReusableContentNode, Strategy, Tree, TreeError, merge_with,
};

use crate::plan::ImportPlan;

/// Repository that a plan was read from.
#[derive(Debug, Clone, Default)]
pub struct Repository {
    /// Files by their paths in the import.
    pub files: HashMap<String, GitBlob>,
    /// Content as last synchronized with the repository. Later edits in the content are kept for unchanged files, and
    /// so are additions. If it is `None`, the content becomes that of the repository.
    pub last: Option<Tree>,
    /// Paths of the pages whose text changed since `last`, if the plan has no other pages. All pages of other files
    /// must be in `last`, and are taken from there.
    pub changed: Option<HashSet<String>>,
    /// Former paths in the repository of moved pages whose text also changed, by their paths in the import.
    pub moved: HashMap<String, String>,
    /// True if the version of the content stays where changes of both sides conflict. Otherwise, that of the repository
    /// does.
    pub keeps_edits: bool,
    /// Subject of the change request for the other version.
    pub subject: String,
}

/// Content after its replacement with that of a repository.
pub(super) struct Settled {
    /// Content of the repository.
    pub(super) tree: Tree,
    /// Content of the repository merged with the edits since the last synchronization, if there are any.
    pub(super) edited: Option<Tree>,
    /// Changes of one side that conflict with those of the side whose version stays, if there are any.
    pub(super) set_aside: Option<SetAside>,
}

/// Changes of one side that conflict with those of the side whose version stays: the difference between two trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// Content of the one side without these changes.
    pub base: Tree,
    /// Content of the one side.
    pub changed: Tree,
}

/// Content to replace, matched with the plan.
pub(super) struct Former<'f> {
    before: &'f Tree,
    repository: &'f Repository,
    pages: HashMap<PageId, PageId>,
    files: HashMap<FileId, FileId>,
    contents: HashMap<ReusableContentId, ReusableContentId>,
    /// Paths of planned pages.
    texts: HashSet<&'f str>,
    /// Matched pages of the content.
    taken: HashSet<PageId>,
    /// Pages as last synchronized, by their paths in the repository, if the plan only has changed pages.
    kept: HashMap<&'f str, &'f PageNode>,
}

impl<'f> Former<'f> {
    /// Matches by paths in the repository, then by equal bytes if one path vanished and another is new, and then by
    /// moves with changes.
    pub(super) fn of(before: &'f Tree, plan: &'f ImportPlan, repository: &'f Repository) -> Self {
        let last = || repository.last.iter();
        let planned = plan.pages.iter().filter_map(|page| Some((page.id, page.source_path.as_deref()?)));
        // Records that were deleted here since are matched, too: in a merge, they are deleted and not new.
        let pages = last().flat_map(Tree::pages).filter(|page| before.page(page.id).is_none());
        let pages = pages.chain(before.pages()).filter_map(|page| Some((page.id, page.git.as_deref()?)));
        let pages = matched(planned, pages, repository);
        // Pictures in the text of a page are files without a path of their own.
        let texts: HashSet<&str> = plan.pages.iter().filter_map(|page| page.source_path.as_deref()).collect();
        let planned = plan.files.iter().map(|file| (file.id, file.source_path.as_str()));
        let planned = planned.filter(|(_, path)| !texts.contains(path));
        let files = last().flat_map(Tree::files).filter(|file| before.file(file.id).is_none());
        let files = files.chain(before.files()).filter_map(|file| Some((file.id, file.git.as_ref()?)));
        let files = matched(planned, files, repository);
        let planned = plan.reusable_contents.iter().map(|content| (content.id, content.source_path.as_str()));
        let contents = last().flat_map(Tree::reusable_contents);
        let contents = contents.filter(|content| before.reusable_content(content.id).is_none());
        let contents = contents.chain(before.reusable_contents());
        let contents = contents.filter_map(|content| Some((content.id, content.git.as_ref()?)));
        let contents = matched(planned, contents, repository);
        let taken = pages.values().copied().collect();
        let kept = repository.last.iter().filter(|_| repository.changed.is_some()).flat_map(Tree::pages);
        let kept = kept.filter_map(|page| Some((page.git.as_ref()?.path.as_str(), page))).collect();
        Self { before, repository, pages, files, contents, texts, taken, kept }
    }

    /// Returns a page as it is, or as last synchronized if it was deleted since.
    fn former_page(&self, id: PageId) -> Option<&'f PageNode> {
        self.before.page(id).or_else(|| self.repository.last.as_ref()?.page(id))
    }

    /// Returns the matched files of the content, by the ids of planned files.
    pub(super) fn files(&self) -> &HashMap<FileId, FileId> {
        &self.files
    }

    /// Returns the matched reusable contents of the content, by the ids of planned ones.
    pub(super) fn contents(&self) -> &HashMap<ReusableContentId, ReusableContentId> {
        &self.contents
    }

    /// Returns the last synchronized version of a planned page, if its text did not change since.
    pub(super) fn kept_page(&self, path: &str) -> Option<&'f PageNode> {
        let changed = self.repository.changed.as_ref()?;
        let git = self.repository.files.get(path).filter(|_| !changed.contains(path))?;
        self.kept.get(git.path.as_str()).copied()
    }

    /// Returns the last synchronized files and reusable contents to keep.
    pub(super) fn kept(&self) -> (Vec<&'f FileNode>, Vec<&'f ReusableContentNode>) {
        let last = self.repository.last.as_ref().filter(|_| self.repository.changed.is_some());
        let files = last.into_iter().flat_map(Tree::files).collect();
        (files, last.into_iter().flat_map(Tree::reusable_contents).collect())
    }

    /// Returns the page of the content for a planned one: by its path in the repository, otherwise by its place in the
    /// tree.
    pub(super) fn page(
        &self,
        planned: PageId,
        parent: Option<PageId>,
        slug: &str,
        kind: PageType,
    ) -> Option<PageId> {
        let same = self.pages.get(&planned).copied();
        same.or_else(|| {
            let placed = self.before.child_by_slug(parent, slug).filter(|_| !slug.is_empty())?;
            (placed.page_type() == kind && !self.taken.contains(&placed.id)).then_some(placed.id)
        })
    }

    /// Returns whether an id belongs to another page of the content.
    pub(super) fn is_other_page(&self, id: PageId, kind: PageType) -> bool {
        self.taken.contains(&id) || self.before.page(id).is_some_and(|page| page.page_type() != kind)
    }

    /// Returns the location in the repository of a file of the import.
    pub(super) fn git(&self, path: &str) -> Option<GitBlob> {
        self.repository.files.get(path).cloned()
    }

    /// Returns the location in the repository of a planned file; `None` for a picture in the text of a page.
    pub(super) fn git_of_file(&self, path: &str) -> Option<GitBlob> {
        self.git(path).filter(|_| !self.texts.contains(path))
    }

    /// Returns the file of the content that has the same bytes in the repository.
    pub(super) fn unchanged_file(&self, planned: FileId, path: &str) -> Option<&FileNode> {
        let file = self.before.file(*self.files.get(&planned)?)?;
        (file.git.as_ref()?.oid == self.repository.files.get(path)?.oid).then_some(file)
    }

    /// Restores positions and times, and merges the edits in the content since the last synchronization.
    ///
    /// # Errors
    /// If the result would not be a tree.
    pub(super) fn settle(&self, mut tree: Tree) -> Result<Settled, TreeError> {
        self.keep_positions(&mut tree)?;
        self.keep_times(&mut tree)?;
        let Some(last) = &self.repository.last else {
            return Ok(Settled { tree, edited: None, set_aside: None });
        };
        let (strategy, overwritten) = match self.repository.keeps_edits {
            false => (Strategy::Theirs, self.before),
            true => (Strategy::Ours, &tree),
        };
        // Documents are not loaded, so each one that both sides changed conflicts.
        let resolution = Resolution::reported(strategy);
        let merged = merge_with(last, &tree, self.before, &resolution, |wanted| {
            Ok::<_, Infallible>(DocumentMerges::new(wanted, &HashMap::new(), &resolution))
        });
        let Ok(Merged { tree: mut edited, conflicts, .. }) = merged;
        keep_additions(overwritten, last, &mut edited)?;
        keep_locations(&tree, &mut edited)?;
        let base = reverted(overwritten, last, (&edited, &conflicts))?;
        let set_aside = base.map(|base| SetAside { base, changed: overwritten.clone() });
        let edited = (edited != tree).then_some(edited);
        Ok(Settled { tree, edited, set_aside })
    }

    /// Restores the former positions of pages whose order did not change.
    fn keep_positions(&self, tree: &mut Tree) -> Result<(), TreeError> {
        let parents: Vec<Option<PageId>> =
            std::iter::once(None).chain(tree.pages().map(|page| Some(page.id))).collect();
        for parent in parents {
            let pages: Vec<PageNode> = tree.children(parent).cloned().collect();
            let known: Vec<Option<&Position>> = pages
                .iter()
                .map(|page| {
                    let former = self.former_page(page.id).filter(|former| former.parent == parent);
                    former.map(|former| &former.position)
                })
                .collect();
            let Some(settled) = settled(&known) else { continue };
            let moved: Vec<PageNode> = pages
                .into_iter()
                .zip(settled)
                .filter(|(page, position)| page.position != *position)
                .map(|(page, position)| PageNode { position, ..page })
                .collect();
            // A restored position may still be taken by a page that is moved later, so all pages first get new
            // positions.
            let free = Position::n_between(
                tree.children(parent).next_back().map(|page| &page.position),
                None,
                moved.len(),
            );
            for (page, position) in moved.iter().zip(free.unwrap_or_default()) {
                tree.update_page(PageNode { position, ..page.clone() })?;
            }
            moved.into_iter().try_for_each(|page| tree.update_page(page))?;
        }
        Ok(())
    }

    /// Restores the former times of unchanged records.
    fn keep_times(&self, tree: &mut Tree) -> Result<(), TreeError> {
        let pages = tree.pages().filter_map(|page| {
            let former = self.former_page(page.id)?;
            let same =
                PageNode { updated_at: former.updated_at, created_at: former.created_at, ..page.clone() };
            Some(match same == *former {
                true => same,
                false => PageNode { created_at: former.created_at, ..page.clone() },
            })
        });
        let pages: Vec<PageNode> = pages.collect();
        pages.into_iter().try_for_each(|page| tree.update_page(page))?;
        let files = tree.files().filter_map(|file| {
            let created_at = self.before.file(file.id)?.created_at;
            Some(FileNode { created_at, ..file.clone() })
        });
        let files: Vec<FileNode> = files.collect();
        files.into_iter().try_for_each(|file| tree.update_file(file))?;
        let contents = tree.reusable_contents().filter_map(|content| {
            let former = self.before.reusable_content(content.id)?;
            let mut kept = content.clone();
            kept.created_at = former.created_at;
            if (&kept.title, kept.document, &kept.git) == (&former.title, former.document, &former.git) {
                kept.updated_at = former.updated_at;
            }
            Some(kept)
        });
        let contents: Vec<_> = contents.collect();
        contents.into_iter().try_for_each(|content| tree.update_reusable_content(content))
    }
}

/// Returns the content of one side without its changes that conflict with those of the side whose version stays; `None`
/// if there are none. A page that both sides added only loses its content, because the pages below it are kept.
fn reverted(
    side: &Tree,
    last: &Tree,
    (merged, conflicts): (&Tree, &[Conflict]),
) -> Result<Option<Tree>, TreeError> {
    let mut reverted = side.clone();
    for id in conflicts.iter().filter_map(|conflict| Some(conflict.page.as_ref()?.id)) {
        let Some(former) = side.page(id) else { continue };
        let synced = last.page(id).cloned().unwrap_or_else(|| without_content(former));
        let is_kept = merged.page(id).is_some_and(|page| is_same_text(page, former));
        if is_kept || is_same_text(former, &synced) {
            continue;
        }
        let PageNode { parent, position, slug, .. } = former.clone();
        reverted.update_page(PageNode { parent, position, slug, ..synced })?;
    }
    for id in conflicts.iter().filter_map(|conflict| conflict.file) {
        let (Some(former), Some(synced)) = (side.file(id), last.file(id)) else { continue };
        if merged.file(id).is_none_or(|file| file.blob != former.blob) && former.blob != synced.blob {
            reverted.update_file(synced.clone())?;
        }
    }
    for id in conflicts.iter().filter_map(|conflict| conflict.reusable_content) {
        let Some(former) = side.reusable_content(id) else { continue };
        let (title, document) = match last.reusable_content(id) {
            Some(synced) => (&synced.title, synced.document),
            None => (&former.title, None),
        };
        let synced = ReusableContentNode { title: title.clone(), document, ..former.clone() };
        let is_same = |one: &ReusableContentNode, other: &ReusableContentNode| {
            (&one.title, one.document) == (&other.title, other.document)
        };
        let is_kept = merged.reusable_content(id).is_some_and(|content| is_same(content, former));
        if !is_kept && !is_same(former, &synced) {
            reverted.update_reusable_content(synced)?;
        }
    }
    Ok((reverted != *side).then_some(reverted))
}

/// Keeps additions of one side since the last synchronization. A page whose parent vanished moves to the top.
fn keep_additions(side: &Tree, last: &Tree, tree: &mut Tree) -> Result<(), TreeError> {
    for page in side.pages_in_order() {
        if last.page(page.id).is_some() || tree.page(page.id).is_some() {
            continue;
        }
        let parent = page.parent.filter(|parent| tree.page(*parent).is_some());
        let slug = match page.slug.is_empty() {
            true => String::new(),
            false => tree.free_slug(parent, &page.slug),
        };
        let position = tree.position_at(parent, None, None);
        tree.insert_page(PageNode { parent, position, slug, ..page.clone() })?;
    }
    for file in side.files() {
        if last.file(file.id).is_none() && tree.file(file.id).is_none() {
            tree.insert_file(file.clone())?;
        }
    }
    for content in side.reusable_contents() {
        let id = content.id;
        if last.reusable_content(id).is_none() && tree.reusable_content(id).is_none() {
            tree.insert_reusable_content(content.clone())?;
        }
    }
    Ok(())
}

/// Returns a page with only the place and the title of another one.
fn without_content(page: &PageNode) -> PageNode {
    let PageNode { id, parent, position, kind, title, slug, git, created_at, updated_at, .. } = page.clone();
    PageNode { git, created_at, updated_at, ..PageNode::new(id, parent, position, kind, title, slug) }
}

/// Sets the locations of records in the repository. For records that both sides added, a merge takes the locations of
/// the other side.
fn keep_locations(repository: &Tree, tree: &mut Tree) -> Result<(), TreeError> {
    let pages = tree.pages().filter_map(|page| {
        let git = &repository.page(page.id)?.git;
        (page.git != *git).then(|| PageNode { git: git.clone(), ..page.clone() })
    });
    let pages: Vec<PageNode> = pages.collect();
    pages.into_iter().try_for_each(|page| tree.update_page(page))?;
    let files = tree.files().filter_map(|file| {
        let git = &repository.file(file.id)?.git;
        (file.git != *git).then(|| FileNode { git: git.clone(), ..file.clone() })
    });
    let files: Vec<FileNode> = files.collect();
    files.into_iter().try_for_each(|file| tree.update_file(file))?;
    let contents = tree.reusable_contents().filter_map(|content| {
        let git = &repository.reusable_content(content.id)?.git;
        (content.git != *git).then(|| ReusableContentNode { git: git.clone(), ..content.clone() })
    });
    let contents: Vec<ReusableContentNode> = contents.collect();
    contents.into_iter().try_for_each(|content| tree.update_reusable_content(content))
}

/// Returns whether two versions of a page would have the same content in a file.
#[must_use]
pub fn is_same_text(one: &PageNode, other: &PageNode) -> bool {
    let placed = PageNode {
        created_at: one.created_at,
        updated_at: one.updated_at,
        git: one.git.clone(),
        parent: one.parent,
        position: one.position.clone(),
        slug: one.slug.clone(),
        ..other.clone()
    };
    *one == placed
}

/// Matches planned items with items of the content: by path and object id, then by the object id alone, then by path,
/// then by moves with changes. Files may have changed places, so that the path of one has the bytes of another.
fn matched<'m, Id: Copy + Eq + std::hash::Hash + Ord>(
    planned: impl Iterator<Item = (Id, &'m str)>,
    present: impl Iterator<Item = (Id, &'m GitBlob)>,
    repository: &Repository,
) -> HashMap<Id, Id> {
    let (mut by_path, mut vanished, mut former) = (HashMap::new(), HashMap::new(), HashMap::new());
    // Files with other bytes than before, by their former bytes. `None` for equal ones.
    let mut replaced: HashMap<&str, Option<Id>> = HashMap::new();
    let paths: HashMap<&str, &str> =
        repository.files.values().map(|blob| (blob.path.as_str(), blob.oid.as_str())).collect();
    for (id, git) in present {
        match paths.get(git.path.as_str()) {
            Some(oid) => {
                by_path.insert(git.path.as_str(), (id, git.oid.as_str()));
                if *oid != git.oid {
                    let known = replaced.entry(git.oid.as_str());
                    let _ = known.and_modify(|known| *known = None).or_insert(Some(id));
                }
            }
            None => {
                vanished.insert(git.oid.as_str(), id);
                former.insert(git.path.as_str(), id);
            }
        }
    }
    let (mut matches, mut taken) = (HashMap::new(), HashSet::new());
    let mut left = Vec::new();
    for (id, path) in planned {
        let Some(blob) = repository.files.get(path) else { continue };
        let (path_of, oid) = (blob.path.as_str(), blob.oid.as_str());
        let is_unchanged = by_path.get(path_of).is_some_and(|(_, former)| *former == oid);
        let found = match is_unchanged {
            // Several pages may be generated from one file. The first is matched.
            true => by_path.remove(path_of).map(|(found, _)| found),
            false => vanished.remove(oid).or_else(|| replaced.remove(oid).flatten()),
        };
        match found.filter(|found| taken.insert(*found)) {
            Some(found) => drop(matches.insert(id, found)),
            None => left.push((id, path, blob)),
        }
    }
    for (id, path, blob) in left {
        let found = by_path.remove(blob.path.as_str()).map(|(found, _)| found);
        let found = found.filter(|found| !taken.contains(found));
        let found = found.or_else(|| former.remove(repository.moved.get(path)?.as_str()));
        matches.extend(found.filter(|found| taken.insert(*found)).map(|found| (id, found)));
    }
    matches
}

/// Returns ascending positions for a list, keeping as many known ones as possible; `None` if there is no room.
fn settled(known: &[Option<&Position>]) -> Option<Vec<Position>> {
    let kept = longest_ascending(known);
    let (mut settled, mut last, mut pending) = (Vec::with_capacity(known.len()), None, 0_usize);
    for (position, is_kept) in known.iter().zip(kept.iter().chain(std::iter::repeat(&false))) {
        match position.filter(|_| *is_kept) {
            Some(position) => {
                settled.extend(Position::n_between(last, Some(position), pending)?);
                settled.push(position.clone());
                (last, pending) = (Some(position), 0);
            }
            None => pending = pending.saturating_add(1),
        }
    }
    settled.extend(Position::n_between(last, None, pending)?);
    Some(settled)
}

/// Returns which items belong to a longest ascending subsequence of the known positions.
fn longest_ascending(known: &[Option<&Position>]) -> Vec<bool> {
    // For each length, the item that ends the subsequence of this length with the smallest end.
    let mut ends: Vec<(usize, &Position)> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; known.len()];
    for (at, position) in known.iter().enumerate().filter_map(|(at, position)| Some((at, (*position)?))) {
        let length = ends.partition_point(|(_, end)| *end < position);
        let previous = length.checked_sub(1).and_then(|shorter| ends.get(shorter)).map(|(end, _)| *end);
        if let Some(slot) = before.get_mut(at) {
            *slot = previous;
        }
        match ends.get_mut(length) {
            Some(end) => *end = (at, position),
            None => ends.push((at, position)),
        }
    }
    let mut kept = vec![false; known.len()];
    let mut at = ends.last().map(|(end, _)| *end);
    while let Some(item) = at {
        if let Some(slot) = kept.get_mut(item) {
            *slot = true;
        }
        at = before.get(item).copied().flatten();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_the_same_order_are_kept() {
        let positions = Position::n_evenly(4);
        let [a, b, c, d] = &positions[..] else { unreachable!() };
        let all = [Some(a), Some(b), Some(c), Some(d)];
        assert_eq!(settled(&all).unwrap(), positions);
        // A new one between, and one that moved to the end.
        let settled_now = settled(&[Some(a), None, Some(c), Some(d), Some(b)]).unwrap();
        assert_eq!([&settled_now[0], &settled_now[2], &settled_now[3]], [a, c, d]);
        assert!(settled_now.windows(2).all(|pair| pair[0] < pair[1]));
        let reversed = settled(&[Some(d), Some(c), Some(b), Some(a)]).unwrap();
        assert!(reversed.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(settled(&[]).unwrap(), []);
    }
}
