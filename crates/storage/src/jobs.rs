//! Work that is done after the answer: written in the transaction that wants it, taken by one worker at a time.
//!
//! A worker that takes a job holds a lease on it, which it extends while it works. One that is lost lets the lease run out,
//! and the job is taken again: so a job runs at least once, and must be one that may. Each take counts as an attempt, and
//! only the holder of the last take can end the job: a worker that was thought lost changes nothing any more.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::ids::JobId;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Result;
use crate::statement::{Sql, statements, val};
use crate::system::SystemTx;
use crate::transaction::Tx;

/// A job that fails this often is given up, unless it is repeated anyway: with the pauses between, after about five hours.
pub const ATTEMPTS: i32 = 12;
/// The first pause after a failure; it doubles with each.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);
/// How much of an error's text is kept.
const ERROR_CHARS: usize = 2_000;

/// A job to be written.
#[derive(Clone, Debug)]
pub struct NewJob<'a> {
    /// What kind of work it is.
    pub kind: &'a str,
    /// What the work needs to know.
    pub payload: Value,
    /// A job with the same key is not written while one waits or runs.
    pub key: Option<&'a str>,
    /// When it may begin.
    pub run_at: Timestamp,
}

/// A job that a worker holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// What kind of work it is.
    pub kind: String,
    /// What the work needs to know.
    pub payload: Value,
    /// The number of this attempt, from 1.
    pub attempt: i32,
    /// The number of this take: no two holders have the same.
    taken: i32,
}

/// What became of a job whose work failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// It is tried again.
    Again {
        /// When.
        at: Timestamp,
    },
    /// It had failed too often.
    GivenUp,
    /// Another worker holds it by now, or has ended it.
    Lost,
}

#[derive(QueryableByName)]
struct JobRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Jsonb)]
    payload: Value,
    #[diesel(sql_type = Integer)]
    attempts: i32,
    #[diesel(sql_type = Integer)]
    taken: i32,
}

statements! {
    WriteJob = "INSERT INTO jobs (id, kind, payload, key, run_at, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
                ON CONFLICT (key) DO NOTHING";
    TakeJob = "UPDATE jobs SET leased_until = $2, attempts = attempts + 1, taken = taken + 1 WHERE id = (\
                 SELECT id FROM jobs WHERE given_up_at IS NULL AND run_at <= $1 \
                 AND (leased_until IS NULL OR leased_until <= $1) AND kind = ANY ($3) \
                 ORDER BY run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED) \
               RETURNING id, kind, payload, attempts, taken";
    ExtendLease = "UPDATE jobs SET leased_until = $3 WHERE id = $1 AND taken = $2 AND leased_until IS NOT NULL";
    FinishJob = "DELETE FROM jobs WHERE id = $1 AND taken = $2 AND leased_until IS NOT NULL";
    RepeatJob = "UPDATE jobs SET run_at = $3, attempts = 0, leased_until = NULL, last_error = NULL \
                 WHERE id = $1 AND taken = $2 AND leased_until IS NOT NULL";
    RetryJob = "UPDATE jobs SET run_at = $3, last_error = $4, leased_until = NULL \
                WHERE id = $1 AND taken = $2 AND leased_until IS NOT NULL";
    GiveUpJob = "UPDATE jobs SET given_up_at = $3, last_error = $4, leased_until = NULL, key = NULL \
                 WHERE id = $1 AND taken = $2 AND leased_until IS NOT NULL";
}

impl Tx<'_> {
    /// Writes a job, to be run when this transaction is committed; not if one with its key is there. Answers whether it was written.
    ///
    /// # Errors
    /// When the statement fails.
    pub(crate) fn enqueue(&mut self, job: &NewJob<'_>) -> Result<bool> {
        let written = WriteJob::bind((
            val::<SqlUuid, _>(self.storage.ids().uuid()),
            val::<Text, _>(job.kind),
            val::<Jsonb, _>(&job.payload),
            val::<Nullable<Text>, _>(job.key),
            val::<Timestamptz, _>(OffsetDateTime::from(job.run_at)),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        let is_written = written == 1;
        self.has_due_job |= is_written && job.run_at <= self.now();
        Ok(is_written)
    }

    fn after(&self, wait: Duration) -> OffsetDateTime {
        OffsetDateTime::from(self.now) + wait
    }
}

impl SystemTx<'_> {
    /// Writes a job. Returns false if one with its key is waiting already.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn enqueue(&mut self, job: &NewJob<'_>) -> Result<bool> {
        Tx::enqueue(self, job)
    }

    /// Takes the job of one of these kinds that is due the longest, for as long as `lease`. Two workers never get the same.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn take_job(&mut self, kinds: &[&str], lease: Duration) -> Result<Option<Job>> {
        let row: Option<JobRow> = TakeJob::bind((
            self.now_bind(),
            val::<Timestamptz, _>(self.after(lease)),
            val::<Array<Text>, _>(kinds),
        ))
        .get_result(self.connection)
        .optional()?;
        Ok(row.map(|JobRow { id, kind, payload, attempts, taken }| Job {
            id: JobId::from_uuid(id),
            kind,
            payload,
            attempt: attempts,
            taken,
        }))
    }

    /// Holds a job for `lease` from now. Answers whether it is still held.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn extend_lease(&mut self, job: &Job, lease: Duration) -> Result<bool> {
        let until = val::<Timestamptz, _>(self.after(lease));
        let held = ExtendLease::bind((id(job), take(job), until)).execute(self.connection)?;
        Ok(held == 1)
    }

    /// Ends a job that was done. Answers whether it was still held.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn finish_job(&mut self, job: &Job) -> Result<bool> {
        Ok(FinishJob::bind((id(job), take(job))).execute(self.connection)? == 1)
    }

    /// Has a job that was done wait for its next time. Answers whether it was still held.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn repeat_job(&mut self, job: &Job, wait: Duration) -> Result<bool> {
        let at = val::<Timestamptz, _>(self.after(wait));
        Ok(RepeatJob::bind((id(job), take(job), at)).execute(self.connection)? == 1)
    }

    /// Has a job that failed wait for another attempt, or gives it up. One that is `endless` is never given up.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn fail_job(&mut self, job: &Job, error: &str, endless: bool) -> Result<Failed> {
        // PostgreSQL stores no NUL.
        let error: String = error.chars().filter(|c| *c != '\0').take(ERROR_CHARS).collect();
        let error = val::<Text, _>(error);
        if job.attempt >= ATTEMPTS && !endless {
            let now = self.now_bind();
            let given_up = GiveUpJob::bind((id(job), take(job), now, error)).execute(self.connection)?;
            return Ok(if given_up == 1 { Failed::GivenUp } else { Failed::Lost });
        }
        let at = self.after(pause(job.attempt));
        let again = RetryJob::bind((id(job), take(job), val::<Timestamptz, _>(at), error))
            .execute(self.connection)?;
        Ok(if again == 1 { Failed::Again { at: crate::moment(at)? } } else { Failed::Lost })
    }
}

fn id(job: &Job) -> crate::statement::Bind<SqlUuid, Uuid> {
    val(*job.id.as_uuid())
}

fn take(job: &Job) -> crate::statement::Bind<Integer, i32> {
    val(job.taken)
}

/// How long to wait after an attempt that failed.
fn pause(attempt: i32) -> Duration {
    let doublings = u32::try_from(attempt.saturating_sub(1)).unwrap_or(0);
    2_u32
        .checked_pow(doublings)
        .and_then(|factor| FIRST_PAUSE.checked_mul(factor))
        .map_or(LONGEST_PAUSE, |pause| pause.min(LONGEST_PAUSE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_an_hour() {
        for (attempt, seconds) in
            [(0, 10), (1, 10), (2, 20), (3, 40), (9, 2_560), (10, 3_600), (i32::MAX, 3_600)]
        {
            assert_eq!(pause(attempt), Duration::from_secs(seconds), "{attempt}");
        }
    }
}
