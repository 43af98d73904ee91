//! Failures between a request and the database.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind};
use quire_domain::bounded::OutOfBounds;
use quire_domain::error::{Failure, Reason, Refusal};
use quire_domain::policy::Action;

/// Errors of work on the database, and of the state that it keeps.
///
/// The first four are errors of the client. [`Error::Unavailable`], [`Error::StoreUnavailable`] and [`Error::Outdated`]
/// are transient. The rest are faults of the server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The token is unknown, expired or revoked.
    #[error("the token is not valid")]
    Unauthenticated,
    /// Absent, or not visible to the actor: the two are never distinguished.
    #[error("there is no such thing")]
    NotFound,
    /// Visible, but the actor's role or token doesn't allow the action.
    #[error("{action:?} is not allowed")]
    Forbidden {
        /// Reason of the refusal.
        action: Action,
    },
    /// A rule of state or of input that the request breaks.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Content names an OpenAPI specification that its writer may not read or that doesn't exist. The two are not
    /// distinguished.
    #[error("there is no OpenAPI specification `{name}`")]
    UnknownSpec {
        /// The name that the content has for it.
        name: String,
    },
    /// The database is away or has no connection to spare; the same request may succeed later.
    #[error("the database is unavailable")]
    Unavailable(#[source] anyhow::Error),
    /// The store of file bytes failed, or has no room; the same request may succeed later.
    #[error("the file store is unavailable")]
    StoreUnavailable(#[source] anyhow::Error),
    /// The search index of this node is damaged and is made again.
    #[error("the search index is being built: {done} of {total} pages")]
    Indexing {
        /// Pages indexed so far.
        done: u64,
        /// Pages to be indexed.
        total: u64,
    },
    /// Content changed after work on it was drafted, so that the draft no longer holds. The work can be drafted again
    /// ([`commit_draft`](crate::optimistic::commit_draft)).
    #[error("the content was changed by others while this was prepared")]
    Outdated,
    /// A statement failed.
    #[error("a statement failed")]
    Database(#[source] diesel::result::Error),
    /// Stored data contradicts itself, or a part of the service failed.
    #[error("{0}")]
    Internal(&'static str, #[source] anyhow::Error),
}

impl Error {
    /// A refusal with a sentence of its own.
    pub fn refused(reason: Reason, message: impl Into<String>) -> Self {
        Self::Refused(Refusal::new(reason).with_message(message))
    }

    /// Stored data that can't be: a bug or a damaged database.
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
                let refusal = refusal.with_message("The file store is unavailable; try again later.");
                Self::Unavailable(refusal, error.into())
            }
            Error::Outdated => {
                let refusal = Refusal::new(Reason::Unavailable);
                let refusal = refusal.with_message("Others keep changing the content; try again.");
                Self::Unavailable(refusal, error.into())
            }
            Error::Indexing { done, total } => {
                let refusal = Refusal::new(Reason::Unavailable);
                let message = format!("The search index is being built: {done} of {total} pages; try again.");
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

/// Returns whether the same statement may succeed later: another server or connection, less contention, more room.
fn is_transient(error: &diesel::result::Error) -> bool {
    use DatabaseErrorKind::{ClosedConnection, UnableToSendCommand};
    match error {
        diesel::result::Error::DatabaseError(ClosedConnection | UnableToSendCommand, _)
        | diesel::result::Error::BrokenTransactionManager => true,
        // All errors of the server have a SQLSTATE. Those of libpq have none: they say that the connection was lost.
        diesel::result::Error::DatabaseError(_, about) => sqlstate(&**about).is_none_or(is_transient_code),
        diesel::result::Error::RollbackErrorOnCommit { commit_error, .. } => is_transient(commit_error),
        _ => false,
    }
}

/// Returns the SQLSTATE of an error of the server, which our `pq-sys` puts in place of the hint
/// (`docs/adr/0015-sqlstate.md`).
fn sqlstate(about: &(dyn DatabaseErrorInformation + Send + Sync)) -> Option<&str> {
    about.hint()
}

/// Returns whether errors with this SQLSTATE pass.
fn is_transient_code(code: &str) -> bool {
    match code {
        // A conflict with another transaction, a deadlock, a lock that is not free, a statement that took too long, a
        // standby.
        "40001" | "40P01" | "55P03" | "57014" | "25006" => true,
        // Connections, and resources of the server: memory, disk, slots.
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

/// A result of work on the database.
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
