//! Connection parameters of a cluster.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::error::ClusterError;
use crate::wire::{self, Session};

/// Superuser created by `initdb`. Used by this crate, and by operators with `psql`.
pub(crate) const SUPERUSER: &str = "postgres";

/// Database created by `initdb`.
const MAINTENANCE_DATABASE: &str = "postgres";

/// Address of a running cluster's database: a unix socket, a role and a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    socket_dir: PathBuf,
    database: String,
}

impl Connection {
    pub(crate) fn new(socket_dir: PathBuf, database: String) -> Self {
        Self { socket_dir, database }
    }

    /// Returns the folder of the socket, which only the cluster's account (and root) can enter.
    pub fn socket_dir(&self) -> &Path {
        &self.socket_dir
    }

    /// Returns the database's URL for libpq, for a role that owns the database and is not a superuser.
    pub fn url(&self) -> String {
        let database = percent_encode(self.database.as_bytes());
        let host = percent_encode(self.socket_dir.as_os_str().as_bytes());
        format!("postgresql:///{database}?host={host}&port={}&user={database}", wire::PORT)
    }

    /// Checks that the database answers for the role in [`Self::url`].
    pub(crate) fn answers(&self) -> Result<(), ClusterError> {
        Session::open(&self.socket_dir, &self.database, &self.database).map(drop)
    }

    /// Checks that the cluster accepts connections.
    pub(crate) fn cluster_answers(&self) -> Result<(), ClusterError> {
        Session::open(&self.socket_dir, SUPERUSER, MAINTENANCE_DATABASE).map(drop)
    }

    /// Creates the role and the database if missing.
    pub(crate) fn ensure_database(&self) -> Result<(), ClusterError> {
        if self.answers().is_ok() {
            return Ok(());
        }
        let name = wire::quote_identifier(&self.database);
        let mut session = Session::open(&self.socket_dir, SUPERUSER, MAINTENANCE_DATABASE)?;
        // The role is an ordinary one, so that code that needs privileges which managed PostgreSQL services do not
        // grant fails here, too. A server and a concurrent command may both find the database missing, so objects that
        // the other has created are accepted.
        allow(session.execute(&format!("CREATE ROLE {name} LOGIN CREATEDB")), wire::DUPLICATE_OBJECT)?;
        allow(session.execute(&format!("CREATE DATABASE {name} OWNER {name}")), wire::DUPLICATE_DATABASE)?;
        self.answers()
    }
}

/// Treats the error for an existing object as success.
fn allow(result: Result<(), ClusterError>, sqlstate: &str) -> Result<(), ClusterError> {
    match result {
        // Concurrent creations conflict only on the catalogue's unique index.
        Err(ClusterError::Server { code, .. }) if code == sqlstate || code == wire::UNIQUE_VIOLATION => {
            Ok(())
        }
        other => other,
    }
}

/// Percent-encodes all characters but RFC 3986's unreserved ones.
fn percent_encode(bytes: &[u8]) -> String {
    let mut encoded = String::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_names_socket_role_and_database() {
        let connection = Connection::new("/var/lib/a b&c/run".into(), "quire".into());
        let expected = "postgresql:///quire?host=%2Fvar%2Flib%2Fa%20b%26c%2Frun&port=5432&user=quire";
        assert_eq!(connection.url(), expected);
    }
}
