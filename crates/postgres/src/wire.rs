//! Subset of PostgreSQL's protocol that distinguishes a ready server from a starting one.
//!
//! Version 3.0, <https://www.postgresql.org/docs/current/protocol-message-formats.html>: a start-up packet, the
//! messages up to `ReadyForQuery`, and simple queries whose rows are ignored.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{ClusterError, IoContext};

/// Port number, which on a unix socket is only part of the file name.
pub(crate) const PORT: u16 = 5432;

/// SQLSTATE for a role that already exists.
pub(crate) const DUPLICATE_OBJECT: &str = "42710";
/// SQLSTATE for a database that already exists.
pub(crate) const DUPLICATE_DATABASE: &str = "42P04";
/// SQLSTATE for a duplicate in a unique index.
pub(crate) const UNIQUE_VIOLATION: &str = "23505";

const PROTOCOL_3_0: u32 = 3 << 16;
const TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum length of a message in bytes. The messages needed here are far shorter; a longer one does not come from
/// PostgreSQL.
const LONGEST_MESSAGE: usize = 1 << 20;

/// Returns the path of the socket in its folder.
pub(crate) fn socket_path(socket_dir: &Path) -> PathBuf {
    socket_dir.join(format!(".s.PGSQL.{PORT}"))
}

/// Returns `name` as an SQL identifier.
pub(crate) fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Connection to a server.
pub(crate) struct Session {
    stream: UnixStream,
    path: PathBuf,
}

impl Session {
    /// Connects and waits until the server is ready for queries.
    ///
    /// # Errors
    /// [`ClusterError::Io`] if there is no answer, [`ClusterError::Server`] if the server refuses, for example with
    /// 57P03 while it starts up.
    pub(crate) fn open(socket_dir: &Path, user: &str, database: &str) -> Result<Self, ClusterError> {
        let path = socket_path(socket_dir);
        let stream = UnixStream::connect(&path).context("connect to", &path)?;
        stream.set_read_timeout(Some(TIMEOUT)).context("use", &path)?;
        stream.set_write_timeout(Some(TIMEOUT)).context("use", &path)?;
        let mut session = Self { stream, path };
        let body = format!("user\0{user}\0database\0{database}\0\0");
        let packet = [PROTOCOL_3_0.to_be_bytes().as_slice(), body.as_bytes()].concat();
        session.send(&[], &packet)?;
        session.read_until_ready()?;
        Ok(session)
    }

    /// Runs SQL.
    pub(crate) fn execute(&mut self, sql: &str) -> Result<(), ClusterError> {
        self.send(b"Q", &[sql.as_bytes(), b"\0"].concat())?;
        self.read_until_ready()
    }

    fn send(&mut self, kind: &[u8], body: &[u8]) -> Result<(), ClusterError> {
        let length = u32::try_from(body.len() + 4).map_err(|_| io::ErrorKind::InvalidInput.into());
        let length = length.context("write to", &self.path)?;
        let message = [kind, &length.to_be_bytes(), body].concat();
        self.stream.write_all(&message).context("write to", &self.path)
    }

    /// Reads up to `ReadyForQuery`, or to an error after which the server closes the connection.
    fn read_until_ready(&mut self) -> Result<(), ClusterError> {
        let mut failure = None;
        loop {
            match self.read_message() {
                Ok((b'Z', _)) => return failure.map_or(Ok(()), Err),
                Ok((b'E', body)) => failure = Some(server_error(&body)),
                Ok((b'R', body)) if body != [0; 4] => {
                    let message = "it asks for a password on its own socket".to_owned();
                    return Err(ClusterError::Server { code: "28000".to_owned(), message });
                }
                Ok(_) => {}
                Err(error) => return Err(failure.unwrap_or(error)),
            }
        }
    }

    fn read_message(&mut self) -> Result<(u8, Vec<u8>), ClusterError> {
        self.try_read_message().context("read from", &self.path)
    }

    fn try_read_message(&mut self) -> io::Result<(u8, Vec<u8>)> {
        let mut kind = [0; 1];
        let mut length = [0; 4];
        self.stream.read_exact(&mut kind)?;
        self.stream.read_exact(&mut length)?;
        let length =
            usize::try_from(u32::from_be_bytes(length)).ok().and_then(|length| length.checked_sub(4));
        let length = length.filter(|length| *length <= LONGEST_MESSAGE).ok_or(io::ErrorKind::InvalidData)?;
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        let [kind] = kind;
        Ok((kind, body))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A regular termination avoids "unexpected EOF" in PostgreSQL's log. Its failure does not matter.
        if let Err(error) = self.send(b"X", &[]) {
            log::trace!("{error}");
        }
    }
}

/// Returns the error in an `ErrorResponse`. Each of its fields is a letter and a text that ends with NUL.
fn server_error(body: &[u8]) -> ClusterError {
    let field = |letter: u8| {
        let text = body.split(|byte| *byte == 0).find_map(|field| field.strip_prefix(&[letter]));
        String::from_utf8_lossy(text.unwrap_or_default()).into_owned()
    };
    ClusterError::Server { code: field(b'C'), message: field(b'M') }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_response_is_read() {
        let body = b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0";
        let ClusterError::Server { code, message } = server_error(body) else {
            panic!("another kind of error")
        };
        assert_eq!((code.as_str(), message.as_str()), ("57P03", "the database system is starting up"));
    }

    #[test]
    fn identifiers_are_quoted() {
        assert_eq!(quote_identifier(r#"a"b"#), r#""a""b""#);
    }
}
