//! Connection pool without a check on checkout. The statement that fails on a broken connection detects it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use diesel::connection::{
    AnsiTransactionManager, DebugQuery, Instrumentation, InstrumentationEvent, TransactionManager,
};
use diesel::{Connection, ConnectionError, PgConnection};
use r2d2::ManageConnection;

use crate::log_position::LogPosition;

/// Number of statements that a [`crate::Database`] has sent, without `BEGIN` and `COMMIT`.
#[derive(Clone, Debug, Default)]
pub struct StatementCounter(Arc<Sent>);

#[derive(Debug, Default)]
struct Sent {
    number: AtomicU64,
    slow: AtomicU64,
    texts: OnceLock<Mutex<Texts>>,
}

#[derive(Debug, Default)]
struct Texts {
    sent: BTreeSet<String>,
    prepared: BTreeSet<String>,
}

impl StatementCounter {
    /// Returns the number of statements so far.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.number.load(Ordering::Relaxed)
    }

    /// Returns the number of statements so far, including `BEGIN` and `COMMIT`, that took longer than
    /// [`crate::Options::slow_statement`].
    #[must_use]
    pub fn slow(&self) -> u64 {
        self.0.slow.load(Ordering::Relaxed)
    }

    /// Records the texts of statements from now on, for tests.
    pub fn keep_texts(&self) {
        self.0.texts.get_or_init(Mutex::default);
    }

    /// Removes and returns the distinct texts since [`StatementCounter::keep_texts`], without their values.
    #[must_use]
    pub fn take_texts(&self) -> BTreeSet<String> {
        self.with_texts(|texts| std::mem::take(&mut texts.sent)).unwrap_or_default()
    }

    /// Returns the texts that connections have prepared and cached since [`StatementCounter::keep_texts`]. Other
    /// statements are parsed and planned each time they are sent.
    #[must_use]
    pub fn prepared_texts(&self) -> BTreeSet<String> {
        self.with_texts(|texts| texts.prepared.clone()).unwrap_or_default()
    }

    fn with_texts<T>(&self, with: impl FnOnce(&mut Texts) -> T) -> Option<T> {
        let texts = self.0.texts.get()?;
        Some(with(&mut texts.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn count(&self, statement: &dyn DebugQuery) {
        self.0.number.fetch_add(1, Ordering::Relaxed);
        self.with_texts(|texts| texts.sent.insert(text_of(statement)));
    }

    fn note_prepared(&self, text: &str) {
        self.with_texts(|texts| texts.prepared.insert(text.to_owned()));
    }
}

/// Returns the text of a statement without its values, which diesel appends to it.
fn text_of(statement: &dyn DebugQuery) -> String {
    without_values(&statement.to_string()).to_owned()
}

fn without_values(text: &str) -> &str {
    // Split at the first occurrence, because a value may contain the same words.
    text.split_once(" -- binds: ").map_or(text, |(text, _)| text)
}

/// Counts the statements of one connection in the shared counter, and logs slow ones.
struct Counting {
    statements: StatementCounter,
    transaction_statement: bool,
    slow: Option<Duration>,
    started: Option<Instant>,
}

impl Counting {
    /// Logs the beginning of a slow statement, without its values.
    fn finish(&mut self, statement: &dyn DebugQuery) {
        let (Some(slow), Some(started)) = (self.slow, self.started.take()) else { return };
        let elapsed = started.elapsed();
        if elapsed < slow {
            return;
        }
        self.statements.0.slow.fetch_add(1, Ordering::Relaxed);
        let text = text_of(statement);
        let words: Vec<&str> = text.split_whitespace().collect();
        let text: String = words.join(" ").chars().take(SLOW_TEXT).collect();
        log::warn!("slow statement {} ms: {text}", elapsed.as_millis());
    }
}

impl Instrumentation for Counting {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        match event {
            // Diesel sends and reports each of these three as a query, too.
            InstrumentationEvent::BeginTransaction { .. }
            | InstrumentationEvent::CommitTransaction { .. }
            | InstrumentationEvent::RollbackTransaction { .. } => self.transaction_statement = true,
            InstrumentationEvent::StartQuery { query, .. } => {
                if !std::mem::take(&mut self.transaction_statement) {
                    self.statements.count(query);
                }
                self.started = self.slow.map(|_| Instant::now());
            }
            InstrumentationEvent::FinishQuery { query, .. } => self.finish(query),
            InstrumentationEvent::CacheQuery { sql, .. } => self.statements.note_prepared(sql),
            _ => {}
        }
    }
}

/// Maximum length of the logged text of a slow statement, in characters.
const SLOW_TEXT: usize = 1_000;
/// Maximum pause between attempts to open a connection, so that a node notices soon that the database is back.
const RETRY_PAUSE: Duration = Duration::from_millis(250);
/// Minimum pause between log lines of failed attempts.
const LOG_PAUSE: Duration = Duration::from_secs(1);

/// Pooled connection.
pub(crate) struct Pooled {
    pub(crate) connection: PgConnection,
    /// `true` if a statement has found the connection broken.
    pub(crate) broken: bool,
    /// On a replica, the last known replay position.
    pub(crate) replayed: LogPosition,
}

/// Options of the connection pools of a database.
pub(crate) struct PoolOptions {
    /// Maximum number of connections.
    pub(crate) size: u32,
    pub(crate) statements: StatementCounter,
    /// Duration from which a statement is logged.
    pub(crate) slow: Option<Duration>,
}

/// Opens the pool's connections.
pub(crate) struct Manager {
    url: String,
    statements: StatementCounter,
    slow: Option<Duration>,
}

impl ManageConnection for Manager {
    type Connection = Pooled;
    type Error = ConnectionError;

    fn connect(&self) -> Result<Pooled, ConnectionError> {
        let mut connection = PgConnection::establish(&self.url)?;
        crate::session::prepare(&mut connection).map_err(ConnectionError::CouldntSetupConfiguration)?;
        connection.set_instrumentation(Counting {
            statements: self.statements.clone(),
            transaction_statement: false,
            slow: self.slow,
            started: None,
        });
        Ok(Pooled { connection, broken: false, replayed: LogPosition::default() })
    }

    fn is_valid(&self, _: &mut Pooled) -> Result<(), ConnectionError> {
        Ok(())
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        // A panic leaves the transaction open. The next user of the connection would write into it and never commit.
        pooled.broken
            || std::thread::panicking()
            || AnsiTransactionManager::is_broken_transaction_manager(&mut pooled.connection)
    }
}

/// Logger of connection failures, at most once a second.
#[derive(Debug, Default)]
struct LogFailures(Mutex<Option<Instant>>);

impl<E: std::error::Error> r2d2::HandleError<E> for LogFailures {
    fn handle_error(&self, error: E) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= LOG_PAUSE) {
            *last = Some(Instant::now());
            log::error!("can't connect to the database: {error}");
        }
    }
}

/// Creates a pool that opens connections on demand. The checkout timeout is an argument of `get_timeout`.
pub(crate) fn open(url: &str, options: &PoolOptions) -> r2d2::Pool<Manager> {
    r2d2::Pool::builder()
        .max_size(options.size.max(1))
        .min_idle(Some(1))
        // r2d2 doubles its pause after each failure, up to half of this value.
        .connection_timeout(RETRY_PAUSE.saturating_mul(2))
        .test_on_check_out(false)
        .error_handler(Box::new(LogFailures::default()))
        .build_unchecked(Manager {
            url: url.to_owned(),
            statements: options.statements.clone(),
            slow: options.slow,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_of_a_statement_is_shown() {
        let text = r#"SELECT 1 WHERE $1 = $2 -- binds: ["secret -- binds: ", "other"]"#;
        assert_eq!(without_values(text), "SELECT 1 WHERE $1 = $2");
        assert_eq!(without_values("COMMIT"), "COMMIT");
    }
}
