//! Commits that change only a few pages. The texts of unchanged pages are not read.

use std::collections::{BTreeMap, HashMap, HashSet};

use bytes::Bytes;
use quire_domain::IdGenerator;
use quire_domain::ids::PageId;
use quire_domain::imports::ImportSource;
use quire_git::{GitError, ObjectId, Remote, Snapshot};
use quire_importer::plan::{ChangedText, ImportPlan, PlannedPage, content_location, plan_changes};
use quire_importer::spool::Content;
use quire_importer::tree::SourceTree;
use quire_revision::{GitBlob, PageNode, Tree};

use super::known::{Known, is_text};
use super::texts::Texts;

/// Maximum number of changed pages that are planned without the others.
const MAX_PAGES: usize = 50;

/// Maximum number of texts added since the last run that read all texts. Added texts are in memory.
const MAX_RECENT: usize = 200;

/// Changes of a commit.
pub(super) struct Changes {
    pub(super) plan: ImportPlan,
    /// Paths of the changed pages below the folder.
    pub(super) paths: HashSet<String>,
    pub(super) texts: Texts,
}

/// Commit with its files by path below the folder.
pub(super) struct Files<'f> {
    pub(super) commit: ObjectId,
    pub(super) tree: &'f SourceTree,
    pub(super) ids: &'f HashMap<String, ObjectId>,
    pub(super) blobs: &'f HashMap<String, GitBlob>,
}

/// Reads and plans the changes. Returns `None` if there are none, or if their effects may go beyond a few known pages.
pub(super) fn changes(
    (remote, snapshot): (&Remote, &mut Snapshot),
    files: &Files<'_>,
    known: &Known,
    new_ids: &dyn IdGenerator,
) -> Result<Option<Changes>, GitError> {
    // The known texts must belong to the last imported commit, or they do not show what changed since.
    let last = known.last.as_ref().filter(|_| known.commit.is_some() && known.commit == known.texts.commit);
    let Some(last) = last else { return Ok(None) };
    let Some(found) = find(files, last, &known.texts) else { return Ok(None) };
    let Found { changed, texts, pages: known_pages } = found;
    let ids: Vec<ObjectId> = changed.values().map(|(_, new)| *new).collect();
    remote.fetch_blobs(snapshot, &ids)?;
    let mut pages = BTreeMap::new();
    for (path, (former, new)) in changed {
        pages.insert(path, ChangedText { former, new: Content::from(Bytes::from(snapshot.blob(&new)?)) });
    }
    let mut tree = files.tree.clone();
    tree.files.extend(texts);
    let text = |path: &str| known.texts.by_id.get(files.ids.get(path)?).cloned();
    let Some(plan) = plan_changes(&tree, &pages, &text, new_ids) else { return Ok(None) };
    // A table of contents determines the order of pages. Without one, the order may depend on texts that are not read.
    let has_order = content_location(ImportSource::Gitbook, &tree).summary.is_some();
    let is_known =
        || known.texts.reads_pages_alone && arrangement_of(&plan, files.blobs) == arrangement(last);
    if !has_order && !is_known() {
        return Ok(None);
    }
    let is_there = |file: &str| files.blobs.get(file).is_some_and(|git| known.has(git));
    let planned: HashSet<&str> = plan.pages.iter().filter_map(|page| page.source_path.as_deref()).collect();
    if planned != known_pages || !plan.files.iter().all(|file| is_there(&file.source_path)) {
        return Ok(None);
    }
    let mut texts = known.texts.as_ref().clone();
    texts
        .by_id
        .extend(pages.iter().filter_map(|(path, text)| Some((*files.ids.get(path)?, text.new.clone()))));
    texts.recent = texts.recent.saturating_add(pages.len());
    texts.commit = Some(files.commit);
    texts.files = files.ids.clone();
    Ok(Some(Changes { plan, paths: pages.into_keys().collect(), texts }))
}

/// Depth of a page, and its path in the repository if it has a file.
type DepthAndPath<'p> = (usize, Option<&'p str>);

/// Returns the depths and paths of the pages of a tree, in order.
fn arrangement(tree: &Tree) -> Vec<DepthAndPath<'_>> {
    let mut depths: HashMap<PageId, usize> = HashMap::new();
    let mut places = Vec::new();
    for page in tree.pages_in_order() {
        let depth = page.parent.and_then(|parent| depths.get(&parent)).map_or(0, |depth| depth + 1);
        depths.insert(page.id, depth);
        places.push((depth, page.git.as_ref().map(|git| git.path.as_str())));
    }
    places
}

/// Returns the depths and paths of the pages of a plan, in the order of the resulting tree.
fn arrangement_of<'p>(plan: &ImportPlan, blobs: &'p HashMap<String, GitBlob>) -> Vec<DepthAndPath<'p>> {
    let mut children: HashMap<Option<PageId>, Vec<&PlannedPage>> = HashMap::new();
    // In reverse, so that the first sibling is on top of the stack.
    for page in plan.pages.iter().rev() {
        children.entry(page.parent).or_default().push(page);
    }
    let (mut places, mut waiting) = (Vec::new(), Vec::new());
    waiting.extend(children.remove(&None).unwrap_or_default().into_iter().map(|page| (0, page)));
    while let Some((depth, page)) = waiting.pop() {
        let git = page.source_path.as_ref().and_then(|path| blobs.get(path));
        places.push((depth, git.map(|git| git.path.as_str())));
        let below = children.remove(&Some(page.id)).unwrap_or_default();
        waiting.extend(below.into_iter().map(|page| (depth + 1, page)));
    }
    places
}

/// Changed pages, and the texts of files that are not pages.
struct Found<'f> {
    /// Paths of all pages.
    pages: HashSet<&'f str>,
    /// Former text and new object id by path.
    changed: BTreeMap<String, (Content, ObjectId)>,
    texts: Vec<(String, Content)>,
}

/// Compares the files with those of the last commit. Returns `None` unless only pages changed.
fn find<'f>(files: &Files<'f>, last: &Tree, known: &Texts) -> Option<Found<'f>> {
    if known.files.len() != files.ids.len() {
        return None;
    }
    let mut pages: HashMap<&str, &PageNode> = HashMap::new();
    for page in last.pages() {
        let Some(git) = &page.git else { continue };
        // Several pages may come from one file. They cannot be distinguished.
        if pages.insert(git.path.as_str(), page).is_some() {
            return None;
        }
    }
    let mut found = Found { pages: HashSet::new(), changed: BTreeMap::new(), texts: Vec::new() };
    for (path, id) in files.ids {
        let former = known.files.get(path)?;
        let page = files.blobs.get(path).and_then(|git| pages.get(git.path.as_str()));
        found.pages.extend(page.map(|_| path.as_str()));
        let synced = page.and_then(|page| page.git.as_ref());
        let synced = synced.map(|git| ObjectId::from_hex(git.oid.as_bytes())).transpose().ok()?;
        match synced {
            Some(synced) if synced == *id => {}
            Some(synced) => {
                let text = known.by_id.get(&synced).filter(|_| path.ends_with(".md"))?;
                found.changed.insert(path.clone(), (text.clone(), *id));
            }
            None if former != id => return None,
            None if is_text(path) => found.texts.push((path.clone(), known.by_id.get(id)?.clone())),
            None => {}
        }
    }
    if found.pages.len() != pages.len() {
        return None;
    }
    let count = found.changed.len();
    let is_small = count <= MAX_PAGES && known.recent.saturating_add(count) <= MAX_RECENT;
    (count > 0 && is_small).then_some(found)
}
