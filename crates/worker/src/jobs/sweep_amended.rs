//! `sweep-amended`: removes revisions of a change request that later saves replaced more than an hour ago.

use std::time::Duration;

use anyhow::Context as _;
use quire_domain::ids::{ChangeRequestId, SpaceId};
use quire_storage::SystemStorage;
use quire_storage::operations::jobs::Job;
use serde_json::Value;

use super::Next;
use crate::runner::{read, transact};

/// The kind of the job.
pub const KIND: &str = quire_storage::content::store::SWEEP_AMENDED;

/// Interval between two runs while amended revisions remain.
const EVERY: Duration = Duration::from_secs(10 * 60);

/// Sweeps once. Idempotent, also with concurrent workers.
pub async fn run(storage: &SystemStorage, job: &Job) -> anyhow::Result<Next> {
    let text =
        |name: &str| job.payload.get(name).and_then(Value::as_str).context("the job names no change request");
    let (space, id): (SpaceId, ChangeRequestId) = (text("space")?.parse()?, text("changeRequest")?.parse()?);
    let sweep = read(storage, move |reader| reader.amended_sweep(space, id)).await?;
    match transact(storage, move |tx| tx.sweep_amended(space, id, sweep)).await? {
        true => Ok(Next::RunAgainAfter(EVERY)),
        false => Ok(Next::Done),
    }
}
