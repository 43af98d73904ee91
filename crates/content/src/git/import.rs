//! An import: the content becomes that of a commit.

use quire_domain::bounds::CHANGE_REQUEST_SUBJECT_MAX;
use quire_domain::ids::ChangeRequestId;
use quire_domain::imports::ImportResult;
use quire_domain::policy::Action;
use quire_git::{ObjectId, Remote};
use quire_importer::apply::Repository;
use quire_importer::source::GatherLimits;
use quire_storage::content::git_syncs::GitBase;
use quire_storage::content::store::ContentSelector;
use quire_storage::{Reader, Tx};

use super::gather::{Gathered, gather};
use super::known::{Known, known_files};
use super::run::{GitRun, Means, RunResult, ended};
use crate::door::Door;
use crate::expected::ExpectedRevisions;
use crate::imports::{Destination, Import};

/// Digits of the short id of a commit.
const SHORT_ID: usize = 7;

/// Runs an import. Returns the change request with changes of the content that the repository overwrites.
pub(super) async fn run(
    Means { imports, limits, texts: cache }: Means<'_>,
    door: &impl Door,
    run: &GitRun,
) -> RunResult<Option<ChangeRequestId>> {
    let GitRun { credentials, sync, .. } = run;
    let (credentials, space) = (*credentials, sync.space);
    let base = sync.base.clone().filter(|_| !run.force);
    let last = base.as_ref().map(|base| base.revision);
    let read = move |reader: &mut Reader<'_>| {
        let content = reader.content(space, ContentSelector::Space)?.authorize(Action::EditContent)?;
        content.require_editable()?;
        let last = last.map(|last| reader.tree_of_revision(content.point(), last)).transpose()?;
        Ok((reader.tree(&content)?, last.flatten()))
    };
    let (before, last) = door.read(credentials, read).await?;
    let (reference, folder) = (run.reference.clone(), run.folder.clone());
    let known = Known {
        commit: base.and_then(|base| ObjectId::from_hex(base.commit.as_bytes()).ok()),
        files: known_files(&before),
        texts: cache.get(space),
        last: last.clone(),
    };
    let storage = door.storage().clone();
    let fetcher = &imports.fetcher;
    let gathered = Remote::run(fetcher, run.address.clone(), limits, move |remote| {
        gather(remote, reference.as_deref(), &folder, &known, storage.ids())
    });
    let Some(Gathered { reference, commit, tree, plan, changed, files, known, texts, notes }) =
        gathered.await?
    else {
        // The commit was imported before.
        let sync = sync.clone();
        let end = move |tx: &mut Tx<'_>| ended(tx.succeed_git_sync(&sync, None, None)?);
        door.transact(credentials, end).await?;
        return Ok(None);
    };
    cache.keep(space, texts);
    let import = Import {
        credentials,
        destination: Destination { space, selector: ContentSelector::Space, page: None },
        limits: GatherLimits::default(),
        expected: ExpectedRevisions::from(None),
        change: None,
    };
    let sync = sync.clone();
    let finish = move |tx: &mut Tx<'_>, result: &ImportResult, change_request: Option<ChangeRequestId>| {
        let base = GitBase { commit: commit.to_string(), revision: result.revision };
        ended(tx.succeed_git_sync(&sync, Some(&base), change_request)?)?;
        match &notes {
            Some(notes) => Ok(tx.note_git_sync(&sync, notes)?),
            None => Ok(()),
        }
    };
    let branch = reference.strip_prefix("refs/heads/").unwrap_or(&reference);
    let subject = format!("Git {branch} at {}", commit.to_hex_with_len(SHORT_ID));
    let subject =
        subject.chars().take(usize::try_from(CHANGE_REQUEST_SUBJECT_MAX).unwrap_or(usize::MAX)).collect();
    let repository = Repository { files, last, changed, subject };
    let imported = imports.run_repository(door, import, (tree, plan), (repository, known), finish).await?;
    Ok(imported.change_request)
}
