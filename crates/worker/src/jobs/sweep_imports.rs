//! `sweep-imports`: removes unreferenced uploads, fails stuck imports, and removes old ones.
//!
//! An upload is stored before the row of its import. It remains without a row if the request is refused or the server
//! is killed in between. It also remains if a worker is lost between the end of an import and the removal.

use std::time::Duration;

use futures_util::StreamExt as _;
use quire_storage::content::files::StoredUpload;
use quire_storage::{Result, SystemStorage};

use super::Next;
use super::periodic::shifted;
use crate::runner::{read, transact};

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-imports";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(60 * 60);
/// Age from which unreferenced uploads are removed. The row of an import follows its upload within minutes.
const UPLOAD_AGE: Duration = Duration::from_secs(60 * 60);
/// Age at which an unfinished import counts as stuck.
const STUCK: Duration = Duration::from_secs(24 * 60 * 60);
/// Age at which finished imports are removed.
const AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Uploads checked by one statement.
const BATCH: usize = 1_000;

/// Sweeps once.
///
/// # Errors
/// If the store or a statement fails; the rest is left to the next sweep.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    let (failed, _) = transact(storage, |tx| tx.sweep_imports(STUCK, AGE)).await?;
    if failed > 0 {
        log::error!("{failed} imports did not finish within a day: their workers were lost too often");
    }
    let moment = shifted(storage.clock().now(), UPLOAD_AGE, i64::saturating_sub);
    let mut uploads = std::pin::pin!(storage.files().uploads_older_than(moment).chunks(BATCH));
    while let Some(batch) = uploads.next().await {
        let batch: Vec<StoredUpload> = batch.into_iter().collect::<Result<_>>()?;
        for upload in read(storage, move |reader| reader.unclaimed_uploads(&batch)).await? {
            storage.files().remove_upload(upload).await?;
        }
    }
    Ok(Next::RunAgainAfter(EVERY))
}
