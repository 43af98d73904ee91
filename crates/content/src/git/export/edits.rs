//! Changes of the content from one commit to the next, with their texts and the bytes of files.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, PageId, ReusableContentId};
use quire_domain::policy::Action;
use quire_git::GitError;
use quire_importer::apply::is_same_text;
use quire_markup::{Document, FrontMatter, print_page};
use quire_revision::{BlobHash, FileNode, PageNode, ReusableContentNode, Tree, TreeError};
use quire_storage::Reader;
use quire_storage::content::files::BlobLocations;
use quire_storage::content::store::{ContentAt, ContentSelector, RevisionRecord};
use quire_storage::lookup::Authorized;

use super::super::agents;
use super::super::gather::listed;
use super::super::others::Others;
use super::super::paths::{self, Placed};
use super::super::run::{GitRun, RunResult};
use super::open::Opened;
use super::places::{with_known, with_paths, with_renames};
use crate::door::Door;
use crate::error::{Error, Result};
use crate::exports::layout::Layout;
use crate::exports::summary;
use crate::imports::ImportRunner;
use crate::page_body::{page_text, stored_document};

/// Documents read at once.
const DOCUMENTS: usize = 50;

/// Maximum number of bytes of files in the commits of an export. They are in memory.
const MAX_BYTES: usize = 100 << 20;

/// Content with its paths.
pub(super) struct Side {
    tree: Tree,
    pub(super) layout: Layout,
}

/// Content of a revision, and that of the commit before.
pub(super) struct Sides {
    pub(super) content: Authorized<ContentAt>,
    pub(super) head: Side,
    last: Option<Arc<Side>>,
    /// Locations of the bytes of changed files.
    blobs: BlobLocations,
    others: Arc<Others>,
    /// Wanted and assigned paths of new content where the repository has something else.
    moved: Vec<(String, String)>,
}

/// Content of a commit that the next one follows.
pub(super) struct Former {
    side: Arc<Side>,
    /// Entries of the repository that are not content.
    others: Arc<Others>,
}

/// Text of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    Page(PageId),
    Content(ReusableContentId),
}

/// Changed text in printed form.
pub(super) struct Printed {
    /// Text at the last synchronization. `None` for a new text.
    pub(super) base: Option<String>,
    pub(super) new: String,
    /// Object id of the file at the last synchronization. `None` for a new file.
    pub(super) expected: Option<String>,
    /// The file at the last synchronization, if it had another path.
    pub(super) from: Option<Source>,
}

/// File that gets another path.
pub(super) struct Source {
    pub(super) path: String,
    /// Object id at the last synchronization.
    pub(super) expected: Option<String>,
}

/// Changes of a commit, by paths in the repository.
#[derive(Default)]
pub(super) struct Edits {
    pub(super) texts: BTreeMap<String, Printed>,
    pub(super) files: BTreeMap<String, Bytes>,
    /// Removed files, with the object ids that they must have.
    pub(super) removed: BTreeMap<String, String>,
    /// The table of contents.
    pub(super) summary: Option<(String, Printed)>,
    /// Paths of the whole content, for the comparison of links.
    pub(super) paths: HashSet<String>,
    /// Paths at the last synchronization, with the present ones of the same content.
    pub(super) former: HashMap<String, String>,
    pub(super) prefix: String,
    /// Missing instruction files, which are written.
    pub(super) instructions: Vec<String>,
    /// Sentence for users about content with other paths than usual.
    pub(super) notes: Option<String>,
}

/// Reads the content of a revision, `None` for the present one, and of the commit before: `former`, or the content at
/// the last synchronization.
pub(super) async fn read(
    door: &impl Door,
    run: &GitRun,
    opened: &Arc<Opened>,
    (prefix, former): (String, Option<&Former>),
    revision: Option<&RevisionRecord>,
) -> Result<Sides> {
    let (space, opened, revision) = (run.sync.space, Arc::clone(opened), revision.cloned());
    let former = former.map(|former| (Arc::clone(&former.side), Arc::clone(&former.others)));
    let last = run.sync.base.as_ref().map(|base| base.revision);
    // The last synchronized content then has all files of the commit that are content.
    let is_imported = run.follows && last.is_some();
    let read = move |reader: &mut Reader<'_>| {
        let content = reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
        let present = reader.tree(&content)?;
        let tree = match &revision {
            Some(revision) => reader.tree_at(content.point().at(revision))?,
            None => present.clone(),
        };
        let present_at = |tree: Tree| match is_imported {
            true => with_renames(&tree, &present, &opened.files).map_err(unplaced),
            false => Ok(tree),
        };
        let tree = match &revision {
            Some(_) => present_at(tree)?,
            None => tree,
        };
        let is_only = former.is_none() && revision.is_none();
        let (last, others) = match &former {
            Some((side, others)) => (Some(Arc::clone(side)), Arc::clone(others)),
            None => {
                let last = last.map(|last| reader.tree_of_revision(content.point(), last)).transpose()?;
                let last = last.flatten().map(present_at).transpose()?;
                let last = last.map(|tree| {
                    let Placed { layout, .. } =
                        paths::layout(&tree, &prefix, Some(&tree), &Others::default());
                    Arc::new(Side { layout, tree })
                });
                let known = last.as_ref().map(|last| last.paths()).unwrap_or_default();
                let others = others(&opened, &prefix, &known, is_imported);
                (last, Arc::new(others))
            }
        };
        let last_tree = last.as_ref().map(|last| &last.tree);
        let tree = match is_only {
            true => tree,
            false => with_known(&tree, last_tree, &present).map_err(unplaced)?,
        };
        let changed = tree.files().filter(|file| is_changed_file(file, last_tree));
        let changed: Vec<BlobHash> = changed.map(|file| file.blob).collect();
        let blobs = reader.blob_locations(space, &changed)?;
        let Placed { layout, moved } = paths::layout(&tree, &prefix, last_tree, &others);
        let head = Side { layout, tree };
        Ok(Sides { content, head, last, blobs, others, moved })
    };
    door.read(run.credentials, read).await
}

/// Returns the error for a location that a tree does not accept.
pub(super) fn unplaced(error: TreeError) -> Error {
    Error::internal("locations in a repository can't be noted", anyhow::Error::from(error))
}

/// Returns the entries of a repository that are not content: symbolic links, submodules, and files that are neither
/// empty nor known.
fn others(opened: &Opened, prefix: &str, known: &HashSet<String>, is_imported: bool) -> Others {
    let links = opened.links.iter().filter_map(|path| path.strip_prefix(prefix));
    let files = opened.files.iter().filter(|(_, id)| !id.is_empty_blob());
    let files = files.filter_map(|(path, _)| path.strip_prefix(prefix));
    let files: Vec<&str> = files.filter(|path| !known.contains(*path)).collect();
    let root = Some(opened.location.root.as_str()).filter(|root| !root.is_empty());
    let inside = |path: &str| -> Option<String> {
        match root {
            Some(root) => path.strip_prefix(root)?.strip_prefix('/').map(str::to_owned),
            None => Some(path.to_owned()),
        }
    };
    let readme = opened.location.readme.as_deref().and_then(inside);
    let others = match is_imported {
        true => Others::of(links.chain(files)),
        // The commit may have content that was never imported.
        false => Others::of(links).with_unknown(files.into_iter()),
    };
    others.with_readme(readme.as_deref())
}

/// Returns the changes for a commit, with printed texts and the bytes of files.
pub(super) async fn edits(
    imports: &ImportRunner,
    door: &impl Door,
    run: &GitRun,
    (opened, sides): (&Opened, &Arc<Sides>),
    (prefix, total): (String, &mut Total),
) -> RunResult<Edits> {
    let mut edits = Edits { prefix: prefix.clone(), ..Edits::default() };
    for texts in sides.changed_texts().chunks(DOCUMENTS) {
        let printed = print_all(imports, door, run, Arc::clone(sides), texts.to_vec()).await?;
        for (path, mut printed) in printed {
            total.add(printed.new.len())?;
            if let Some(from) = &mut printed.from {
                from.path.insert_str(0, &prefix);
            }
            edits.texts.insert(format!("{prefix}{path}"), printed);
        }
    }
    for (path, file) in sides.changed_files() {
        total.add(usize::try_from(file.size).unwrap_or(usize::MAX))?;
        edits.files.insert(format!("{prefix}{path}"), read_file(door, &sides.blobs, file.blob).await?);
    }
    let kept = sides.head.paths();
    if let Some(last) = &sides.last {
        let gone = last.objects().into_iter().filter(|(path, _)| !kept.contains(path));
        edits.removed.extend(gone.map(|(path, oid)| (format!("{prefix}{path}"), oid)));
        edits.former = sides.head.paths_since(last);
    }
    let (written, unwritten): (Vec<_>, Vec<_>) =
        sides.summary(opened, &run.folder).into_iter().partition(|(path, _)| !opened.links.contains(path));
    edits.summary = written.into_iter().next();
    edits.paths = kept;
    let agents = run.agents.iter();
    edits.instructions = agents.map(|agent| format!("{}{}", run.folder, agents::file_of(*agent))).collect();
    let unwritten = unwritten.into_iter().map(|(path, _)| {
        format!("The table of contents is not written, because `{path}` is a symbolic link or a submodule.")
    });
    edits.notes = unwritten.chain(sides.moved_notes(&prefix)).reduce(|one, other| format!("{one} {other}"));
    Ok(edits)
}

/// Number of bytes of the files of all commits of an export.
#[derive(Default)]
pub(super) struct Total(usize);

impl Total {
    fn add(&mut self, length: usize) -> std::result::Result<(), GitError> {
        self.0 = self.0.saturating_add(length);
        match self.0 > MAX_BYTES {
            true => Err(GitError::TooLarge { what: "the changed files", limit: 100 << 20 }),
            false => Ok(()),
        }
    }
}

/// Reads the bytes of a file of the content.
async fn read_file(door: &impl Door, blobs: &BlobLocations, blob: BlobHash) -> Result<Bytes> {
    let location = blobs.of(blob);
    let bytes = door.storage().files().get(location, blob, None).await?;
    let missing = || Error::internal("the bytes of a file are not in the store", anyhow::anyhow!("{blob:?}"));
    bytes.ok_or_else(missing)
}

/// Prints changed texts, both in their present form and as of the last synchronization.
async fn print_all(
    imports: &ImportRunner,
    door: &impl Door,
    run: &GitRun,
    sides: Arc<Sides>,
    texts: Vec<Text>,
) -> Result<Vec<(String, Printed)>> {
    let of = |side: &Side| texts.iter().filter_map(|text| side.document(*text)).collect::<Vec<_>>();
    let mut ids = of(&sides.head);
    ids.extend(sides.last.iter().flat_map(|last| of(last)));
    ids.sort_unstable();
    ids.dedup();
    let reading = Arc::clone(&sides);
    let read = move |reader: &mut Reader<'_>| Ok(reader.documents(&reading.content, &ids)?);
    let documents = door.read(run.credentials, read).await?;
    let print = move || {
        let renamed = sides.renamed();
        let objects: HashMap<String, String> = match renamed.is_empty() {
            true => HashMap::new(),
            false => sides.last.iter().flat_map(|last| last.objects()).collect(),
        };
        let mut printed = Vec::with_capacity(texts.len());
        for text in texts {
            let Some((path, new)) = sides.head.print(text, &documents)? else { continue };
            let last = sides.last.as_ref().map(|last| last.print(text, &documents)).transpose()?.flatten();
            let object = sides.head.object(text);
            let (base, from) = match last {
                Some((last_path, base)) if last_path == path => (Some(base), None),
                Some((path, base)) if renamed.contains(path.as_str()) => {
                    (Some(base), Some(Source { path, expected: object.clone() }))
                }
                _ => (None, None),
            };
            if from.is_none() && base.as_ref() == Some(&new) {
                continue;
            }
            // The path may be that of a file that is renamed, too.
            let expected = match from {
                Some(_) => objects.get(&path).cloned(),
                None => object.or_else(|| objects.get(&path).cloned()),
            };
            printed.push((path, Printed { base, new, expected, from }));
        }
        Ok(printed)
    };
    imports.limiter.compute(print).await
}

impl Sides {
    /// Returns this content for the commit that follows.
    pub(super) fn passed(&self, prefix: &str) -> Result<Former> {
        let Side { tree, layout } = &self.head;
        let tree = with_paths(tree, layout, prefix).map_err(unplaced)?;
        let side = Side { tree, layout: layout.clone() };
        Ok(Former { side: Arc::new(side), others: Arc::clone(&self.others) })
    }

    /// Returns the paths of files at the last synchronization whose pages have other paths now. Pages of one file get
    /// files of their own, which are not renamed.
    fn renamed(&self) -> HashSet<&str> {
        let Some(last) = &self.last else { return HashSet::new() };
        let (mut seen, mut shared, mut renamed) = (HashSet::new(), HashSet::new(), HashSet::new());
        for page in last.tree.pages() {
            let Some(path) = last.layout.page(page.id) else { continue };
            if !seen.insert(path) {
                shared.insert(path);
            }
            if self.head.layout.page(page.id).is_some_and(|present| present != path) {
                renamed.insert(path);
            }
        }
        renamed.retain(|path| !shared.contains(path));
        renamed
    }

    /// Returns texts that may have changed since the last synchronization: all of them if files are renamed, because
    /// any text may have links to these.
    fn changed_texts(&self) -> Vec<Text> {
        let Self { head: Side { tree, layout }, last, .. } = self;
        let has_renamed = !self.renamed().is_empty();
        let last_layout = last.as_ref().map(|last| &last.layout);
        let last = last.as_ref().map(|last| &last.tree);
        let is_changed_page = |page: &&PageNode| {
            let former = last.and_then(|last| last.page(page.id));
            // Pages of one file share its path until one of them changes. Then all but one get paths of their own.
            let moves = || last_layout.and_then(|last| last.page(page.id)) != layout.page(page.id);
            has_renamed
                || former.is_none_or(|former| page.git.is_none() || !is_same_text(page, former) || moves())
        };
        let pages = tree.pages_in_order().filter(|page| layout.page(page.id).is_some());
        let is_changed_content = |content: &&ReusableContentNode| {
            let former = last.and_then(|last| last.reusable_content(content.id));
            has_renamed
                || former.is_none_or(|former| {
                    content.git.is_none()
                        || (&content.title, content.document) != (&former.title, former.document)
                })
        };
        let contents =
            tree.reusable_contents().filter(|content| layout.reusable_content(content.id).is_some());
        let pages = pages.filter(is_changed_page).map(|page| Text::Page(page.id));
        pages.chain(contents.filter(is_changed_content).map(|content| Text::Content(content.id))).collect()
    }

    /// Returns a sentence about new content at other paths than usual.
    fn moved_notes(&self, prefix: &str) -> Option<String> {
        let named = |(wanted, path): &(String, String)| format!("`{prefix}{path}` for `{prefix}{wanted}`");
        let moved: Vec<String> = self.moved.iter().map(named).collect();
        let moved: Vec<&str> = moved.iter().map(String::as_str).collect();
        let of =
            |moved: &str| format!("Files have other names where the repository has something else: {moved}.");
        (!moved.is_empty()).then(|| of(&listed(&moved)))
    }

    /// Returns files whose bytes are not in the repository.
    fn changed_files(&self) -> Vec<(&str, &FileNode)> {
        let Self { head: Side { tree, layout }, last, .. } = self;
        let last = last.as_ref().map(|last| &last.tree);
        let changed = tree.files().filter(|file| is_changed_file(file, last));
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
        is_changed.then_some((path, Printed { base, new, expected: None, from: None }))
    }
}

/// Returns whether the bytes of a file are not in the repository. `last` is the content of the commit before.
fn is_changed_file(file: &FileNode, last: Option<&Tree>) -> bool {
    let former = last.and_then(|last| last.file(file.id));
    former.is_none_or(|former| file.git.is_none() || file.blob != former.blob)
}

impl Side {
    fn document(&self, text: Text) -> Option<DocumentId> {
        match text {
            Text::Page(id) => self.tree.page(id)?.document,
            Text::Content(id) => self.tree.reusable_content(id)?.document,
        }
    }

    /// Returns the object id that the file of a text had at the last synchronization.
    fn object(&self, text: Text) -> Option<String> {
        match text {
            Text::Page(id) => self.tree.page(id)?.git.as_ref().map(|git| git.oid.clone()),
            Text::Content(id) => self.tree.reusable_content(id)?.git.as_ref().map(|git| git.oid.clone()),
        }
    }

    /// Prints a text. Returns `None` if it has no file.
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

    /// Returns the paths of all content.
    fn paths(&self) -> HashSet<String> {
        let Self { tree, layout } = self;
        let pages = tree.pages().filter_map(|page| layout.page(page.id));
        let files = tree.files().filter_map(|file| layout.file(file.id));
        let contents = tree.reusable_contents().filter_map(|content| layout.reusable_content(content.id));
        pages.chain(files).chain(contents).map(str::to_owned).collect()
    }

    /// Returns the paths on an earlier side with the paths of the same content on this one.
    fn paths_since(&self, last: &Self) -> HashMap<String, String> {
        let Self { tree, layout } = self;
        let pages = tree.pages().map(|page| (last.layout.page(page.id), layout.page(page.id)));
        let files = tree.files().map(|file| (last.layout.file(file.id), layout.file(file.id)));
        let contents = tree
            .reusable_contents()
            .map(|content| (last.layout.reusable_content(content.id), layout.reusable_content(content.id)));
        let all = pages.chain(files).chain(contents);
        all.filter_map(|(last, path)| Some((last?.to_owned(), path?.to_owned()))).collect()
    }

    /// Returns the paths with the object ids at the last synchronization.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_commit_have_a_limit() {
        let mut total = Total(0);
        total.add(MAX_BYTES).unwrap();
        total.add(0).unwrap();
        assert!(matches!(total.add(1), Err(GitError::TooLarge { limit: 104_857_600, .. })));
        assert!(total.add(usize::MAX).is_err());
    }
}
