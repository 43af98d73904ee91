//! Connections: a pool without a check-out ping, whose broken connections are found by the statement that fails on them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use diesel::connection::{
    AnsiTransactionManager, DebugQuery, Instrumentation, InstrumentationEvent, SimpleConnection,
    TransactionManager,
};
use diesel::{Connection, ConnectionError, PgConnection};
use r2d2::ManageConnection;

/// Number of statements that a [`crate::Storage`] has sent, without `BEGIN` and `COMMIT`.
#[derive(Clone, Debug, Default)]
pub struct StatementCounter(Arc<Sent>);

#[derive(Debug, Default)]
struct Sent {
    number: AtomicU64,
    texts: OnceLock<Mutex<BTreeSet<String>>>,
}

impl StatementCounter {
    /// The number so far.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.number.load(Ordering::Relaxed)
    }

    /// Keeps the texts of statements from now on, for tests of what is sent.
    pub fn keep_texts(&self) {
        self.0.texts.get_or_init(Mutex::default);
    }

    /// Removes and returns the different texts since [`StatementCounter::keep_texts`], without their values.
    #[must_use]
    pub fn take_texts(&self) -> BTreeSet<String> {
        let Some(texts) = self.0.texts.get() else { return BTreeSet::new() };
        std::mem::take(&mut *texts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn count(&self, statement: &dyn DebugQuery) {
        self.0.number.fetch_add(1, Ordering::Relaxed);
        if let Some(texts) = self.0.texts.get() {
            let text = statement.to_string();
            let text = text.rsplit_once(" -- binds: ").map_or(&*text, |(text, _)| text);
            texts.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned());
        }
    }
}

/// Counts one connection's statements into the shared counter.
struct Counting {
    statements: StatementCounter,
    transaction_statement: bool,
}

impl Instrumentation for Counting {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        match event {
            // Each of the three is itself sent, and reported, as a query.
            InstrumentationEvent::BeginTransaction { .. }
            | InstrumentationEvent::CommitTransaction { .. }
            | InstrumentationEvent::RollbackTransaction { .. } => self.transaction_statement = true,
            InstrumentationEvent::StartQuery { .. } if self.transaction_statement => {
                self.transaction_statement = false
            }
            InstrumentationEvent::StartQuery { query, .. } => self.statements.count(query),
            _ => {}
        }
    }
}

/// A pooled connection and whether a statement has found it broken.
pub(crate) struct Pooled {
    pub(crate) connection: PgConnection,
    pub(crate) broken: bool,
}

/// Opens the pool's connections.
pub(crate) struct Manager {
    url: String,
    statements: StatementCounter,
}

impl ManageConnection for Manager {
    type Connection = Pooled;
    type Error = ConnectionError;

    fn connect(&self) -> Result<Pooled, ConnectionError> {
        let mut connection = PgConnection::establish(&self.url)?;
        // A statement that runs away, or waits for others, must not hold one of the few connections for ever.
        connection
            .batch_execute(
                "SET statement_timeout = '60s'; SET lock_timeout = '30s'; SET idle_in_transaction_session_timeout = '60s'; SET timezone = 'UTC'",
            )
            .map_err(ConnectionError::CouldntSetupConfiguration)?;
        connection.set_instrumentation(Counting {
            statements: self.statements.clone(),
            transaction_statement: false,
        });
        Ok(Pooled { connection, broken: false })
    }

    fn is_valid(&self, _: &mut Pooled) -> Result<(), ConnectionError> {
        Ok(())
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        // Work that panics leaves its transaction open; the next user of the connection would write into it and never commit.
        pooled.broken
            || std::thread::panicking()
            || AnsiTransactionManager::is_broken_transaction_manager(&mut pooled.connection)
    }
}

/// A pool of at most `size` connections, opened as they are needed; a check-out waits at most `wait`.
pub(crate) fn open(
    url: &str,
    size: u32,
    wait: Duration,
    statements: StatementCounter,
) -> r2d2::Pool<Manager> {
    r2d2::Pool::builder()
        .max_size(size.max(1))
        .min_idle(Some(1))
        .connection_timeout(wait)
        .test_on_check_out(false)
        .error_handler(Box::new(r2d2::LoggingErrorHandler))
        .build_unchecked(Manager { url: url.to_owned(), statements })
}
