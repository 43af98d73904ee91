//! Background jobs, written in the transaction that needs them and taken by one worker at a time.
//!
//! A worker that takes a job holds a lease on it, which it extends while it works. When a worker dies, the lease ends
//! and the job is taken again: a job runs at least once, so it must be idempotent. Each take counts as an attempt, and
//! only the holder of the last take can end the job.

use std::time::Duration;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Text, Timestamptz};
use quire_domain::clock::Timestamp;
use quire_domain::ids::JobId;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Result;
use crate::schema::jobs;
use crate::statement::sql_files;
use crate::system::SystemTx;
use crate::transaction::Tx;

/// Number of failed attempts after which a job is given up, unless it is periodic: with the pauses between them, about
/// five hours.
pub const ATTEMPTS: i32 = 12;
/// The first pause after a failure; it doubles with each.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);
/// Characters of an error message that are stored.
const ERROR_CHARS: usize = 2_000;

/// A job to be written.
#[derive(Clone, Debug)]
pub struct NewJob<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// Its input.
    pub payload: Value,
    /// A job is not written while another one with its key is waiting or running.
    pub key: Option<&'a str>,
    /// Time from which it can run.
    pub run_at: Timestamp,
}

/// A job that a worker holds.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = jobs, check_for_backend(Pg))]
pub struct Job {
    /// Its id.
    #[diesel(deserialize_as = Uuid)]
    pub id: JobId,
    /// Its kind.
    pub kind: String,
    /// Its input.
    pub payload: Value,
    /// The number of this attempt, from 1.
    #[diesel(column_name = attempts)]
    pub attempt: i32,
    /// The number of this take, which identifies the holder.
    taken: i32,
}

/// State of a job after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// It is tried again.
    Again {
        /// When.
        at: Timestamp,
    },
    /// It failed too often.
    GivenUp,
    /// Another worker holds it, or has ended it.
    Lost,
}

sql_files! {
    TakeJob(Timestamptz, Timestamptz, Array<Text>) -> dsl::SqlTypeOf<dsl::AsSelect<Job, Pg>> = "jobs/take.sql";
}

/// The row of a job, while its last take holds it.
#[dsl::auto_type(no_type_alias)]
fn held(job: &Job) -> _ {
    let id: Uuid = *job.id.as_uuid();
    let taken: i32 = job.taken;
    jobs::table.filter(jobs::id.eq(id)).filter(jobs::taken.eq(taken)).filter(jobs::leased_until.is_not_null())
}

impl Tx<'_> {
    /// Writes a job, which runs after this transaction commits. Returns false if a job with its key exists.
    pub(crate) fn enqueue(&mut self, job: &NewJob<'_>) -> Result<bool> {
        let written = diesel::insert_into(jobs::table)
            .values((
                jobs::id.eq(self.storage.ids().uuid()),
                jobs::kind.eq(job.kind),
                jobs::payload.eq(&job.payload),
                jobs::key.eq(job.key),
                jobs::run_at.eq(OffsetDateTime::from(job.run_at)),
                jobs::created_at.eq(OffsetDateTime::from(self.now)),
            ))
            .on_conflict(jobs::key)
            .do_nothing()
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
    pub fn enqueue(&mut self, job: &NewJob<'_>) -> Result<bool> {
        Tx::enqueue(self, job)
    }

    /// Leases the job of one of these kinds that has been due the longest. No two workers get the same job.
    pub fn take_job(&mut self, kinds: &[&str], lease: Duration) -> Result<Option<Job>> {
        let (now, until) = (OffsetDateTime::from(self.now), self.after(lease));
        Ok(TakeJob::bind((now, until, kinds)).get_result(self.connection).optional()?)
    }

    /// Extends the lease of a job to `lease` from now. Returns false if the job is no longer held.
    pub fn extend_lease(&mut self, job: &Job, lease: Duration) -> Result<bool> {
        let until = self.after(lease);
        let extended =
            diesel::update(held(job)).set(jobs::leased_until.eq(until)).execute(self.connection)?;
        Ok(extended == 1)
    }

    /// Deletes a finished job. Returns false if it is no longer held.
    pub fn finish_job(&mut self, job: &Job) -> Result<bool> {
        Ok(diesel::delete(held(job)).execute(self.connection)? == 1)
    }

    /// Schedules the next run of a finished job. Returns false if it is no longer held.
    pub fn repeat_job(&mut self, job: &Job, wait: Duration) -> Result<bool> {
        let repeated = diesel::update(held(job))
            .set((
                jobs::run_at.eq(self.after(wait)),
                jobs::attempts.eq(0),
                jobs::leased_until.eq(None::<OffsetDateTime>),
                jobs::last_error.eq(None::<String>),
            ))
            .execute(self.connection)?;
        Ok(repeated == 1)
    }

    /// Schedules another attempt of a failed job, or gives it up. An `endless` job is never given up.
    pub fn fail_job(&mut self, job: &Job, error: &str, endless: bool) -> Result<Failed> {
        // PostgreSQL stores no NUL.
        let error: String = error.chars().filter(|c| *c != '\0').take(ERROR_CHARS).collect();
        if job.attempt >= ATTEMPTS && !endless {
            let given_up = diesel::update(held(job))
                .set((
                    jobs::given_up_at.eq(OffsetDateTime::from(self.now)),
                    jobs::last_error.eq(error),
                    jobs::leased_until.eq(None::<OffsetDateTime>),
                    jobs::key.eq(None::<String>),
                ))
                .execute(self.connection)?;
            return Ok(if given_up == 1 { Failed::GivenUp } else { Failed::Lost });
        }
        let at = self.after(pause(job.attempt));
        let again = diesel::update(held(job))
            .set((
                jobs::run_at.eq(at),
                jobs::last_error.eq(error),
                jobs::leased_until.eq(None::<OffsetDateTime>),
            ))
            .execute(self.connection)?;
        Ok(if again == 1 { Failed::Again { at: crate::to_timestamp(at)? } } else { Failed::Lost })
    }
}

/// The pause after a failed attempt.
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
