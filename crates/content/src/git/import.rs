//! Import of a commit, either as the new content or as a revision that leaves the content unchanged.

use quire_domain::bounds::CHANGE_REQUEST_SUBJECT_MAX;
use quire_domain::git_installations::GitAgent;
use quire_domain::ids::{ChangeRequestId, GitInstallationId, RevisionId, SpaceId};
use quire_domain::imports::ImportResult;
use quire_domain::policy::Action;
use quire_git::{Address, ObjectId, Remote};
use quire_importer::apply::Repository;
use quire_importer::source::GatherLimits;
use quire_revision::Tree;
use quire_storage::content::git_syncs::GitBase;
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;
use quire_storage::{Reader, Tx};

use super::gather::{Gathered, gather};
use super::hosts::branch_name;
use super::imported::imported;
use super::known::{Known, is_empty, known_files, page_files};
use super::run::{GitRun, RunResources, RunResult, SHORT_ID, ended};
use crate::door::Door;
use crate::error::Result;
use crate::expected::ExpectedRevisions;
use crate::imports::{Destination, Import};

/// Commit to import.
pub(super) struct Source<'s> {
    pub(super) credentials: Credentials,
    pub(super) space: SpaceId,
    /// Repository with credentials.
    pub(super) address: &'s Address,
    /// Full name of the branch or tag. `None` for the branch that HEAD points to.
    pub(super) reference: Option<&'s str>,
    /// Folder of the content in the repository, with a trailing slash. Empty for the whole repository.
    pub(super) folder: &'s str,
    /// Commit that last equaled the content, if changes since then are kept.
    pub(super) commit: Option<String>,
    /// Revision whose later changes are kept.
    pub(super) last: Option<RevisionId>,
    /// Id of the revision to create instead of changing the content.
    pub(super) standalone: Option<RevisionId>,
    /// Agents whose instruction files are not pages.
    pub(super) agents: &'s [GitAgent],
    /// True if an export follows.
    pub(super) follows: bool,
    /// Connection whose runs share fetched commits.
    pub(super) connection: Option<GitInstallationId>,
}

impl<'s> Source<'s> {
    fn of(run: &'s GitRun) -> Self {
        Self {
            credentials: run.credentials,
            space: run.sync.space,
            address: &run.address,
            reference: run.reference.as_deref(),
            folder: &run.folder,
            commit: run.sync.base.as_ref().filter(|_| !run.force).map(|base| base.commit.clone()),
            last: run.sync.last.filter(|_| !run.force),
            standalone: run.standalone,
            agents: &run.agents,
            follows: run.follows,
            connection: run.connection,
        }
    }
}

/// Runs an import. Returns the change request with the changes of one side that conflict with those of the side whose
/// version stays.
pub(super) async fn run(
    resources: RunResources<'_>,
    door: &impl Door,
    run: &GitRun,
) -> RunResult<Option<ChangeRequestId>> {
    let (source, sync) = (Source::of(run), run.sync.clone());
    let Source { credentials, space, .. } = source;
    let Some((gathered, last)) = fetch(resources, door, &source).await? else {
        // The last import was of the same commit, or neither side has content.
        let end = move |tx: &mut Tx<'_>| ended(tx.succeed_git_sync(&sync, None, None)?);
        door.transact(credentials, end).await?;
        return Ok(None);
    };
    if let Some(revision) = source.standalone {
        let base = GitBase { commit: gathered.commit.to_string(), revision };
        let finish = move |tx: &mut Tx<'_>| ended(tx.succeed_standalone_git_sync(&sync, &base)?);
        store_standalone(resources, door, (&source, revision), (gathered, last), finish).await?;
        return Ok(None);
    }
    let Gathered { reference, commit, commits, tree, plan, changed, files, known, moved, texts, notes } =
        gathered;
    let repository = run.repository.as_ref();
    let commits =
        repository.and_then(|(provider, url)| imported(&commits, &reference, (*provider, url.as_str())));
    resources.texts.keep(space, texts);
    let import = Import {
        credentials,
        destination: Destination { space, selector: ContentSelector::Space, page: None },
        limits: GatherLimits::default(),
        expected: ExpectedRevisions::from(None),
        change: None,
    };
    let finish = move |tx: &mut Tx<'_>, result: &ImportResult, change_request: Option<ChangeRequestId>| {
        let base = GitBase { commit: commit.to_string(), revision: result.revision };
        ended(tx.succeed_git_sync(&sync, Some(&base), change_request)?)?;
        match &notes {
            Some(notes) => Ok(tx.note_git_sync(&sync, notes)?),
            None => Ok(()),
        }
    };
    let branch = branch_name(&reference);
    let subject = format!("Git {branch} at {}", commit.to_hex_with_len(SHORT_ID));
    let subject =
        subject.chars().take(usize::try_from(CHANGE_REQUEST_SUBJECT_MAX).unwrap_or(usize::MAX)).collect();
    let keeps_edits = run.keeps_edits;
    let repository = Repository { files, last, changed, moved, keeps_edits, subject };
    let (new, planned) = ((import, commits), (tree, plan));
    let imported = resources.imports.run_repository(door, new, planned, (repository, known), finish).await?;
    Ok(imported.change_request)
}

/// Fetches a commit as far as its import needs it, and the content at the last synchronization. Returns `None` if the
/// commit was imported before, or neither side has content.
pub(super) async fn fetch(
    RunResources { imports, limits, texts, packs }: RunResources<'_>,
    door: &impl Door,
    source: &Source<'_>,
) -> RunResult<Option<(Gathered, Option<Tree>)>> {
    let (space, is_standalone) = (source.space, source.standalone.is_some());
    let last = source.last;
    let read = move |reader: &mut Reader<'_>| {
        let content = reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
        if !is_standalone {
            content.require_editable()?;
        }
        let last = last.map(|last| reader.tree_of_revision(content.point(), last)).transpose()?;
        Ok((reader.tree(&content)?, last.flatten()))
    };
    let (before, last) = door.read(source.credentials, read).await?;
    let (reference, folder) = (source.reference.map(str::to_owned), source.folder.to_owned());
    let commit = source.commit.as_ref().and_then(|commit| ObjectId::from_hex(commit.as_bytes()).ok());
    let known = Known {
        commit,
        repeats: is_standalone,
        has_log: source.connection.is_some() && !is_standalone,
        files: known_files(&before),
        pages: page_files(&before),
        texts: texts.get(space),
        last: last.clone(),
        may_be_empty: source.follows && is_empty(last.as_ref().unwrap_or(&before)),
        agents: source.agents.to_vec(),
    };
    let storage = door.storage().clone();
    let shared = packs.of(source.connection, source.address);
    let gathered =
        Remote::run_with(&imports.fetcher, source.address.clone(), (limits, shared), move |remote| {
            gather(remote, reference.as_deref(), &folder, &known, storage.ids())
        });
    Ok(gathered.await?.map(|gathered| (gathered, last)))
}

/// Stores a commit as a revision that leaves the content unchanged.
pub(super) async fn store_standalone(
    resources: RunResources<'_>,
    door: &impl Door,
    (source, revision): (&Source<'_>, RevisionId),
    (gathered, last): (Gathered, Option<Tree>),
    finish: impl FnOnce(&mut Tx<'_>) -> Result<()> + Send + 'static,
) -> Result<()> {
    let Gathered { tree, plan, changed, files, known, moved, .. } = gathered;
    // If no changes have to be kept, the content is exactly that of the commit.
    let last = last.filter(|_| changed.is_some());
    let repository = Repository { files, last, changed, moved, ..Repository::default() };
    let at = (source.credentials, source.space, revision);
    resources.imports.run_standalone(door, at, (tree, plan), (repository, known), finish).await
}
