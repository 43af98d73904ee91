//! Errors of operations on a remote repository.

use std::error::Error;
use std::io;
use std::time::Duration;

use quire_importer::fetch::FetchError;

/// Maximum length of a server's text in an error, in characters.
const TEXT_MAX: usize = 200;

/// Reason why a repository cannot be read or written. No message contains credentials.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The URL is not the URL of a repository.
    #[error("it is not the URL of a Git repository: {reason}")]
    InvalidUrl {
        /// Reason. It does not repeat the URL, which may contain a password.
        reason: &'static str,
    },
    /// The server could not be reached, or the guard refused it.
    #[error("the server could not be reached")]
    Fetch(#[from] FetchError),
    /// The server rejected the credentials.
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
    #[error("the repository has no {}", ref_name(.name))]
    NoSuchRef {
        /// The full name.
        name: String,
    },
    /// The repository has no commits.
    #[error("the repository has no commits yet")]
    NoCommits,
    /// A limit of the run was exceeded.
    #[error("{what} of the repository exceed the limit of {limit}")]
    TooLarge {
        /// Bounded quantity.
        what: &'static str,
        /// The bound.
        limit: u64,
    },
    /// The run took too long.
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
    /// The server violated the protocol or sent damaged objects.
    #[error("the server's answer cannot be read: {reason}")]
    Protocol {
        /// The reason.
        reason: String,
    },
    /// The repository lacks an object that a tree refers to.
    #[error("object {id} is missing in the repository")]
    Missing {
        /// Its id.
        id: String,
    },
    /// A new file has the path of an existing folder, or a new folder the path of an existing file.
    #[error("`{path}` conflicts with another file or folder in the repository")]
    Occupied {
        /// The path.
        path: String,
    },
    /// A file changed both in the repository and in the content since the last synchronization.
    #[error("`{path}` changed in the repository, too: import it first, or send `force`")]
    Diverged {
        /// The path.
        path: String,
    },
    /// The ref moved after it was read.
    #[error("the branch changed in the meantime")]
    Outdated,
    /// The server refused the commit, for example because the branch is protected.
    #[error("the server refused the commit: {reason}")]
    Rejected {
        /// The server's reason.
        reason: String,
    },
    /// The server lets these credentials read the repository, but push to no branch.
    #[error("the server refused the commit: these credentials give no right to push")]
    ReadOnly,
    /// Objects cannot be stored on the local disk.
    #[error("objects cannot be stored on this machine")]
    Disk(#[source] io::Error),
}

impl GitError {
    /// Returns an error about a server's answer. The text may come from the server.
    pub(crate) fn protocol(reason: &str) -> Self {
        Self::Protocol { reason: shown(reason) }
    }

    /// Returns an error about a server's answer, with the first and the last cause that gix reports.
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

/// Returns the name of a ref for users.
fn ref_name(name: &str) -> String {
    let named = |prefix: &str, kind: &str| Some(format!("{kind} `{}`", shown(name.strip_prefix(prefix)?)));
    match name {
        "HEAD" => "default branch, because its HEAD names one that does not exist".to_owned(),
        _ => named("refs/heads/", "branch")
            .or_else(|| named("refs/tags/", "tag"))
            .unwrap_or_else(|| format!("`{}`", shown(name))),
    }
}

/// Returns a server's text as one line of bounded length.
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
    fn a_missing_ref_has_a_name_for_users() {
        let sentence = |name: &str| GitError::NoSuchRef { name: name.to_owned() }.to_string();
        assert_eq!(sentence("refs/heads/a/b"), "the repository has no branch `a/b`");
        assert_eq!(sentence("refs/tags/v1"), "the repository has no tag `v1`");
        assert_eq!(sentence("refs/pull/1/head"), "the repository has no `refs/pull/1/head`");
        assert!(sentence("HEAD").starts_with("the repository has no default branch"));
    }

    #[test]
    fn a_text_of_another_server_is_one_short_line() {
        assert_eq!(shown("a\u{1b}[31m\n b\t"), "a [31m b");
        assert_eq!(shown(&"ä".repeat(1000)).chars().count(), TEXT_MAX + 1);
    }
}
