//! Errors between a request and the database.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind};
use quire_domain::bounded::OutOfBounds;
use quire_domain::error::{Failure, Reason, Refusal};
use quire_domain::policy::Action;

/// Errors of database work and of stored state.
///
/// The first five are errors of the client. [`Error::Unavailable`], [`Error::StoreUnavailable`], [`Error::Indexing`]
/// and [`Error::Outdated`] are transient. The others are server faults.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The token is unknown, expired or revoked.
    #[error("the token is not valid")]
    Unauthenticated,
    /// The resource does not exist or is not visible to the actor. The two cases are not distinguished.
    #[error("the resource does not exist")]
    NotFound,
    /// The resource is visible, but the actor's role or token does not allow the action.
    #[error("{action:?} is not allowed")]
    Forbidden {
        /// Refused action.
        action: Action,
    },
    /// The request breaks a rule of state or input.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Content refers to an OpenAPI specification that its author may not read or that does not exist. The two cases
    /// are not distinguished.
    #[error("there is no OpenAPI specification `{name}`")]
    UnknownSpec {
        /// Name of the specification in the content.
        name: String,
    },
    /// The database is unreachable or has no free connection. The same request may succeed later.
    #[error("the database is unavailable")]
    Unavailable(#[source] anyhow::Error),
    /// The file store failed or is full. The same request may succeed later.
    #[error("the file store is unavailable")]
    StoreUnavailable(#[source] anyhow::Error),
    /// The search index of this node is damaged and is being rebuilt.
    #[error("the search index is being built: {done} of {total} pages")]
    Indexing {
        /// Number of pages indexed so far.
        done: u64,
        /// Number of pages to index.
        total: u64,
    },
    /// Content changed after work on it was drafted, so the draft is no longer valid. The work can be drafted again
    /// ([`commit_draft`](crate::optimistic::commit_draft)).
    #[error("the content was changed by others while the write was prepared")]
    Outdated,
    /// A statement failed.
    #[error("a statement failed")]
    Database(#[source] diesel::result::Error),
    /// Stored data is inconsistent, or an internal component failed.
    #[error("{0}")]
    Internal(&'static str, #[source] anyhow::Error),
}

impl Error {
    /// Returns a refusal with its own message.
    pub fn refused(reason: Reason, message: impl Into<String>) -> Self {
        Self::Refused(Refusal::new(reason).with_message(message))
    }

    /// Returns the error of a request that a full queue refuses, or that waited too long for its turn.
    #[must_use]
    pub fn overloaded() -> Self {
        Self::refused(Reason::Unavailable, "The service is overloaded. Retry later.")
    }

    /// Returns the error for invalid stored data: a bug or a damaged database.
    pub fn corrupt(what: &'static str, cause: impl Into<anyhow::Error>) -> Self {
        Self::Internal(what, cause.into())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Unauthenticated => Refusal::new(Reason::Unauthenticated).into(),
            Error::NotFound => Refusal::new(Reason::NotFound).into(),
            Error::Forbidden { .. } => Refusal::new(Reason::Forbidden).into(),
            Error::Refused(refusal) => refusal.into(),
            Error::UnknownSpec { .. } => {
                let message = format!("The content is not valid: {error}.");
                Refusal::new(Reason::InvalidContent).with_message(message).into()
            }
            Error::Unavailable(_) => Self::Unavailable(Refusal::new(Reason::Unavailable), error.into()),
            Error::StoreUnavailable(_) => {
                let refusal = Refusal::new(Reason::Unavailable);
                let refusal = refusal.with_message("The file store is unavailable. Try again later.");
                Self::Unavailable(refusal, error.into())
            }
            Error::Outdated => {
                let refusal = Refusal::new(Reason::Unavailable);
                let refusal = refusal.with_message("The content keeps changing. Try again.");
                Self::Unavailable(refusal, error.into())
            }
            Error::Indexing { done, total } => {
                let refusal = Refusal::new(Reason::Unavailable);
                let message =
                    format!("The search index is being built: {done} of {total} pages. Try again later.");
                Self::Unavailable(refusal.with_message(message), error.into())
            }
            Error::Database(_) | Error::Internal(..) => Self::Fault(error.into()),
        }
    }
}

impl From<OutOfBounds> for Error {
    fn from(error: OutOfBounds) -> Self {
        Self::Refused(error.into())
    }
}

impl From<diesel::result::Error> for Error {
    fn from(error: diesel::result::Error) -> Self {
        if is_transient(&error) { Self::Unavailable(error.into()) } else { Self::Database(error) }
    }
}

/// Returns whether the same statement may succeed later: on another server or connection, with less contention or more
/// free resources.
fn is_transient(error: &diesel::result::Error) -> bool {
    use DatabaseErrorKind::{ClosedConnection, UnableToSendCommand};
    match error {
        diesel::result::Error::DatabaseError(ClosedConnection | UnableToSendCommand, _)
        | diesel::result::Error::BrokenTransactionManager => true,
        // Every server error has a SQLSTATE. Errors of libpq have none: they mean that the connection was lost.
        diesel::result::Error::DatabaseError(_, about) => sqlstate(&**about).is_none_or(is_transient_code),
        diesel::result::Error::RollbackErrorOnCommit { commit_error, .. } => is_transient(commit_error),
        _ => false,
    }
}

/// Returns the SQLSTATE of a server error. The patched `pq-sys` returns it in place of the hint
/// (`docs/adr/0015-sqlstate.md`).
fn sqlstate(about: &(dyn DatabaseErrorInformation + Send + Sync)) -> Option<&str> {
    about.hint()
}

/// Returns whether errors with this SQLSTATE are transient.
fn is_transient_code(code: &str) -> bool {
    match code {
        // Serialization failure, deadlock, lock not available, statement timeout, read-only standby.
        "40001" | "40P01" | "55P03" | "57014" | "25006" => true,
        // Connection errors, and exhausted server resources: memory, disk, connection slots.
        _ => ["08", "53", "57P0"].iter().any(|class| code.starts_with(class)),
    }
}

/// Returns the name of the unique or foreign key that a statement violated.
#[must_use]
pub fn violated_key(error: &diesel::result::Error) -> Option<&str> {
    use DatabaseErrorKind::{ForeignKeyViolation, UniqueViolation};
    match error {
        diesel::result::Error::DatabaseError(UniqueViolation | ForeignKeyViolation, about) => {
            about.constraint_name()
        }
        _ => None,
    }
}

/// Result of database work.
pub type Result<T> = std::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    use diesel::result::Error as Failure;

    use super::*;

    #[test]
    fn errors_without_a_sqlstate_are_lost_connections() {
        let lost = |kind, text: &str| Failure::DatabaseError(kind, Box::new(text.to_owned()));
        for text in [
            "server closed the connection unexpectedly",
            "SSL connection has been closed unexpectedly",
            "could not receive data from server: Connection reset by peer",
        ] {
            assert!(is_transient(&lost(DatabaseErrorKind::Unknown, text)), "{text}");
        }
        assert!(is_transient(&Failure::BrokenTransactionManager));
        let failed = || Box::new(lost(DatabaseErrorKind::Unknown, "no connection to the server"));
        assert!(is_transient(&Failure::RollbackErrorOnCommit {
            rollback_error: failed(),
            commit_error: failed()
        }));
        assert!(!is_transient(&Failure::NotFound));
    }
}
