//! `import-content`: runs a requested import.
//!
//! Progress is recorded at an interval; the same statement detects a cancellation. One transaction stores the revision
//! and ends the import. It fails if the import no longer belongs to this attempt. If the worker is lost, another one
//! restarts the import.

use std::time::Duration;

use anyhow::{Context as _, anyhow};
use quire_content::imports::{Destination, Import, ImportInput};
use quire_content::{Error, ExpectedRevisions};
use quire_domain::error::{ErrorBody, ErrorDetail, Failure, Reason};
use quire_domain::imports::{ImportPhase, ImportResult};
use quire_importer::progress::Progress;
use quire_importer::spool::{Content, Incoming};
use quire_storage::content::files::StoredUpload;
use quire_storage::content::imports::{ATTEMPTS, IMPORT_JOB, ImportKey, ImportOrigin, RunningImport};
use quire_storage::operations::jobs::Job;
use quire_storage::{SystemStorage, Tx};

use super::Next;
use crate::Services;
use crate::runner::{read, transact};

/// The kind of the job.
pub const KIND: &str = IMPORT_JOB;

/// Interval of progress records, and so the maximum delay of a cancellation.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);
/// Bytes of an upload read at once.
const PART: u64 = 4 << 20;

/// Reason why an import ends early.
enum Stop {
    /// The content, its source or the caller caused an error.
    Refused(ErrorDetail),
    /// The import was cancelled, or another worker has taken it.
    Lost,
    /// This machine caused an error.
    Fault(anyhow::Error),
}

impl From<quire_storage::Error> for Stop {
    fn from(error: quire_storage::Error) -> Self {
        Failure::from(error).into()
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error {
            Error::CalledOff => Self::Lost,
            error => Failure::from(error).into(),
        }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => Self::Refused(refusal.body().error),
            Failure::Unavailable(_, cause) | Failure::Fault(cause) => Self::Fault(anyhow!(cause)),
        }
    }
}

/// Runs the import of the job. A refused import is a recorded outcome, not an error.
///
/// # Errors
/// If this machine causes an error that another attempt may avoid.
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

/// Records progress while the import belongs to this attempt.
async fn watch(storage: &SystemStorage, import: &RunningImport, progress: &Progress) {
    loop {
        match note(storage, import, progress).await {
            Ok(true) => {}
            Ok(false) => return,
            // The next interval tries again.
            Err(error) => log::warn!("the progress of import {} was not noted: {error}", import.key.import),
        }
        tokio::time::sleep(PROGRESS_INTERVAL).await;
    }
}

async fn note(
    storage: &SystemStorage,
    import: &RunningImport,
    progress: &Progress,
) -> quire_storage::Result<bool> {
    let (import, state) = (import.clone(), progress.now());
    transact(storage, move |tx| tx.note_import_progress(&import, state.phase, state.done, state.total)).await
}

async fn end(storage: &SystemStorage, import: RunningImport, ended: Result<(), Stop>) -> anyhow::Result<()> {
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

/// Removes an upload that no import needs.
async fn release_upload(storage: &SystemStorage, key: ImportKey) -> anyhow::Result<()> {
    let upload = StoredUpload { space: key.space, import: key.import };
    for upload in read(storage, move |reader| reader.unclaimed_uploads(&[upload])).await? {
        storage.files().remove_upload(upload).await?;
    }
    Ok(())
}

async fn work(services: &Services, import: &RunningImport, progress: &Progress) -> Result<(), Stop> {
    let (storage, runner) = (&services.storage, &services.imports);
    let RunningImport { key, selector, page, credentials, .. } = *import;
    let destination = Destination { space: key.space, selector, page };
    let expected = ExpectedRevisions::from(import.expected.clone());
    // Permissions may have changed since the request. The plan reports a missing page later.
    let content = Destination { page: None, ..destination };
    runner.preflight(storage.storage(), credentials, content, expected.clone()).await?;
    let input = match &import.origin {
        ImportOrigin::Url(url) => ImportInput::Url { url: url.clone(), source: import.source },
        ImportOrigin::Upload { file_name, size } => ImportInput::Upload {
            source: import.source,
            file_name: file_name.clone(),
            content: uploaded(services, import, *size, progress).await?,
        },
    };
    let requested = Import {
        credentials,
        destination,
        limits: services.import_limits,
        expected,
        change: import.change.clone(),
    };
    let import = import.clone();
    let finish = move |tx: &mut Tx<'_>, result: &ImportResult| match tx.succeed_import(&import, result)? {
        true => Ok(()),
        false => Err(Error::CalledOff),
    };
    runner.run(storage.storage(), requested, input, progress, finish).await?;
    Ok(())
}

/// Downloads the upload to this machine.
async fn uploaded(
    services: &Services,
    import: &RunningImport,
    size: u64,
    progress: &Progress,
) -> Result<Content, Stop> {
    let storage = &services.storage;
    progress.enter(ImportPhase::Fetching, Some(size));
    let upload = StoredUpload { space: import.key.space, import: import.key.import };
    let mut content = Incoming::new(size, services.fetcher.threads());
    let mut at = 0;
    while at < size {
        let end = size.min(at.saturating_add(PART));
        let Some(part) = storage.files().upload_part(upload, at..end).await? else {
            // A cancellation removes the upload.
            return Err(match note(storage, import, progress).await? {
                true => Stop::Fault(anyhow!("the upload of import {} is missing", import.key.import)),
                false => Stop::Lost,
            });
        };
        content.push(&part).await.map_err(|error| Stop::Fault(error.into()))?;
        progress.advance(end.saturating_sub(at));
        at = end;
    }
    content.finish().await.map_err(|error| Stop::Fault(error.into()))
}
