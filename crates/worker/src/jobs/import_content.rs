//! `import-content`: runs an import that was asked for.
//!
//! While it works it notes once in a while how far it is, which is also how it finds out that it was cancelled. Nothing is visible before
//! the one transaction that stores the revision and ends the import, and that transaction fails when the import isn't this attempt's any
//! more. When its worker is lost, another begins it anew from the start.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use quire_domain::clock::Timestamp;
use quire_domain::error::{ErrorBody, ErrorDetail, Failure, Reason, Refusal};
use quire_domain::ids::FileId;
use quire_domain::imports::ImportPhase;
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_importer::apply::{Applied, apply};
use quire_importer::plan::{ImportPlan, NewIds, plan};
use quire_importer::progress::Progress;
use quire_importer::refusal;
use quire_importer::source::{self, Announced, GatherError};
use quire_importer::spool::{Content, Incoming, PIECE};
use quire_importer::tree::SourceTree;
use quire_revision::{BlobHash, Tree};
use quire_storage::Storage;
use quire_storage::content::Commit;
use quire_storage::files::StoredUpload;
use quire_storage::imports::{ATTEMPTS, IMPORT_JOB, ImportKey, ImportOrigin, RunningImport};
use quire_storage::jobs::Job;

use super::Next;
use crate::Services;
use crate::runner::{compute, read, read_as, transact, transact_as};

/// The kind of the job.
pub const KIND: &str = IMPORT_JOB;

/// How often progress is noted, and how long a cancelled import goes on at most.
const LOOK: Duration = Duration::from_secs(1);
/// Files that are written at the same time: each waits for the disk.
const PARALLEL_FILES: usize = 4;
/// Bytes of an upload that are read at once.
const PART: u64 = 4 << 20;

/// Why an import ends before its end.
enum Stop {
    /// The content, its source or the caller is at fault.
    Refused(ErrorDetail),
    /// It was cancelled, or another worker has it.
    Lost,
    /// The machine is at fault.
    Fault(anyhow::Error),
}

impl From<quire_storage::Error> for Stop {
    fn from(error: quire_storage::Error) -> Self {
        match Failure::from(error) {
            Failure::Refused(refusal) => refusal.into(),
            Failure::Unavailable(cause) | Failure::Fault(cause) => Self::Fault(anyhow!(cause)),
        }
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.body().error)
    }
}

/// Runs the import that the job names. That it can't be done is an outcome that its readers are told.
///
/// # Errors
/// When the machine is at fault and another attempt may go better.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    let key: ImportKey = serde_json::from_value(job.payload.clone()).context("the job names no import")?;
    let storage = &services.storage;
    if let Some(import) = transact(storage, move |tx| tx.begin_import(key)).await? {
        let progress = Progress::default();
        let ended = tokio::select! {
            ended = work(services, &import, &progress) => ended,
            () = watch(storage, &import, &progress) => Err(Stop::Lost),
        };
        end(storage, import, ended).await?;
    }
    release_upload(storage, key).await?;
    Ok(Next::Done)
}

/// Notes progress for as long as the import is this attempt's.
async fn watch(storage: &Storage, import: &RunningImport, progress: &Progress) {
    loop {
        match note(storage, import, progress).await {
            Ok(true) => {}
            Ok(false) => return,
            // What can't be noted now can be the next time.
            Err(error) => log::warn!("the progress of import {} was not noted: {error}", import.key.import),
        }
        tokio::time::sleep(LOOK).await;
    }
}

async fn note(storage: &Storage, import: &RunningImport, progress: &Progress) -> quire_storage::Result<bool> {
    let (import, stand) = (import.clone(), progress.now());
    transact(storage, move |tx| tx.note_import_progress(&import, stand.phase, stand.done, stand.total)).await
}

async fn end(storage: &Storage, import: RunningImport, ended: Result<(), Stop>) -> anyhow::Result<()> {
    let error = match ended {
        Ok(()) | Err(Stop::Lost) => return Ok(()),
        Err(Stop::Fault(error)) if import.attempt < ATTEMPTS => return Err(error),
        Err(Stop::Fault(error)) => {
            log::error!("import {} into space {} failed: {error:#}", import.key.import, import.key.space);
            ErrorBody::new(Reason::Internal).error
        }
        Err(Stop::Refused(error)) => error,
    };
    transact(storage, move |tx| tx.fail_import(&import, &error)).await?;
    Ok(())
}

/// Removes an upload that no import waits for any more.
async fn release_upload(storage: &Storage, key: ImportKey) -> anyhow::Result<()> {
    let upload = StoredUpload { space: key.space, import: key.import };
    for upload in read(storage, move |reader| reader.unclaimed_uploads(&[upload])).await? {
        storage.files().remove_upload(upload).await?;
    }
    Ok(())
}

async fn work(services: &Services, import: &RunningImport, progress: &Progress) -> Result<(), Stop> {
    let storage = &services.storage;
    look(storage, import).await?;
    let (source, field) = match import.origin {
        ImportOrigin::Url(_) => (import.source, "url"),
        ImportOrigin::Upload { .. } => (import.source, "file"),
    };
    let tree = gather(services, import, progress).await?;
    let tree = tree.map_err(|error| match refusal::of_gathering(field, &error) {
        Some(refused) => refused.into(),
        None => Stop::Fault(error.into()),
    })?;
    progress.enter(ImportPhase::Planning, None);
    let ids = storage.clone();
    let plan = compute(move || plan(source, tree, &mut NewIds(ids.ids()))).await?;
    let plan = plan.map_err(|error| refusal::of_planning(field, &error))?;
    let hashes = put_files(storage, import, &plan, progress).await.map_err(Stop::Fault)?;
    store(storage, import.clone(), plan, hashes).await
}

/// Refuses before anything is fetched what would be refused in the end: time has passed since the import was asked for.
async fn look(storage: &Storage, import: &RunningImport) -> Result<(), Stop> {
    let (space, selector) = (import.key.space, import.selector);
    read_as(storage, import.credentials, move |reader| {
        reader.content(space, selector)?.authorize(Action::EditContent)?.require_editable()
    })
    .await?;
    Ok(())
}

/// The outer error is of the machine or the import, the inner one of the content.
async fn gather(
    services: &Services,
    import: &RunningImport,
    progress: &Progress,
) -> Result<Result<SourceTree, GatherError>, Stop> {
    let (limits, source) = (services.imports, import.source);
    let (file_name, size) = match &import.origin {
        ImportOrigin::Url(url) => {
            return Ok(source::gather(&services.fetcher, limits, source, url, progress).await);
        }
        ImportOrigin::Upload { file_name, size } => (file_name.clone(), *size),
    };
    let content = uploaded(&services.storage, import, size, progress).await?;
    let (announced, progress) = (Announced { content_type: None, file_name }, progress.clone());
    Ok(compute(move || source::open(source, limits, &announced, content, &progress)).await?)
}

/// The upload, brought to this machine.
async fn uploaded(
    storage: &Storage,
    import: &RunningImport,
    size: u64,
    progress: &Progress,
) -> Result<Content, Stop> {
    progress.enter(ImportPhase::Fetching, Some(size));
    let upload = StoredUpload { space: import.key.space, import: import.key.import };
    let mut content = Incoming::new(size);
    let mut at = 0;
    while at < size {
        let end = size.min(at.saturating_add(PART));
        let Some(part) = storage.files().upload_part(upload, at..end).await? else {
            // Whoever cancels an import removes its upload.
            return Err(match note(storage, import, progress).await? {
                true => Stop::Fault(anyhow!("the upload of import {} is gone", import.key.import)),
                false => Stop::Lost,
            });
        };
        content.push(&part).await.map_err(|error| Stop::Fault(error.into()))?;
        progress.advance(end.saturating_sub(at));
        at = end;
    }
    content.finish().await.map_err(|error| Stop::Fault(error.into()))
}

/// Puts the bytes of the plan's files into the store, a few at a time: they are never in memory together.
async fn put_files(
    storage: &Storage,
    import: &RunningImport,
    plan: &ImportPlan,
    progress: &Progress,
) -> anyhow::Result<HashMap<FileId, BlobHash>> {
    progress.enter(ImportPhase::Storing, u64::try_from(plan.files.len()).ok());
    let space = import.key.space;
    let put = plan.files.iter().map(|file| {
        let (id, content) = (file.id, file.content.clone());
        async move {
            let hashed = content.clone();
            let hash = compute(move || BlobHash::of_pieces(hashed.parts(PIECE))).await??;
            storage.files().put_pieces(space, hash, content.stream(PIECE)).await?;
            progress.advance(1);
            Ok((id, hash))
        }
    });
    stream::iter(put).buffer_unordered(PARALLEL_FILES).try_collect().await
}

/// Stores the revision and ends the import, or does neither.
async fn store(
    storage: &Storage,
    import: RunningImport,
    mut plan: ImportPlan,
    hashes: HashMap<FileId, BlobHash>,
) -> Result<(), Stop> {
    let (space, selector) = (import.key.space, import.selector);
    let seen = read_as(storage, import.credentials, move |reader| {
        let content = reader.content(space, selector)?.authorize(Action::EditContent)?;
        reader.tree(&content)
    })
    .await?;
    let (result, page) = (plan.result(), import.page);
    let place = move |tree: &Tree, now: Timestamp| {
        let applied = apply(tree, plan.clone(), &hashes, page, now.millis());
        applied.map_err(|error| Stop::from(refusal::of_placing(&error)))
    };
    let computing = storage.clone();
    let (place, draft) = compute(move || {
        let Applied { tree, documents, blobs } = place(&seen, computing.clock().now())?;
        Ok::<_, Stop>((place, (seen.root(), (tree, computing.analyze(documents), blobs))))
    })
    .await??;
    transact_as(storage, import.credentials, move |tx| {
        let content = tx.content(space, selector)?.authorize(Action::EditContent)?;
        let head = tx.lock_for_edit(&content)?;
        if import.expected.as_ref().is_some_and(|expected| !expected.contains(&head.revision.id)) {
            return Err(Stop::Refused(ErrorBody::new(Reason::PreconditionFailed).error));
        }
        let (root, drafted) = draft;
        let (tree, documents, blobs) = if root == head.tree.root() {
            drafted
        } else {
            // The head moved after the draft was made.
            let Applied { tree, documents, blobs } = place(&head.tree, tx.now())?;
            (tree, tx.storage().analyze_others(documents, drafted.1), blobs)
        };
        tx.store_blobs(&content, &blobs)?;
        let commit = Commit {
            kind: RevisionType::Edits,
            other_parent: None,
            merged_from: None,
            tree: &tree,
            documents: &documents,
        };
        let revision = tx.commit(&head, &commit)?;
        if !tx.succeed_import(&import, &result(revision.id))? {
            return Err(Stop::Lost);
        }
        if let Some(change) = &import.change {
            tx.audit(change)?;
        }
        Ok(())
    })
    .await
}
