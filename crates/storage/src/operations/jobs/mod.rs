//! Background jobs, written in the transaction that needs them. One worker at a time takes a job.
//!
//! A worker that takes a job leases it, and extends the lease while it works. If the worker dies, the lease ends and
//! the job is taken again: a job runs at least once, so it must be idempotent. Each take counts as an attempt, and only
//! the holder of the last take can end the job.
//!
//! Leases, run times and webhook deliveries use the clock of the database, so that nodes with different clocks agree.

use std::time::Duration;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::functions::coalesce;
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::ids::JobId;
use serde_json::Value;
use time::OffsetDateTime;

use crate::Result;
use crate::schema::jobs;
use crate::system::{SystemReader, SystemTx};
use crate::transaction::{Reader, Tx};

/// Number of failed attempts after which a job is given up, unless it is periodic. With the pauses between them, this
/// takes about five hours.
pub const ATTEMPTS: i32 = 12;
/// First pause after a failure. It doubles with each failure.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
/// Maximum pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);
/// Maximum stored length of an error message in characters.
const ERROR_CHARS: usize = 2_000;

/// Job leased by a worker.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = jobs, check_for_backend(Pg))]
pub struct Job {
    /// Id.
    pub id: JobId,
    /// Kind.
    pub kind: String,
    /// Input.
    pub payload: Value,
    /// Number of this attempt, from 1.
    #[diesel(column_name = attempts)]
    pub attempt: i32,
    /// Number of this take, which identifies the holder.
    taken: i32,
}

/// State of a job after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The job will be retried.
    Again {
        /// Time of the next attempt.
        at: Timestamp,
    },
    /// The job failed too often.
    GivenUp,
    /// Another worker holds the job, or has ended it.
    Lost,
}

/// Kinds of work that are due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DueWork {
    /// For each group of kinds, `true` if a job is due.
    pub jobs: [bool; 2],
    /// `true` if a webhook delivery is due.
    pub deliveries: bool,
}

sql_files! {
    FindDueWork(Nullable<Timestamptz>, Array<Text>, Array<Text>) -> (Bool, Bool, Bool) = "due.sql";
    TakeJob(Nullable<Timestamptz>, BigInt, Array<Text>) -> dsl::SqlTypeOf<dsl::AsSelect<Job, Pg>>
        = "take.sql";
    EnqueueJob(SqlUuid, Text, Jsonb, Nullable<Text>, Nullable<Timestamptz>, BigInt) = "enqueue.sql";
    ExtendLease(SqlUuid, Integer, Nullable<Timestamptz>, BigInt) = "extend.sql";
    RescheduleJob(SqlUuid, Integer, Nullable<Timestamptz>, BigInt, Nullable<Text>) -> (Timestamptz,)
        = "reschedule.sql";
}

/// Returns the query for the row of a job, while its last take holds it.
#[dsl::auto_type(no_type_alias)]
fn held(job: &Job) -> _ {
    let id: JobId = job.id;
    let taken: i32 = job.taken;
    jobs::table.filter(jobs::id.eq(id)).filter(jobs::taken.eq(taken)).filter(jobs::leased_until.is_not_null())
}

impl Reader<'_> {
    /// Returns the time for leases; `None` for the time of the database.
    pub(crate) fn lease_time(&self) -> Option<OffsetDateTime> {
        self.storage.clock().instead_of_database().map(OffsetDateTime::from)
    }
}

/// Bound time, or null.
type GivenTime = dsl::AsExprOf<Option<OffsetDateTime>, Nullable<Timestamptz>>;
/// Time of the database at the start of the transaction.
type DatabaseTime = dsl::Nullable<dsl::AsExprOf<dsl::now, Timestamptz>>;

/// Returns the time of leases and schedules, which all nodes share: the time of the database, or `instead`.
pub(crate) fn shared_time(
    instead: Option<OffsetDateTime>,
) -> dsl::AssumeNotNull<coalesce<Timestamptz, GivenTime, DatabaseTime>> {
    let given = instead.into_sql::<Nullable<Timestamptz>>();
    coalesce(given, dsl::now.into_sql::<Timestamptz>().nullable()).assume_not_null()
}

impl SystemReader<'_> {
    /// Returns whether jobs of two groups of kinds, and webhook deliveries, are due. Takes one statement, without
    /// locks.
    pub fn due_work(&mut self, kinds: [&[&str]; 2]) -> Result<DueWork> {
        let [first, second] = kinds;
        let due = FindDueWork::bind((self.lease_time(), first, second)).get_result(self.connection)?;
        let (first, second, deliveries): (bool, bool, bool) = due;
        Ok(DueWork { jobs: [first, second], deliveries })
    }
}

impl Tx<'_> {
    /// Writes a job, which can run from `run_at` on, once this transaction has committed. Returns `false`, and writes
    /// nothing, if a job with the same key is queued or running.
    pub(crate) fn enqueue(
        &mut self,
        kind: &str,
        payload: Value,
        key: Option<&str>,
        run_at: Timestamp,
    ) -> Result<bool> {
        let id = self.storage.ids().uuid();
        let wait = run_at.millis().saturating_sub(self.now.millis());
        let time = self.lease_time();
        let written = EnqueueJob::bind((id, kind, payload, key, time, wait)).execute(self.connection)?;
        let is_written = written == 1;
        self.after.has_due_job |= is_written && run_at <= self.now();
        Ok(is_written)
    }

    /// Ends the lease on a job and schedules its next run. Returns the time of that run; `None` if the job is no longer
    /// held.
    fn reschedule(
        &mut self,
        job: &Job,
        wait: Duration,
        error: Option<&str>,
    ) -> Result<Option<OffsetDateTime>> {
        let (id, time) = (job.id, self.lease_time());
        let rescheduled = RescheduleJob::bind((id, job.taken, time, millis(wait), error));
        Ok(rescheduled.get_result(self.connection).optional()?.map(|(run_at,)| run_at))
    }
}

impl SystemTx<'_> {
    /// Writes a job. Returns `false` if a job with its key is already queued or running.
    pub fn enqueue(
        &mut self,
        kind: &str,
        payload: Value,
        key: Option<&str>,
        run_at: Timestamp,
    ) -> Result<bool> {
        Tx::enqueue(self, kind, payload, key, run_at)
    }

    /// Leases the job of one of these kinds that has been due the longest. No two workers get the same job.
    pub fn take_job(&mut self, kinds: &[&str], lease: Duration) -> Result<Option<Job>> {
        let time = self.lease_time();
        Ok(TakeJob::bind((time, millis(lease), kinds)).get_result(self.connection).optional()?)
    }

    /// Extends the lease of a job to `lease` from now. Returns `false` if the job is no longer held.
    pub fn extend_lease(&mut self, job: &Job, lease: Duration) -> Result<bool> {
        let (id, time) = (job.id, self.lease_time());
        Ok(ExtendLease::bind((id, job.taken, time, millis(lease))).execute(self.connection)? == 1)
    }

    /// Deletes a finished job. Returns `false` if it is no longer held.
    pub fn finish_job(&mut self, job: &Job) -> Result<bool> {
        Ok(diesel::delete(held(job)).execute(self.connection)? == 1)
    }

    /// Schedules the next run of a finished job. Returns `false` if it is no longer held.
    pub fn repeat_job(&mut self, job: &Job, wait: Duration) -> Result<bool> {
        Ok(self.reschedule(job, wait, None)?.is_some())
    }

    /// Schedules another attempt of a failed job, or gives it up. An `endless` job is never given up.
    pub fn fail_job(&mut self, job: &Job, error: &str, endless: bool) -> Result<Failed> {
        // PostgreSQL stores no NUL.
        let error: String = error.chars().filter(|c| *c != '\0').take(ERROR_CHARS).collect();
        if job.attempt >= ATTEMPTS && !endless {
            let given_up = diesel::update(held(job))
                .set((
                    jobs::given_up_at.eq(self.now),
                    jobs::last_error.eq(error),
                    jobs::leased_until.eq(None::<OffsetDateTime>),
                    jobs::key.eq(None::<String>),
                ))
                .execute(self.connection)?;
            return Ok(if given_up == 1 { Failed::GivenUp } else { Failed::Lost });
        }
        Ok(match self.reschedule(job, pause(job.attempt), Some(&error))? {
            Some(at) => Failed::Again { at: crate::to_timestamp(at)? },
            None => Failed::Lost,
        })
    }
}

pub(crate) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Returns the pause after a failed attempt.
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
