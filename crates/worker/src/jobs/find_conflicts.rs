//! `find-conflicts`: notifies the authors of change requests that conflict with the space after a merge.

use quire_storage::SystemStorage;
use quire_storage::content::change_requests::MergedSpace;
use quire_storage::operations::jobs::Job;

use super::Next;
use crate::runner::{read, transact};

/// The kind of the job.
pub const KIND: &str = quire_storage::content::change_requests::CONFLICTS_JOB;

/// Compares the unmerged change requests of a space with its content. Idempotent: authors are notified once per merge
/// base.
pub async fn run(storage: &SystemStorage, job: &Job) -> anyhow::Result<Next> {
    let merged: MergedSpace = serde_json::from_value(job.payload.clone())?;
    let conflicting = read(storage, move |reader| reader.conflicting(merged.space)).await?;
    transact(storage, move |tx| tx.notify_of_conflicts(merged, &conflicting)).await?;
    Ok(Next::Done)
}
