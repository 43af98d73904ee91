//! Files of a commit, fetched as far as an import needs them.

use std::collections::{BTreeMap, HashMap, HashSet};

use bytes::Bytes;
use quire_domain::IdGenerator;
use quire_domain::imports::{ImportReportEntry, ImportSource, ImportStatus};
use quire_git::{GitError, History, LfsPointer, ListedCommit, ObjectId, Remote, RemoteRef, Snapshot};
use quire_importer::plan::{DroppedProperties, GeneratedIds, ImportPlan, PlanError, content_location, plan};
use quire_importer::spool::{Content, Spool};
use quire_importer::tree::SourceTree;
use quire_revision::{BlobHash, GitBlob, Tree};

use super::agents;
use super::changed::{Changes, Files, changes};
use super::known::{Known, is_text};
use super::moves;
use super::run::SHORT_ID;
use super::texts::Texts;

/// Maximum number of files named in a sentence.
const NAMED: usize = 5;

/// Maximum length of a property's name in a sentence, in characters.
const NAME_SHOWN: usize = 50;

/// Maximum length of the path of a file that is left out, in characters.
const PATH_SHOWN: usize = 100;

/// Last character of a path that is too long to be shown.
const CUT: char = '…';

/// Commit with the files that an import needs.
pub(super) struct Gathered {
    /// Full name of the branch or tag.
    pub(super) reference: String,
    pub(super) commit: ObjectId,
    /// Commits since the last import, newest first. Only the last one if the others are unknown.
    pub(super) commits: Vec<ListedCommit>,
    /// Files below the folder. A file is empty if its bytes are known or not needed.
    pub(super) tree: SourceTree,
    /// Plan of the tree, if all files that it uses are known.
    pub(super) plan: Option<ImportPlan>,
    /// Paths of the pages whose texts the plan has. `None` for all pages.
    pub(super) changed: Option<HashSet<String>>,
    /// Location of each file in the repository, by path below the folder.
    pub(super) files: HashMap<String, GitBlob>,
    /// Hashes of files whose bytes are known, by path below the folder.
    pub(super) known: HashMap<String, BlobHash>,
    /// Former paths in the repository of moved pages whose text also changed, by path below the folder.
    pub(super) moved: HashMap<String, String>,
    /// Texts of the commit.
    pub(super) texts: Texts,
    /// Sentences for users: about the history, missing bytes of files, and pages and properties that are not shown.
    pub(super) notes: Option<String>,
}

/// Fetches a branch or tag. Returns `None` if the last import was of the same commit, or neither side has content.
pub(super) fn gather(
    remote: &Remote,
    reference: Option<&str>,
    folder: &str,
    known: &Known,
    new_ids: &dyn IdGenerator,
) -> Result<Option<Gathered>, GitError> {
    let RemoteRef { name, commit } = remote.find_ref(reference)?;
    // An empty repository must not empty a space.
    let commit = match commit {
        None if known.may_be_empty && known.commit.is_none() => return Ok(None),
        commit => commit.ok_or(GitError::NoCommits)?,
    };
    if known.commit == Some(commit) && !known.repeats {
        return Ok(None);
    }
    let mut snapshot = remote.fetch(commit)?;
    let (commits, rewritten) = history(remote, &snapshot, known)?;
    let Listing { tree, files, ids } = list(&snapshot, folder, known);
    let found = Files { commit, tree: &tree, ids: &ids, blobs: &files };
    let changes = changes((remote, &mut snapshot), &found, known, new_ids)?;
    let gathered = Gathered {
        reference: name,
        commit,
        commits,
        tree,
        plan: None,
        changed: None,
        files,
        known: HashMap::new(),
        moved: HashMap::new(),
        texts: Texts::default(),
        notes: None,
    };
    let Some(Changes { plan, paths, texts }) = changes else {
        let mut gathered = read_all((remote, &mut snapshot), gathered, ids, known, new_ids)?;
        gathered.notes = joined([rewritten, gathered.notes]);
        return Ok(Some(gathered));
    };
    let used = plan.files.iter().map(|file| file.source_path.as_str());
    let known_files = gathered.blobs(known, used);
    let notes = joined([rewritten, dropped(&plan.properties)]);
    let (plan, changed) = (Some(plan), Some(paths));
    Ok(Some(Gathered { plan, changed, known: known_files, texts, notes, ..gathered }))
}

/// Returns the commits since the last import, and a sentence about a branch that lost the commit of that import. Says
/// nothing if the server does not tell.
fn history(
    remote: &Remote,
    snapshot: &Snapshot,
    known: &Known,
) -> Result<(Vec<ListedCommit>, Option<String>), GitError> {
    let Some(former) = known.commit.filter(|former| known.has_log && *former != snapshot.commit) else {
        return Ok((vec![snapshot.listed.clone()], None));
    };
    let History { has_former, commits } = remote.history(former, snapshot)?;
    let former = former.to_hex_with_len(SHORT_ID);
    let sentence = || format!("The history of the branch was rewritten and no longer has commit {former}.");
    Ok((commits, (has_former == Some(false)).then(sentence)))
}

/// Files of a commit below the folder.
struct Listing {
    /// The files without their bytes.
    tree: SourceTree,
    files: HashMap<String, GitBlob>,
    ids: HashMap<String, ObjectId>,
}

/// Lists the files of a commit, without those that are no content.
fn list(snapshot: &Snapshot, folder: &str, known: &Known) -> Listing {
    let mut tree = SourceTree::default();
    tree.report.extend(snapshot.skipped.iter().filter_map(|skipped| {
        Some(ImportReportEntry {
            path: skipped.path.strip_prefix(folder)?.to_owned(),
            status: ImportStatus::Skipped,
            message: skipped.reason.to_owned(),
            page: None,
        })
    }));
    let (mut files, mut ids) = (HashMap::new(), HashMap::new());
    for (path, id) in &snapshot.files {
        let Some(inside) = path.strip_prefix(folder) else { continue };
        if agents::has(&known.agents, inside) {
            continue;
        }
        let Some(admitted) = tree.admit(inside) else { continue };
        tree.files.insert(admitted.clone(), Bytes::new().into());
        files.insert(admitted.clone(), GitBlob { oid: id.to_string(), path: path.clone() });
        ids.insert(admitted, *id);
    }
    Listing { tree, files, ids }
}

/// Reads all texts of a commit, and the other files that the plan of their tree uses.
fn read_all(
    (remote, snapshot): (&Remote, &mut Snapshot),
    mut gathered: Gathered,
    ids: HashMap<String, ObjectId>,
    known: &Known,
    new_ids: &dyn IdGenerator,
) -> Result<Gathered, GitError> {
    let mut spool = Spool::default();
    let texts: Vec<(&String, &ObjectId)> = ids.iter().filter(|(path, _)| is_text(path)).collect();
    read(remote, snapshot, &mut gathered.tree, &mut spool, &texts, &known.texts.by_id)?;
    let text = |(path, id): (&String, &ObjectId)| Some((*id, gathered.tree.files.get(path)?.clone()));
    let by_id = texts.into_iter().filter_map(text).collect();
    // A tree that cannot be planned uses no files: the import itself reports the reason.
    let planned = match plan(ImportSource::Gitbook, gathered.tree.clone(), &mut GeneratedIds(new_ids)) {
        Err(PlanError::Empty { .. }) if known.may_be_empty => Some(ImportPlan::default()),
        planned => planned.ok(),
    };
    let used = planned.iter().flat_map(|plan| &plan.files).map(|file| file.source_path.as_str());
    let used: HashSet<&str> = used.collect();
    gathered.known = gathered.blobs(known, used.iter().copied());
    let missing = used.iter().filter(|path| !gathered.known.contains_key(**path));
    let missing: Vec<(&String, &ObjectId)> = missing.filter_map(|path| ids.get_key_value(*path)).collect();
    let properties = planned.as_ref().and_then(|plan| dropped(&plan.properties));
    let unread = planned.as_ref().and_then(|plan| left_out(&plan.report));
    let unlisted = planned.as_ref().and_then(|plan| unlisted(plan, &gathered, known));
    if let Some(plan) = &planned {
        gathered.moved = moved((remote, snapshot), (&gathered, &ids), plan, known)?;
    }
    let mut pointers = None;
    if !missing.is_empty() {
        read(remote, snapshot, &mut gathered.tree, &mut spool, &missing, &HashMap::new())?;
        let paths = missing.iter().map(|(path, _)| path.as_str());
        pointers = read_large(remote, &mut gathered.tree, &mut spool, paths)?;
    }
    // The reasons for missing files precede what the repository keeps.
    gathered.notes = joined([unread, pointers, unlisted, properties]);
    let reads_pages_alone = planned.as_ref().is_some_and(|plan| plan.reads_pages_alone);
    let is_complete = missing.is_empty();
    // The bytes of files are part of a plan.
    gathered.plan = planned.filter(|_| is_complete);
    gathered.texts = Texts { by_id, commit: Some(gathered.commit), files: ids, reads_pages_alone, recent: 0 };
    Ok(gathered)
}

impl Gathered {
    /// Returns the hashes of those among these files whose bytes are known, by path.
    fn blobs<'p>(&self, known: &Known, paths: impl Iterator<Item = &'p str>) -> HashMap<String, BlobHash> {
        let blob = |path: &'p str| {
            let git = self.files.get(path)?;
            let blob = known.files.get(&(git.path.clone(), git.oid.clone()))?;
            Some((path.to_owned(), *blob))
        };
        paths.filter_map(blob).collect()
    }
}

/// Replaces LFS pointers among these files by the bytes of the large files. Keeps a pointer if the server does not have
/// its bytes, and returns a sentence about it.
fn read_large<'p>(
    remote: &Remote,
    tree: &mut SourceTree,
    spool: &mut Spool,
    paths: impl Iterator<Item = &'p str>,
) -> Result<Option<String>, GitError> {
    let mut waiting: BTreeMap<LfsPointer, Vec<&str>> = BTreeMap::new();
    for path in paths {
        let Some(content) = tree.files.get(path).filter(|content| content.len() <= LfsPointer::MAX) else {
            continue;
        };
        if let Some(pointer) = LfsPointer::parse(&content.read().map_err(GitError::Disk)?) {
            waiting.entry(pointer).or_default().push(path);
        }
    }
    if waiting.is_empty() {
        return Ok(None);
    }
    let pointers: Vec<LfsPointer> = waiting.keys().cloned().collect();
    let fetched = remote.fetch_large(&pointers, |pointer, bytes| {
        let content = spool.keep(&bytes);
        for path in waiting.remove(pointer).unwrap_or_default() {
            tree.files.insert(path.to_owned(), content.clone());
        }
    });
    let reason = match fetched {
        Ok(()) => "the server does not have them".to_owned(),
        Err(GitError::NotFound | GitError::Failed { .. }) => "the server has no Git LFS".to_owned(),
        Err(error @ (GitError::TimedOut { .. } | GitError::TooLarge { .. } | GitError::Disk(_))) => {
            return Err(error);
        }
        Err(error) => error.to_string(),
    };
    let mut left: Vec<&str> = waiting.into_values().flatten().collect();
    left.sort_unstable();
    let of = |files: &str| format!("Files in Git LFS remain pointers ({reason}): {files}.");
    Ok((!left.is_empty()).then(|| of(&listed(&left))))
}

/// Returns a sentence about pages, and folders with unknown contents, that are not in the content.
fn left_out(report: &[ImportReportEntry]) -> Option<String> {
    let is_left = |entry: &&ImportReportEntry| {
        let is_skipped = matches!(entry.status, ImportStatus::Skipped | ImportStatus::Failed);
        is_skipped && (is_text(&entry.path) || entry.path.ends_with(['/', CUT]))
    };
    let named = |entry: &ImportReportEntry| format!("{} ({})", shown(&entry.path, PATH_SHOWN), entry.message);
    let named: Vec<String> = report.iter().filter(is_left).map(named).collect();
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    (!named.is_empty()).then(|| format!("Left out: {}.", listed(&named)))
}

/// Returns a sentence about pages that are hidden because the table of contents does not list them, except for those
/// that were hidden before.
fn unlisted(plan: &ImportPlan, gathered: &Gathered, known: &Known) -> Option<String> {
    let contents = content_location(ImportSource::Gitbook, &gathered.tree).summary?;
    let hidden = known.last.iter().flat_map(Tree::pages).filter(|page| page.hidden);
    let hidden: HashSet<&str> =
        hidden.filter_map(|page| page.git.as_ref().map(|git| git.path.as_str())).collect();
    let is_new = |path: &&String| {
        gathered.files.get(path.as_str()).is_none_or(|git| !hidden.contains(git.path.as_str()))
    };
    let paths: Vec<String> =
        plan.unlisted.iter().filter(is_new).map(|path| shown(path, PATH_SHOWN)).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let of = |paths: &str| format!("Hidden, because {contents} does not list them: {paths}.");
    (!paths.is_empty()).then(|| of(&listed(&paths)))
}

/// Joins sentences.
fn joined<const N: usize>(sentences: [Option<String>; N]) -> Option<String> {
    sentences.into_iter().flatten().reduce(|one, other| format!("{one} {other}"))
}

/// Returns the former paths of pages that moved and changed, by their paths below the folder. Pages that only moved are
/// found by their object ids.
fn moved(
    (remote, snapshot): (&Remote, &mut Snapshot),
    (gathered, ids): (&Gathered, &HashMap<String, ObjectId>),
    plan: &ImportPlan,
    known: &Known,
) -> Result<HashMap<String, String>, GitError> {
    let paths: HashSet<&str> = gathered.files.values().map(|git| git.path.as_str()).collect();
    let vanished = known.pages.iter().filter(|(path, _)| !paths.contains(path.as_str()));
    let vanished = vanished.filter_map(|(path, oid)| Some((path, ObjectId::from_hex(oid.as_bytes()).ok()?)));
    let mut vanished: BTreeMap<&String, ObjectId> = vanished.collect();
    let is_new =
        |path: &&str| gathered.files.get(*path).is_some_and(|git| !known.pages.contains_key(&git.path));
    let added = plan.pages.iter().filter_map(|page| page.source_path.as_deref()).filter(is_new);
    let mut added: BTreeMap<&str, ObjectId> =
        added.filter_map(|path| Some((path, *ids.get(path)?))).collect();
    let gone: HashSet<ObjectId> = vanished.values().copied().collect();
    let new: HashSet<ObjectId> = added.values().copied().collect();
    vanished.retain(|_, id| !new.contains(id));
    added.retain(|_, id| !gone.contains(id));
    if vanished.is_empty() || added.is_empty() || vanished.len().max(added.len()) > moves::MOST {
        return Ok(HashMap::new());
    }
    let unknown: Vec<ObjectId> =
        vanished.values().copied().filter(|id| !known.texts.by_id.contains_key(id)).collect();
    match remote.fetch_blobs(snapshot, &unknown) {
        Ok(()) => {}
        Err(error @ (GitError::TimedOut { .. } | GitError::TooLarge { .. } | GitError::Disk(_))) => {
            return Err(error);
        }
        // The server has removed the former texts, for example with a history that was rewritten.
        Err(_) => return Ok(HashMap::new()),
    }
    let mut former = Vec::with_capacity(vanished.len());
    for (path, id) in vanished {
        let bytes = match known.texts.by_id.get(&id) {
            Some(content) => content.read().map_err(GitError::Disk)?,
            None => snapshot.blob(&id)?.into(),
        };
        former.push((path.as_str(), String::from_utf8_lossy(&bytes).into_owned()));
    }
    let mut current = Vec::with_capacity(added.len());
    for path in added.into_keys() {
        let Some(content) = gathered.tree.files.get(path) else { continue };
        let bytes = content.read().map_err(GitError::Disk)?;
        current.push((path, String::from_utf8_lossy(&bytes).into_owned()));
    }
    let found = moves::find(&former, &current);
    Ok(found.into_iter().map(|(new, old)| (new.to_owned(), old.to_owned())).collect())
}

/// Returns a text of the repository without control characters and with a bounded length.
fn shown(text: &str, most: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(most).collect()
}

/// Returns a sentence about front matter properties that pages do not have. An export keeps them in the repository.
fn dropped(properties: &DroppedProperties) -> Option<String> {
    let named = properties.iter().map(|(name, first, files)| match files {
        1 => format!("{} ({first})", shown(name, NAME_SHOWN)),
        files => format!("{} ({files} files, such as {first})", shown(name, NAME_SHOWN)),
    });
    let named: Vec<String> = named.collect();
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    let of =
        |names: &str| format!("Page properties that Quire does not support stay in the repository: {names}.");
    (!named.is_empty()).then(|| of(&listed(&named)))
}

/// Returns the first paths for a sentence, and the number of further ones.
pub(super) fn listed(paths: &[&str]) -> String {
    let shown: Vec<&str> = paths.iter().take(NAMED).copied().collect();
    let more = match paths.len().saturating_sub(shown.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}

/// Reads files into the tree. Known texts are not fetched.
fn read(
    remote: &Remote,
    snapshot: &mut Snapshot,
    tree: &mut SourceTree,
    spool: &mut Spool,
    files: &[(&String, &ObjectId)],
    known: &HashMap<ObjectId, Content>,
) -> Result<(), GitError> {
    let unknown = files.iter().map(|(_, id)| **id).filter(|id| !known.contains_key(id));
    let unknown: Vec<ObjectId> = unknown.collect();
    remote.fetch_blobs(snapshot, &unknown)?;
    for (path, id) in files {
        let bytes = match known.get(*id) {
            // Copied to the spool of this run, so that the spool of the previous run can be closed.
            Some(content) => content.read().map_err(GitError::Disk)?,
            None => snapshot.blob(id)?.into(),
        };
        tree.files.insert((*path).clone(), spool.keep(&bytes));
    }
    Ok(())
}
