//! `expire-pdf`: removes a PDF when the last address returned for it has expired.

use std::time::Duration;

use quire_domain::clock::Timestamp;
use quire_storage::SystemStorage;
use quire_storage::content::files::StoredFile;
use quire_storage::operations::jobs::Job;

use super::{Next, render_pdf};
use crate::runner::{read, transact};

/// The kind of the job.
pub const KIND: &str = quire_storage::operations::pdf::EXPIRE;

/// Minimum age of bytes to remove. Another PDF with the same content may be about to reference younger ones.
const AGE: Duration = Duration::from_secs(10 * 60);
/// Remaining lifetime below which a PDF counts as expired.
const REMAINING: Duration = Duration::from_secs(1);

/// Removes the PDF of the job, or runs again when it expires.
///
/// # Errors
/// If the store or a statement fails.
pub async fn run(storage: &SystemStorage, job: &Job) -> anyhow::Result<Next> {
    let (space, id) = render_pdf::ids(&job.payload)?;
    let now = storage.clock().now();
    let expires_at = read(storage, move |reader| reader.pdf_expiry(space, id)).await?;
    if let Some(expires_at) = expires_at.filter(|expires_at| *expires_at > now) {
        return Ok(Next::RunAgainAfter(expires_at.since(now).try_into().unwrap_or(REMAINING)));
    }
    let Some(hash) = transact(storage, move |tx| tx.remove_expired_pdf(space, id)).await? else {
        return Ok(Next::Done);
    };
    let file = StoredFile { space, hash };
    let unclaimed = read(storage, move |reader| reader.unclaimed(&[file])).await?;
    // A running backup needs these bytes. The daily sweep removes them later.
    if read(storage, |reader| reader.files_are_kept()).await? {
        return Ok(Next::Done);
    }
    let age = i64::try_from(AGE.as_millis()).unwrap_or(i64::MAX);
    let moment = Timestamp::from_millis(now.millis().saturating_sub(age)).unwrap_or(now);
    for file in unclaimed {
        // Younger bytes are left to the daily sweep.
        storage.files().remove_old(file, moment).await?;
    }
    Ok(Next::Done)
}
