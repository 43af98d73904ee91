//! Work that is done after the answer: written in the transaction that wants it, taken by one worker at a time.
//!
//! A worker that takes a job holds a lease on it, which it extends while it works. One that is lost lets the lease run out,
//! and the job is taken again: so a job runs at least once, and must be one that may. Each take counts as an attempt, and
//! only the holder of the last take can end the job: a worker that was thought lost changes nothing any more.

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
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = jobs, check_for_backend(Pg))]
pub struct Job {
    /// Its id.
    #[diesel(deserialize_as = Uuid)]
    pub id: JobId,
    /// What kind of work it is.
    pub kind: String,
    /// What the work needs to know.
    pub payload: Value,
    /// The number of this attempt, from 1.
    #[diesel(column_name = attempts)]
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
    /// Writes a job, to be run when this transaction is committed; not if one with its key is there. Answers whether it was written.
    ///
    /// # Errors
    /// When the statement fails.
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
        let (now, until) = (OffsetDateTime::from(self.now), self.after(lease));
        Ok(TakeJob::bind((now, until, kinds)).get_result(self.connection).optional()?)
    }

    /// Holds a job for `lease` from now. Answers whether it is still held.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn extend_lease(&mut self, job: &Job, lease: Duration) -> Result<bool> {
        let until = self.after(lease);
        let extended =
            diesel::update(held(job)).set(jobs::leased_until.eq(until)).execute(self.connection)?;
        Ok(extended == 1)
    }

    /// Ends a job that was done. Answers whether it was still held.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn finish_job(&mut self, job: &Job) -> Result<bool> {
        Ok(diesel::delete(held(job)).execute(self.connection)? == 1)
    }

    /// Has a job that was done wait for its next time. Answers whether it was still held.
    ///
    /// # Errors
    /// When the statement fails.
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

    /// Has a job that failed wait for another attempt, or gives it up. One that is `endless` is never given up.
    ///
    /// # Errors
    /// When the statement fails.
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
        Ok(if again == 1 { Failed::Again { at: crate::moment(at)? } } else { Failed::Lost })
    }
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
