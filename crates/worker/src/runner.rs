//! One job from lease to completion.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use quire_storage::operations::jobs::{ATTEMPTS, Failed, Job};
use quire_storage::{Error, Result, SystemReader, SystemStorage, SystemTx};

use crate::jobs::{self, Next};
use crate::{Services, lease};

/// Outcome of a queue poll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No job was due.
    Idle,
    /// A job was done.
    Done,
    /// A job failed. It is retried or given up.
    Failed(Failed),
    /// The lease was lost before the job ended, so another worker has the job.
    Lost,
}

/// Takes the next due job, runs it, and records its outcome.
///
/// # Errors
/// If the queue cannot be read or written. A job that was taken waits for its lease to expire.
pub async fn run_next(services: &Services) -> Result<Outcome> {
    run_next_of(services, jobs::KINDS).await
}

/// Like [`run_next`], for some kinds only.
pub(crate) async fn run_next_of(services: &Services, kinds: &'static [&'static str]) -> Result<Outcome> {
    let storage = &services.storage;
    let Some(job) = transact(storage, |tx| tx.take_job(kinds, lease::LENGTH)).await? else {
        return Ok(Outcome::Idle);
    };
    let result = tokio::select! {
        result = caught(run(services, &job)) => result,
        () = lease::hold(storage, &job) => {
            log::warn!("the lease on job {} ({}) was lost", job.id, job.kind);
            return Ok(Outcome::Lost);
        }
    };
    end(storage, job, result).await
}

/// Runs a job, unless so many attempts were lost that the job itself probably crashes its workers.
async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    if job.attempt > ATTEMPTS && !jobs::is_periodic(&job.kind) {
        anyhow::bail!("its worker was lost in each of {ATTEMPTS} attempts");
    }
    jobs::run(services, job).await
}

/// Runs a job and turns a panic into a failure.
async fn caught(job: impl Future<Output = anyhow::Result<Next>>) -> anyhow::Result<Next> {
    match AssertUnwindSafe(job).catch_unwind().await {
        Ok(result) => result,
        Err(panic) => anyhow::bail!("it panicked: {}", message_of(&*panic)),
    }
}

/// Returns the message of a panic.
pub(crate) fn message_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

async fn end(storage: &SystemStorage, job: Job, result: anyhow::Result<Next>) -> Result<Outcome> {
    let lost_or = |held, outcome| if held { outcome } else { Outcome::Lost };
    match result {
        Ok(Next::Done) => Ok(lost_or(transact(storage, move |tx| tx.finish_job(&job)).await?, Outcome::Done)),
        Ok(Next::RunAgainAfter(wait)) => {
            Ok(lost_or(transact(storage, move |tx| tx.repeat_job(&job, wait)).await?, Outcome::Done))
        }
        Err(error) => {
            let sentence = format!("{error:#}");
            log::error!("job {} ({}) failed in attempt {}: {sentence}", job.id, job.kind, job.attempt);
            let endless = jobs::is_periodic(&job.kind);
            let failed = transact(storage, move |tx| {
                let failed = tx.fail_job(&job, &sentence, endless)?;
                if failed == Failed::GivenUp {
                    jobs::give_up(tx, &job)?;
                }
                Ok(failed)
            });
            let failed = failed.await?;
            Ok(Outcome::Failed(failed))
        }
    }
}

/// Reads on a blocking thread.
pub(crate) async fn read<T: Send + 'static, E: From<Error> + Send + 'static>(
    storage: &SystemStorage,
    work: impl Fn(&mut SystemReader<'_>) -> std::result::Result<T, E> + Send + 'static,
) -> std::result::Result<T, E> {
    blocking(storage, move |storage| storage.read(work)).await
}

/// Runs a transaction on a blocking thread.
pub(crate) async fn transact<T: Send + 'static>(
    storage: &SystemStorage,
    work: impl FnOnce(&mut SystemTx<'_>) -> Result<T> + Send + 'static,
) -> Result<T> {
    blocking(storage, move |storage| storage.transact(work)).await
}

/// Runs CPU-intensive work on a blocking thread.
pub(crate) async fn compute<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.map_err(|error| Error::Internal("a job's thread failed", error.into()))
}

async fn blocking<T: Send + 'static, E: From<Error> + Send + 'static>(
    storage: &SystemStorage,
    work: impl FnOnce(&SystemStorage) -> std::result::Result<T, E> + Send + 'static,
) -> std::result::Result<T, E> {
    let storage = storage.clone();
    let ended = tokio::task::spawn_blocking(move || work(&storage)).await;
    ended.map_err(|error| Error::Internal("a job's thread failed", error.into()))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_panics_has_failed() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let ended = |job: fn() -> anyhow::Result<Next>| {
            runtime.block_on(caught(async move {
                tokio::task::yield_now().await;
                job()
            }))
        };
        assert_eq!(ended(|| Ok(Next::Done)).unwrap(), Next::Done);
        assert_eq!(ended(|| panic!("a mistake")).unwrap_err().to_string(), "it panicked: a mistake");
        assert_eq!(ended(|| panic!("number {}", 1)).unwrap_err().to_string(), "it panicked: number 1");
    }
}
