//! Work on the database without the types of its results.
//!
//! Each handler has closures and results of its own types. What surrounds them (permits, threads, idempotency keys, the
//! audit log, transactions) takes erased work, so that it is compiled once and not for each handler.

use std::any::Any;

use quire_storage::{Error as StorageError, Reader, Storage, Tx};

/// Value of a type that only its caller knows.
pub(crate) type Value = Box<dyn Any + Send>;

/// Error of erased work.
pub(crate) enum Failure {
    /// Error of the work, of a type that only its caller knows.
    Work(Value),
    /// Error of the storage.
    Storage(StorageError),
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

/// Result of erased work.
pub(crate) type Erased = Result<Value, Failure>;

/// Work that blocks.
pub(crate) type Work = Box<dyn FnOnce(&Storage) -> Erased + Send>;
/// Work that reads, and may run twice.
pub(crate) type ReadWork = Box<dyn Fn(&mut Reader<'_>) -> Erased + Send>;
/// Work in a transaction.
pub(crate) type TxWork = Box<dyn FnOnce(&mut Tx<'_>) -> Erased + Send>;
/// Work in a transaction, which may run several times.
pub(crate) type GroupWork = Box<dyn FnMut(&mut Tx<'_>) -> Erased + Send>;
/// Work in a transaction, with a prepared value.
pub(crate) type CommitWork = Box<dyn FnOnce(&mut Tx<'_>, Value) -> Erased + Send>;

/// Erases the types of a result.
pub(crate) fn erase<T: Send + 'static, E: Send + 'static>(result: Result<T, E>) -> Erased {
    match result {
        Ok(value) => Ok(Box::new(value)),
        Err(error) => Err(Failure::Work(Box::new(error))),
    }
}

/// Returns the result of work that was erased with these types.
pub(crate) fn restore<T: 'static, E: From<StorageError> + 'static>(result: Erased) -> Result<T, E> {
    match result {
        Ok(value) => Ok(value_of(value)?),
        Err(Failure::Work(error)) => Err(value_of(error)?),
        Err(Failure::Storage(error)) => Err(error.into()),
    }
}

/// Returns a value that was erased with this type.
pub(crate) fn value_of<T: 'static>(value: Value) -> Result<T, StorageError> {
    let unexpected =
        |_| StorageError::Internal("work on the database failed", anyhow::anyhow!("another type"));
    value.downcast().map(|value| *value).map_err(unexpected)
}
