//! `sweep-files`: removes file bytes that no row refers to.
//!
//! An upload writes its bytes before its row, so that a row never lacks its bytes. Bytes remain without a row if the
//! request is refused or the server is killed in between, and after a space is removed.

use std::time::Duration;

use futures_util::StreamExt as _;
use quire_domain::clock::Timestamp;
use quire_storage::content::files::StoredFile;
use quire_storage::{Result, SystemStorage};

use super::Next;
use super::periodic::shifted;
use crate::runner::read;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-files";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// Age from which unreferenced bytes are removed. The row of an upload follows its bytes within minutes.
const AGE: Duration = Duration::from_secs(60 * 60);
/// Files checked by one statement.
const BATCH: usize = 1_000;

/// Sweeps once.
///
/// # Errors
/// If the store or a statement fails; the rest is left to the next sweep.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    let moment = shifted(storage.clock().now(), AGE, i64::saturating_sub);
    storage.files().settle_interrupted(moment).await?;
    settle_aside(storage, moment).await?;
    let mut removed = 0_u64;
    let mut batch = Vec::with_capacity(BATCH);
    let mut files = std::pin::pin!(storage.files().older_than(moment));
    while let Some(file) = files.next().await {
        batch.push(file?);
        if batch.len() == BATCH {
            removed = removed.saturating_add(sweep(storage, std::mem::take(&mut batch), moment).await?);
        }
    }
    removed = removed.saturating_add(sweep(storage, batch, moment).await?);
    if removed > 0 {
        log::info!("removed the content of {removed} files that are no longer used");
    }
    Ok(Next::RunAgainAfter(EVERY))
}

/// Settles bytes that an earlier sweep moved aside in a bucket: restores referenced ones, deletes the others.
async fn settle_aside(storage: &SystemStorage, moment: Timestamp) -> anyhow::Result<()> {
    let mut batches = std::pin::pin!(storage.files().moved_aside_before(moment).chunks(BATCH));
    while let Some(batch) = batches.next().await {
        let batch: Vec<StoredFile> = batch.into_iter().collect::<Result<_>>()?;
        let looked_up = batch.clone();
        let unclaimed = read(storage, move |reader| reader.unclaimed(&looked_up)).await?;
        if read(storage, |reader| reader.files_are_kept()).await? {
            return Ok(());
        }
        for file in batch {
            match unclaimed.contains(&file) {
                true => storage.files().forget_aside(file).await?,
                false => storage.files().restore(file).await?,
            }
        }
    }
    Ok(())
}

/// Removes the unreferenced files of a batch.
async fn sweep(storage: &SystemStorage, batch: Vec<StoredFile>, moment: Timestamp) -> anyhow::Result<u64> {
    let unclaimed = read(storage, move |reader| reader.unclaimed(&batch)).await?;
    // A backup may reference files whose rows were removed since it began. This check comes after the lookup of
    // unreferenced files: a backup that begins later does not reference them.
    if unclaimed.is_empty() || read(storage, |reader| reader.files_are_kept()).await? {
        return Ok(0);
    }
    let mut removed = 0_u64;
    for file in unclaimed {
        if storage.files().remove_old(file, moment).await? {
            removed = removed.saturating_add(1);
        }
    }
    Ok(removed)
}
