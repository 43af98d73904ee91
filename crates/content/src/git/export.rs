//! An export: one commit with what changed since the last synchronization.
//!
//! Files of unchanged pages are not written. The file of a changed page is a merge of its bytes in the repository with
//! the change, so that the style of its author stays.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, PageId, ReusableContentId, RevisionId};
use quire_domain::imports::ImportSource;
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_git::{
    Changes, Description, GitError, Limits, NewCommit, ObjectId, Remote, RemoteRef, Signature, Snapshot,
};
use quire_importer::apply::is_same_text;
use quire_importer::plan::{ContentLocation, content_location};
use quire_importer::spool::Spool;
use quire_importer::tree::SourceTree;
use quire_markup::{
    ContentRef, Document, FrontMatter, HrefKind, PageSource, RefResolver, parse_page, print_page,
};
use quire_revision::{BlobHash, FileNode, GitBlob, PageNode, ReusableContentNode, Tree};
use quire_storage::content::{Amending, Commit};
use quire_storage::files::BlobLocations;
use quire_storage::git_syncs::GitBase;
use quire_storage::lookup::{Authorized, ContentAt, ContentSelector};
use quire_storage::spaces::blobs_of;
use quire_storage::{Reader, Tx};

use super::merge::merge;
use super::paths;
use super::run::{GitRun, NewExport, RunError, RunResult, ended};
use crate::door::Door;
use crate::error::{Error, Result};
use crate::exports::layout::Layout;
use crate::exports::summary;
use crate::imports::ImportRunner;
use crate::page_body::{page_text, stored_document};

/// Attempts of an export whose branch moves meanwhile.
const ATTEMPTS: usize = 3;

/// Documents that are read at once.
const DOCUMENTS: usize = 50;

/// Bytes of files that a commit writes. They are in memory.
const MAX_BYTES: usize = 100 << 20;

/// Settings of a repository, which name the folder of the content.
const SETTINGS: [&str; 2] = [".gitbook.yaml", ".gitbook.yml"];

/// Name and address of the committer.
const COMMITTER: (&str, &str) = ("Quire", "quire@localhost");

/// The repository as it was read before the content.
pub(super) struct Opened {
    pub(super) branch: RemoteRef,
    /// Object ids by path.
    pub(super) files: BTreeMap<String, ObjectId>,
    pub(super) location: ContentLocation,
}

/// The content with its paths.
struct Side {
    tree: Tree,
    layout: Layout,
}

/// The content and what it was when it was last synchronized.
struct Sides {
    content: Authorized<ContentAt>,
    head: Side,
    last: Option<Side>,
    blobs: BlobLocations,
}

/// A text of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    Page(PageId),
    Content(ReusableContentId),
}

/// A changed text, as printed.
struct Printed {
    /// As of the last synchronization; `None` for a new one.
    base: Option<String>,
    new: String,
    /// Object id that the file had at the last synchronization; `None` for a new file.
    expected: Option<String>,
}

/// Changes of a commit, by paths in the repository.
#[derive(Default)]
struct Edits {
    texts: BTreeMap<String, Printed>,
    files: BTreeMap<String, Bytes>,
    /// Removed files with the object ids that they must have.
    removed: BTreeMap<String, String>,
    /// The table of contents.
    summary: Option<(String, Printed)>,
    /// All paths of content, for comparing links.
    paths: HashSet<String>,
    prefix: String,
}

/// Outcome of a push.
struct Pushed {
    commit: ObjectId,
    /// Object ids of the written files by path.
    files: BTreeMap<String, ObjectId>,
}

/// Runs an export.
pub(super) async fn run(
    (imports, limits): (&ImportRunner, Limits),
    door: &impl Door,
    run: &GitRun,
    new: &NewExport,
) -> RunResult<()> {
    let mut attempt = 1;
    loop {
        match once((imports, limits), door, run, new).await {
            Err(RunError::Git(GitError::Outdated)) if attempt < ATTEMPTS && !run.follows => attempt += 1,
            result => return result,
        }
    }
}

async fn once(
    (imports, limits): (&ImportRunner, Limits),
    door: &impl Door,
    run: &GitRun,
    new: &NewExport,
) -> RunResult<()> {
    let fetcher = &imports.fetcher;
    let (reference, folder) = (run.reference.clone(), run.folder.clone());
    let open = move |remote: &Remote| open(remote, reference.as_deref(), &folder);
    let opened = Remote::run(fetcher, run.address.clone(), limits, open).await?;
    let base = run.sync.base.as_ref().filter(|_| run.follows);
    if base.is_some_and(|base| {
        opened.branch.commit.map(|commit| commit.to_string()) != Some(base.commit.clone())
    }) {
        return Err(GitError::Outdated.into());
    }
    let prefix = match opened.location.root.as_str() {
        "" => run.folder.clone(),
        root => format!("{}{root}/", run.folder),
    };
    let sides = Arc::new(read(door, run, prefix.clone()).await?);
    let edits = edits(imports, door, run, (&opened, &sides), prefix.clone()).await?;
    let is_forced = run.force || run.sync.base.is_none();
    let description = description(new);
    let push = move |remote: &Remote| push(remote, &opened, &edits, &description, is_forced);
    let pushed = Remote::run(fetcher, run.address.clone(), limits, push).await?;
    finish(door, run, (sides, prefix), pushed).await?;
    Ok(())
}

fn description(new: &NewExport) -> Description {
    let committer = Signature { name: COMMITTER.0.to_owned(), email: COMMITTER.1.to_owned() };
    let author = new.author.clone().map(|(name, email)| Signature { name, email });
    Description {
        author: author.unwrap_or_else(|| committer.clone()),
        committer,
        seconds: new.seconds,
        message: new.message.clone(),
    }
}

/// Reads the files of the branch, and where its content is.
pub(super) fn open(
    remote: &Remote,
    reference: Option<&str>,
    folder: &str,
) -> std::result::Result<Opened, GitError> {
    let branch = remote.find_ref(reference)?;
    let Some(commit) = branch.commit else {
        return Ok(Opened { branch, files: BTreeMap::new(), location: ContentLocation::default() });
    };
    let mut snapshot = remote.fetch(commit)?;
    let mut tree = SourceTree::default();
    let (mut settings, mut spool) = (Vec::new(), Spool::default());
    for (path, id) in &snapshot.files {
        let Some(inside) = path.strip_prefix(folder) else { continue };
        let Some(admitted) = tree.admit(inside) else { continue };
        if SETTINGS.contains(&admitted.as_str()) {
            settings.push((admitted.clone(), *id));
        }
        tree.files.insert(admitted, Bytes::new().into());
    }
    let ids: Vec<ObjectId> = settings.iter().map(|(_, id)| *id).collect();
    remote.fetch_blobs(&mut snapshot, &ids)?;
    for (path, id) in settings {
        tree.files.insert(path, spool.keep(&snapshot.blob(&id)?));
    }
    let location = content_location(ImportSource::Gitbook, &tree);
    Ok(Opened { branch, files: std::mem::take(&mut snapshot.files), location })
}

/// Reads the content, and what it was when it was last synchronized.
async fn read(door: &impl Door, run: &GitRun, prefix: String) -> Result<Sides> {
    let space = run.sync.space;
    let last = run.sync.base.as_ref().map(|base| base.revision);
    let read = move |reader: &mut Reader<'_>| {
        let content = reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
        let last = last.map(|last| reader.tree_of_revision(content.point(), last)).transpose()?.flatten();
        let tree = reader.tree(&content)?;
        let blobs = reader.blob_locations(space, &blobs_of(&tree))?;
        let is_first = last.is_none();
        let side = |tree: Tree| Side { layout: paths::layout(&tree, &prefix, is_first), tree };
        Ok(Sides { content, head: side(tree), last: last.map(side), blobs })
    };
    door.read(run.credentials, read).await
}

/// Returns what a commit changes, with texts printed and files read.
async fn edits(
    imports: &ImportRunner,
    door: &impl Door,
    run: &GitRun,
    (opened, sides): (&Opened, &Arc<Sides>),
    prefix: String,
) -> RunResult<Edits> {
    let mut edits = Edits { prefix: prefix.clone(), ..Edits::default() };
    let mut bytes = 0_usize;
    let mut count = |length: usize| {
        bytes = bytes.saturating_add(length);
        match bytes > MAX_BYTES {
            true => Err(GitError::TooLarge { what: "the changed files", limit: 100 << 20 }),
            false => Ok(()),
        }
    };
    for texts in sides.changed_texts().chunks(DOCUMENTS) {
        let printed = print_all(imports, door, run, Arc::clone(sides), texts.to_vec()).await?;
        for (path, printed) in printed {
            count(printed.new.len())?;
            edits.texts.insert(format!("{prefix}{path}"), printed);
        }
    }
    for (path, file) in sides.changed_files() {
        count(usize::try_from(file.size).unwrap_or(usize::MAX))?;
        edits.files.insert(format!("{prefix}{path}"), read_file(door, &sides.blobs, file.blob).await?);
    }
    let kept = sides.head.paths();
    if let Some(last) = &sides.last {
        let gone = last.objects().into_iter().filter(|(path, _)| !kept.contains(path));
        edits.removed.extend(gone.map(|(path, oid)| (format!("{prefix}{path}"), oid)));
    }
    edits.summary = sides.summary(opened, &run.folder);
    edits.paths = kept;
    Ok(edits)
}

/// Reads the bytes of a file of the content.
async fn read_file(door: &impl Door, blobs: &BlobLocations, blob: BlobHash) -> Result<Bytes> {
    let location = blobs.of(blob);
    let bytes = door.storage().files().get(location, blob, None).await?;
    let missing = || Error::internal("the bytes of a file are not in the store", anyhow::anyhow!("{blob:?}"));
    bytes.ok_or_else(missing)
}

/// Prints changed texts, those of the last synchronization too.
async fn print_all(
    imports: &ImportRunner,
    door: &impl Door,
    run: &GitRun,
    sides: Arc<Sides>,
    texts: Vec<Text>,
) -> Result<Vec<(String, Printed)>> {
    let of = |side: &Side| texts.iter().filter_map(|text| side.document(*text)).collect::<Vec<_>>();
    let mut ids = of(&sides.head);
    ids.extend(sides.last.iter().flat_map(of));
    ids.sort_unstable();
    ids.dedup();
    let reading = Arc::clone(&sides);
    let read = move |reader: &mut Reader<'_>| Ok(reader.documents(&reading.content, &ids)?);
    let documents = door.read(run.credentials, read).await?;
    let print = move || {
        let mut printed = Vec::with_capacity(texts.len());
        for text in texts {
            let Some((path, new)) = sides.head.print(text, &documents)? else { continue };
            let last = sides.last.as_ref().map(|last| last.print(text, &documents)).transpose()?.flatten();
            let base = last.filter(|(last_path, _)| *last_path == path).map(|(_, base)| base);
            if base.as_ref() == Some(&new) {
                continue;
            }
            let expected = sides.head.object(text);
            printed.push((path, Printed { base, new, expected }));
        }
        Ok(printed)
    };
    imports.limiter.compute(print).await
}

impl Sides {
    /// Returns texts that may differ from those of the last synchronization.
    fn changed_texts(&self) -> Vec<Text> {
        let Self { head: Side { tree, layout }, last, .. } = self;
        let last = last.as_ref().map(|last| &last.tree);
        let is_changed_page = |page: &&PageNode| {
            let former = last.and_then(|last| last.page(page.id));
            former.is_none_or(|former| page.git.is_none() || !is_same_text(page, former))
        };
        let pages = tree.pages_in_order().filter(|page| layout.page(page.id).is_some());
        let is_changed_content = |content: &&ReusableContentNode| {
            let former = last.and_then(|last| last.reusable_content(content.id));
            former.is_none_or(|former| {
                content.git.is_none()
                    || (&content.title, content.document) != (&former.title, former.document)
            })
        };
        let contents =
            tree.reusable_contents().filter(|content| layout.reusable_content(content.id).is_some());
        let pages = pages.filter(is_changed_page).map(|page| Text::Page(page.id));
        pages.chain(contents.filter(is_changed_content).map(|content| Text::Content(content.id))).collect()
    }

    /// Returns files whose bytes the repository does not have.
    fn changed_files(&self) -> Vec<(&str, &FileNode)> {
        let Self { head: Side { tree, layout }, last, .. } = self;
        let is_changed = |file: &&FileNode| {
            let former = last.as_ref().and_then(|last| last.tree.file(file.id));
            former.is_none_or(|former| file.git.is_none() || file.blob != former.blob)
        };
        let changed = tree.files().filter(is_changed);
        changed.filter_map(|file| Some((layout.file(file.id)?, file))).collect()
    }

    /// Returns the table of contents, if it changed or is missing.
    fn summary(&self, opened: &Opened, folder: &str) -> Option<(String, Printed)> {
        let path = match &opened.location.summary {
            Some(path) => format!("{folder}{path}"),
            None => {
                let root = Some(opened.location.root.as_str()).filter(|root| !root.is_empty());
                format!(
                    "{folder}{}{}",
                    root.map(|root| format!("{root}/")).unwrap_or_default(),
                    summary::PATH
                )
            }
        };
        let new = summary::print(&self.head.tree, &self.head.layout);
        let base = self.last.as_ref().map(|last| summary::print(&last.tree, &last.layout));
        let is_changed = base.as_ref() != Some(&new);
        is_changed.then_some((path, Printed { base, new, expected: None }))
    }
}

impl Side {
    fn document(&self, text: Text) -> Option<DocumentId> {
        match text {
            Text::Page(id) => self.tree.page(id)?.document,
            Text::Content(id) => self.tree.reusable_content(id)?.document,
        }
    }

    /// Returns the object id of the file of a text when it was last synchronized.
    fn object(&self, text: Text) -> Option<String> {
        match text {
            Text::Page(id) => self.tree.page(id)?.git.as_ref().map(|git| git.oid.clone()),
            Text::Content(id) => self.tree.reusable_content(id)?.git.as_ref().map(|git| git.oid.clone()),
        }
    }

    /// Prints a text; `None` if it has no file.
    fn print(
        &self,
        text: Text,
        documents: &HashMap<DocumentId, DocumentJson>,
    ) -> Result<Option<(String, String)>> {
        let Self { tree, layout } = self;
        let document = self.document(text).and_then(|id| documents.get(&id));
        let printed = match text {
            Text::Page(id) => {
                let (Some(page), Some(path)) = (tree.page(id), layout.page(id)) else { return Ok(None) };
                (path, page_text(page, document, &layout.refs(path), layout.slug(page))?)
            }
            Text::Content(id) => {
                let (Some(content), Some(path)) = (tree.reusable_content(id), layout.reusable_content(id))
                else {
                    return Ok(None);
                };
                let document = document.map_or_else(|| Ok(Document::default()), stored_document)?;
                let front_matter =
                    FrontMatter { title: Some(content.title.clone()), ..FrontMatter::default() };
                (path, print_page(&front_matter, "", &document, &layout.refs(path)))
            }
        };
        Ok(Some((printed.0.to_owned(), printed.1)))
    }

    /// Returns the paths of everything.
    fn paths(&self) -> HashSet<String> {
        let Self { tree, layout } = self;
        let pages = tree.pages().filter_map(|page| layout.page(page.id));
        let files = tree.files().filter_map(|file| layout.file(file.id));
        let contents = tree.reusable_contents().filter_map(|content| layout.reusable_content(content.id));
        pages.chain(files).chain(contents).map(str::to_owned).collect()
    }

    /// Returns the paths with the object ids that the repository had.
    fn objects(&self) -> Vec<(String, String)> {
        let Self { tree, layout } = self;
        let pages = tree.pages().filter_map(|page| Some((layout.page(page.id)?, page.git.as_deref()?)));
        let files = tree.files().filter_map(|file| Some((layout.file(file.id)?, file.git.as_ref()?)));
        let contents = tree
            .reusable_contents()
            .filter_map(|content| Some((layout.reusable_content(content.id)?, content.git.as_ref()?)));
        let all = pages.chain(files).chain(contents);
        all.map(|(path, git)| (path.to_owned(), git.oid.clone())).collect()
    }
}

/// Commits and pushes edits; `None` if the repository has them already.
fn push(
    remote: &Remote,
    opened: &Opened,
    edits: &Edits,
    description: &Description,
    is_forced: bool,
) -> std::result::Result<Option<Pushed>, GitError> {
    let Opened { branch, files, .. } = opened;
    let mut snapshot = branch.commit.map(|commit| remote.fetch(commit)).transpose()?;
    let mut changes: Changes =
        edits.files.iter().map(|(path, bytes)| (path.clone(), Some(bytes.to_vec()))).collect();
    let summary = edits.summary.iter().map(|(path, printed)| (path, printed));
    let texts: Vec<(&String, &Printed)> = edits.texts.iter().chain(summary).collect();
    if let Some(snapshot) = &mut snapshot {
        let sources: Vec<ObjectId> = texts.iter().filter_map(|(path, _)| files.get(*path).copied()).collect();
        remote.fetch_blobs(snapshot, &sources)?;
    }
    for (path, printed) in texts {
        let source = source(snapshot.as_ref(), files.get(path))?;
        let is_summary = edits.summary.as_ref().is_some_and(|(summary, _)| summary == path);
        let text = merged(edits, path, printed, source.as_deref(), is_summary);
        // A removed file is written again. One that has the new text already may be of an export whose end was not
        // recorded.
        let is_known = files.get(path).is_none_or(|found| printed.expected == Some(found.to_string()));
        if !is_known && !is_summary && !is_forced && source.as_ref() != Some(&text) {
            return Err(GitError::Diverged { path: path.clone() });
        }
        changes.insert(path.clone(), Some(text.into_bytes()));
    }
    for (path, oid) in &edits.removed {
        if files.get(path).is_some_and(|found| {
            is_forced || ObjectId::from_hex(oid.as_bytes()).is_ok_and(|oid| oid == *found)
        }) {
            changes.insert(path.clone(), None);
        }
    }
    let written = NewCommit::new(snapshot.as_ref(), &changes, description)?;
    let Some(commit) = written else {
        return Ok(branch.commit.map(|commit| Pushed { commit, files: ids_of(&changes, files) }));
    };
    remote.push(branch, &commit)?;
    Ok(Some(Pushed { commit: commit.id, files: commit.files }))
}

/// Returns the object ids of changes that the repository has already.
fn ids_of(changes: &Changes, files: &BTreeMap<String, ObjectId>) -> BTreeMap<String, ObjectId> {
    changes.keys().filter_map(|path| Some((path.clone(), *files.get(path)?))).collect()
}

/// Returns the text of a file of the repository; `None` if it does not exist or is not UTF-8.
fn source(
    snapshot: Option<&Snapshot>,
    id: Option<&ObjectId>,
) -> std::result::Result<Option<String>, GitError> {
    let Some((snapshot, id)) = snapshot.zip(id) else { return Ok(None) };
    Ok(String::from_utf8(snapshot.blob(id)?).ok())
}

/// Returns the new text of a file: a merge with its text in the repository, if that is read as the same page.
fn merged(edits: &Edits, path: &str, printed: &Printed, source: Option<&str>, is_summary: bool) -> String {
    let Printed { base, new, .. } = printed;
    let Some((source, base)) = source.zip(base.as_ref()) else { return new.clone() };
    let merged = merge(source, base, new);
    let is_same = match is_summary {
        true => !merged.has_conflicts,
        false => edits.read(path, &merged.text) == edits.read(path, new),
    };
    if is_same { merged.text } else { new.clone() }
}

impl Edits {
    /// Reads a page with links by their paths in the repository.
    fn read(&self, path: &str, text: &str) -> PageSource {
        let folder = path.strip_prefix(self.prefix.as_str()).unwrap_or(path);
        let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        let text = quire_markup::dialects::book(&text).text;
        parse_page(&text, &Links { folder, paths: &self.paths })
    }
}

/// Reads links as paths, so that two spellings of the same link are equal.
struct Links<'l> {
    folder: &'l str,
    paths: &'l HashSet<String>,
}

impl RefResolver for Links<'_> {
    fn resolve(&self, href: &str, _: HrefKind) -> Option<ContentRef> {
        let (path, anchor) = href.split_once('#').map_or((href, ""), |(path, anchor)| (path, anchor));
        if path.is_empty() || path.contains(':') || path.starts_with('/') {
            return None;
        }
        let decoded = percent_encoding::percent_decode_str(path).decode_utf8().ok()?;
        let mut segments: Vec<&str> = self.folder.split('/').filter(|part| !part.is_empty()).collect();
        for segment in decoded.split('/') {
            match segment {
                "" | "." => {}
                ".." => drop(segments.pop()?),
                other => segments.push(other),
            }
        }
        let path = segments.join("/");
        let spelled = match path.as_str() {
            "" => vec!["README.md".to_owned()],
            path => vec![path.to_owned(), format!("{path}/README.md"), format!("{path}.md")],
        };
        let found = spelled.into_iter().find(|spelled| self.paths.contains(spelled))?;
        Some(ContentRef::url(format!("/~/{found}#{anchor}")))
    }
}

/// Notes the paths and object ids of what was written, in a revision of their own, and ends the run.
async fn finish(
    door: &impl Door,
    run: &GitRun,
    (sides, prefix): (Arc<Sides>, String),
    pushed: Option<Pushed>,
) -> Result<()> {
    let (space, sync) = (run.sync.space, run.sync.clone());
    let exported = sides.content.revision.id;
    let turn = door.turn(sides.content.head_key()).await?;
    let find = move |reader: &mut Reader<'_>| {
        Ok(reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?)
    };
    let end = move |tx: &mut Tx<'_>, content: Authorized<ContentAt>| {
        let base = match pushed {
            None => None,
            Some(Pushed { commit, files }) => {
                let revision = note(tx, &content, &sides.head.layout, &prefix, &files)?;
                // Changes of others since then were not exported.
                let is_exported = content.revision.id == exported;
                let revision = revision.filter(|_| is_exported).unwrap_or(exported);
                Some(GitBase { commit: commit.to_string(), revision })
            }
        };
        ended(tx.succeed_git_sync(&sync, base.as_ref(), None)?)
    };
    door.write(run.credentials, turn, find, end).await
}

/// Writes the locations of files to the content; the new revision, if there is anything to write.
fn note(
    tx: &mut Tx<'_>,
    content: &Authorized<ContentAt>,
    layout: &Layout,
    prefix: &str,
    files: &BTreeMap<String, ObjectId>,
) -> Result<Option<RevisionId>> {
    // Locked content cannot be written; the same files are then written again by the next export.
    if content.require_editable().is_err() {
        return Ok(None);
    }
    let head = tx.lock_for_edit(content)?;
    let git = |path: Option<&str>| {
        let path = format!("{prefix}{}", path?);
        let oid = files.get(&path)?.to_string();
        Some(GitBlob { oid, path })
    };
    let mut tree = head.tree.clone();
    let invalid =
        |error| Error::internal("locations in a repository can't be noted", anyhow::Error::from(error));
    for page in head.tree.pages() {
        let Some(git) = git(layout.page(page.id)) else { continue };
        tree.update_page(PageNode { git: Some(Box::new(git)), ..page.clone() }).map_err(invalid)?;
    }
    for file in head.tree.files() {
        let Some(git) = git(layout.file(file.id)) else { continue };
        tree.update_file(FileNode { git: Some(git), ..file.clone() }).map_err(invalid)?;
    }
    for reusable in head.tree.reusable_contents() {
        let Some(git) = git(layout.reusable_content(reusable.id)) else { continue };
        let mut noted = reusable.clone();
        noted.git = Some(git);
        tree.update_reusable_content(noted).map_err(invalid)?;
    }
    if tree == head.tree {
        return Ok(None);
    }
    let commit = Commit {
        kind: RevisionType::Edits,
        other_parent: None,
        merged_from: None,
        tree: &tree,
        amending: Amending::Never,
        documents: &[],
        stored_ahead: None,
    };
    Ok(Some(tx.commit(&head, &commit)?.id))
}
