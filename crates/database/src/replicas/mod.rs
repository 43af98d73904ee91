//! Reads on standbys of the database ([decision 22](../../../../docs/adr/0022-read-replicas.md)).
//!
//! A read runs on a replica that has replayed everything committed until a second ago and everything that its caller
//! has seen; otherwise it runs on the primary. Both bounds are positions of the write-ahead log: a thread asks the
//! primary for its position five times a second, and each write records the position after its COMMIT for its caller. A
//! connection to a replica caches its replay position, which only grows, and asks the server again when the cached
//! position is too small.

mod route;
mod samples;
mod seen;
mod watch;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::sql_types::BigInt;

pub use route::{ReadRoute, Server};

use crate::credentials::Credentials;
use crate::log_position::LogPosition;
use crate::pool::{Manager, PoolOptions, Pooled};
use crate::sql_files;
use samples::Samples;
use seen::Seen;
pub(crate) use watch::watch;

/// Maximum wait for a connection to a replica, after which the read goes to the primary.
const CONNECTION_WAIT: Duration = Duration::from_millis(250);
/// Time for which a replica without a free connection is not tried again.
const DOWN: Duration = Duration::from_secs(1);
/// Time for which a lagging replica is not tried again.
const BEHIND: Duration = Duration::from_millis(50);

sql_files! {
    Written() -> BigInt = "written.sql";
    Replayed() -> BigInt = "replayed.sql";
}

/// Numbers of reads by server since the start. Both are 0 without replicas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// Reads on a replica.
    pub replica: u64,
    /// Reads on the primary that an up-to-date replica could have served.
    pub primary: u64,
}

/// Work on the primary on behalf of reads on replicas. It runs a few times a second.
pub type OnPrimary = Box<dyn Fn(&mut PgConnection) -> QueryResult<()> + Send + Sync>;

/// Replicas of the database and their known positions.
pub struct Replicas {
    replicas: Vec<Replica>,
    next: AtomicUsize,
    seen: Seen,
    samples: Samples,
    on_primary: OnPrimary,
    /// Position after the last COMMIT of this process.
    committed: AtomicU64,
    replica_reads: AtomicU64,
    primary_reads: AtomicU64,
}

struct Replica {
    pool: r2d2::Pool<Manager>,
    not_before: Mutex<Option<Instant>>,
}

impl Replica {
    fn is_asked(&self, now: Instant) -> bool {
        self.not_before.lock().unwrap_or_else(PoisonError::into_inner).is_none_or(|time| time <= now)
    }

    fn rest(&self, pause: Duration) {
        *self.not_before.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + pause);
    }
}

/// Positions that a replica must have replayed for a read.
#[derive(Clone, Copy)]
struct Needs {
    /// Position of everything that the callers have seen.
    seen: LogPosition,
    /// Position of everything committed until [`samples::MAX_LAG`] ago.
    recent: LogPosition,
}

/// Connection to a replica that has replayed what a read needs.
pub(crate) struct OnReplica {
    pub(crate) pooled: r2d2::PooledConnection<Manager>,
    pub(crate) server: Server,
}

impl Replicas {
    /// Opens pools for the replicas at `urls`; `None` if there are none.
    pub(crate) fn open(urls: &[String], options: &PoolOptions, on_primary: OnPrimary) -> Option<Self> {
        let open =
            |url: &String| Replica { pool: crate::pool::open(url, options), not_before: Mutex::new(None) };
        (!urls.is_empty()).then(|| Self {
            replicas: urls.iter().map(open).collect(),
            next: AtomicUsize::default(),
            seen: Seen::default(),
            samples: Samples::default(),
            on_primary,
            committed: AtomicU64::default(),
            replica_reads: AtomicU64::default(),
            primary_reads: AtomicU64::default(),
        })
    }

    /// Returns a connection to a replica that meets the needs of the callers and fits the route of the request; `None`
    /// if the read must run on the primary.
    pub(crate) fn connection<'a>(
        &self,
        route: &ReadRoute,
        callers: impl Iterator<Item = &'a Credentials>,
    ) -> Option<OnReplica> {
        let server = route.server();
        if server == Some(Server::Primary) {
            return None;
        }
        let found = self.needs(callers).and_then(|needs| match server {
            Some(Server::Replica(number)) => self.on(number, needs),
            _ => self.on_any(needs),
        });
        let count = if found.is_some() { &self.replica_reads } else { &self.primary_reads };
        count.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Returns the positions that reads of the callers need; `None` if unknown.
    fn needs<'a>(&self, callers: impl Iterator<Item = &'a Credentials>) -> Option<Needs> {
        let now = Instant::now();
        let seen = callers.filter_map(|caller| self.seen.of(caller, now)).max().unwrap_or_default();
        Some(Needs { seen, recent: self.samples.required(now)? })
    }

    fn on_any(&self, needs: Needs) -> Option<OnReplica> {
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let count = self.replicas.len();
        (0..count).find_map(|turn| self.on(first.wrapping_add(turn).checked_rem(count)?, needs))
    }

    /// Returns a connection to one replica if it has replayed what a read needs.
    #[expect(clippy::disallowed_methods, reason = "this is the door to replicas, whose wait is short")]
    fn on(&self, number: usize, needs: Needs) -> Option<OnReplica> {
        let replica = self.replicas.get(number).filter(|replica| replica.is_asked(Instant::now()))?;
        let Ok(mut pooled) = replica.pool.get_timeout(CONNECTION_WAIT) else {
            replica.rest(DOWN);
            return None;
        };
        if pooled.replayed < needs.seen.max(needs.recent) {
            match replayed(&mut pooled.connection) {
                Ok(position) => pooled.replayed = position,
                Err(error) => {
                    log::debug!("replica {number} does not answer: {error}");
                    pooled.broken = true;
                    return None;
                }
            }
        }
        if pooled.replayed < needs.recent {
            replica.rest(BEHIND);
        }
        (pooled.replayed >= needs.seen.max(needs.recent))
            .then_some(OnReplica { pooled, server: Server::Replica(number) })
    }

    /// Records the position after a COMMIT. If it is unknown, all reads go to the primary.
    pub(crate) fn note_commit(&self, pooled: &mut Pooled) {
        let position = written(&mut pooled.connection).unwrap_or_else(|error| {
            log::warn!("the position after a COMMIT is unknown: {error}");
            pooled.broken = true;
            LogPosition::UNREACHABLE
        });
        if position == LogPosition::UNREACHABLE {
            // This affects only current callers; the next COMMIT has a position again.
            self.committed.store(position.bytes(), Ordering::Relaxed);
        } else {
            let later = |known: u64| {
                let replaces = known == LogPosition::UNREACHABLE.bytes() || known < position.bytes();
                replaces.then_some(position.bytes())
            };
            let _ = self.committed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, later);
        }
    }

    /// Returns the position after the last COMMIT of this process.
    #[must_use]
    pub fn committed(&self) -> LogPosition {
        LogPosition::new(self.committed.load(Ordering::Relaxed))
    }

    /// Records that a caller has seen everything committed up to a position.
    pub fn note_seen(&self, caller: &Credentials, position: LogPosition) {
        // Callers without a token share their credentials, so one of them could send the others to the primary.
        if !caller.is_anonymous() {
            self.seen.note(caller, position, Instant::now());
        }
    }

    /// Returns whether a caller has recently seen a position.
    #[must_use]
    pub fn has_seen(&self, caller: &Credentials) -> bool {
        self.seen.of(caller, Instant::now()).is_some()
    }

    /// Returns the numbers of reads that were eligible for replicas.
    #[must_use]
    pub fn counts(&self) -> ReadCounts {
        let get = |count: &AtomicU64| count.load(Ordering::Relaxed);
        ReadCounts { replica: get(&self.replica_reads), primary: get(&self.primary_reads) }
    }
}

fn written(primary: &mut PgConnection) -> QueryResult<LogPosition> {
    position_of(Written::bind(()).get_result(primary))
}

fn replayed(replica: &mut PgConnection) -> QueryResult<LogPosition> {
    position_of(Replayed::bind(()).get_result(replica))
}

fn position_of(bytes: QueryResult<i64>) -> QueryResult<LogPosition> {
    Ok(LogPosition::new(u64::try_from(bytes?).unwrap_or_default()))
}
