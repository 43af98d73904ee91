//! Errors of the work with a remote repository.

use std::error::Error;
use std::io;
use std::time::Duration;

use quire_importer::fetch::FetchError;

/// Longest text of another server in an error.
const TEXT_MAX: usize = 200;

/// Reason why a repository cannot be read or written. No message contains credentials.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The URL is not that of a repository.
    #[error("it is not the URL of a Git repository: {reason}")]
    InvalidUrl {
        /// The reason. It does not repeat the URL, which may hold a password.
        reason: &'static str,
    },
    /// The server could not be reached, or the guard refused it.
    #[error("the server could not be reached")]
    Fetch(#[from] FetchError),
    /// The server asked for other credentials.
    #[error("the server did not accept the credentials")]
    Unauthenticated,
    /// The repository does not exist, or the credentials give no access.
    #[error("the repository does not exist, or the credentials give no access to it")]
    NotFound,
    /// The server redirected to another host.
    #[error("the server redirects to another host")]
    RedirectRefused,
    /// The server answered with a status that Git does not use.
    #[error("the server answered with status {status}")]
    Failed {
        /// The HTTP status.
        status: u16,
    },
    /// The repository has no such branch or tag.
    #[error("the repository has no `{name}`")]
    NoSuchRef {
        /// The full name.
        name: String,
    },
    /// A bound on the work was exceeded.
    #[error("{what} of the repository exceed the limit of {limit}")]
    TooLarge {
        /// Bounded quantity.
        what: &'static str,
        /// The bound.
        limit: u64,
    },
    /// The whole run took too long.
    #[error("the run took longer than {after:?}")]
    TimedOut {
        /// The time limit.
        after: Duration,
    },
    /// The server lacks a feature.
    #[error("the server is not supported: {reason}")]
    Unsupported {
        /// The reason.
        reason: &'static str,
    },
    /// The server sent something that is not Git's protocol, or damaged objects.
    #[error("the server's answer cannot be read: {reason}")]
    Protocol {
        /// The reason.
        reason: String,
    },
    /// An object that a tree names is not in the repository.
    #[error("object {id} is missing in the repository")]
    Missing {
        /// Its id.
        id: String,
    },
    /// A folder of the repository has the path of a new file, or a file that of a new folder.
    #[error("`{path}` is something else in the repository")]
    Occupied {
        /// The path.
        path: String,
    },
    /// A file changed in the repository and in the content since both were the same.
    #[error("`{path}` changed in the repository, too: import it first, or send `force`")]
    Diverged {
        /// The path.
        path: String,
    },
    /// The ref moved after it was read.
    #[error("the branch moved meanwhile")]
    Outdated,
    /// The server refused the commit, as it does for a protected branch.
    #[error("the server refused the commit: {reason}")]
    Rejected {
        /// The server's reason.
        reason: String,
    },
    /// Objects cannot be stored on this machine.
    #[error("objects cannot be stored on this machine")]
    Disk(#[source] io::Error),
}

impl GitError {
    /// Returns an error about the answer of a server, with a text that may be the server's.
    pub(crate) fn protocol(reason: &str) -> Self {
        Self::Protocol { reason: shown(reason) }
    }

    /// Returns an error about the answer of a server, with the first and the last cause that gix names.
    pub(crate) fn unreadable(error: &dyn Error) -> Self {
        let (mut reason, mut cause) = (error.to_string(), error.source());
        let mut last = None;
        while let Some(next) = cause {
            (last, cause) = (Some(next.to_string()), next.source());
        }
        if let Some(last) = last {
            reason = format!("{reason}: {last}");
        }
        Self::protocol(&reason)
    }
}

/// Returns a text of another server in one line of bounded length.
pub(crate) fn shown(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(TEXT_MAX) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_another_server_is_one_short_line() {
        assert_eq!(shown("a\u{1b}[31m\n b\t"), "a [31m b");
        assert_eq!(shown(&"ä".repeat(1000)).chars().count(), TEXT_MAX + 1);
    }
}
