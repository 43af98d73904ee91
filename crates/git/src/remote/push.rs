//! Pushes of commits.

use std::io::Write as _;

use gix_hash::{Kind, ObjectId};
use gix_transport::Service;
use gix_transport::client::blocking_io::Transport as _;
use gix_transport::client::{MessageKind, WriteMode};
use gix_transport::packetline::blocking_io::encode;

use super::{AGENT, Remote, RemoteRef};
use crate::commit::NewCommit;
use crate::error::{GitError, shown};

impl Remote {
    /// Pushes a commit, provided that the branch has not moved.
    ///
    /// # Errors
    /// [`GitError::Outdated`] if the branch moved. [`GitError::ReadOnly`] if the server accepts pushes to no branch.
    /// [`GitError::Rejected`] if it refuses the commit for another reason.
    pub fn push(&self, branch: &RemoteRef, commit: &NewCommit) -> Result<(), GitError> {
        self.send_commit(branch, commit).map_err(|error| match error {
            // The repository was read with the same credentials.
            GitError::Unauthenticated | GitError::NotFound => GitError::ReadOnly,
            error => error,
        })
    }

    fn send_commit(&self, branch: &RemoteRef, commit: &NewCommit) -> Result<(), GitError> {
        let mut transport = self.connect()?;
        let handshake = self.greet(&mut transport, Service::ReceivePack)?;
        if !handshake.capabilities.contains("report-status") {
            return Err(GitError::Unsupported { reason: "it does not report the result of a push" });
        }
        let old = branch.commit.unwrap_or_else(|| ObjectId::null(Kind::Sha1));
        let command = format!("{old} {} {}\0report-status agent={AGENT}", commit.id, branch.name);
        let pack = commit.pack()?;
        let request = transport.request(WriteMode::Binary, MessageKind::Flush, false);
        let (mut writer, mut reader) = self.connections.checked(request)?.into_parts();
        self.connections.checked(encode::data_to_write(command.as_bytes(), &mut writer))?;
        self.connections.checked(encode::flush_to_write(&mut writer))?;
        self.connections.checked(writer.write_all(&pack))?;
        drop(writer);
        let (mut status, mut line) = (Vec::new(), String::new());
        while self.connections.checked(reader.readline_str(&mut line))? != 0 {
            status.push(std::mem::take(&mut line));
        }
        reported(&branch.name, &status)
    }
}

/// Reads the report of a push.
fn reported(name: &str, lines: &[String]) -> Result<(), GitError> {
    let mut lines = lines.iter().map(|line| line.trim_end());
    let unpacked = lines.next().unwrap_or_default();
    if unpacked != "unpack ok" {
        return Err(GitError::Rejected { reason: shown(unpacked) });
    }
    for line in lines {
        if line.strip_prefix("ok ") == Some(name) {
            return Ok(());
        }
        let refused = line.strip_prefix("ng ").and_then(|line| line.strip_prefix(name));
        if let Some(reason) = refused.map(str::trim) {
            let outdated = ["failed to update ref", "fetch first", "non-fast-forward", "already exists"];
            return Err(match outdated.contains(&reason) || reason.contains("cannot lock ref") {
                true => GitError::Outdated,
                false => GitError::Rejected { reason: shown(reason) },
            });
        }
    }
    Err(GitError::protocol("it did not report the result of a push"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_a_moved_branch_from_a_refusal() {
        let report = |lines: &[&str]| {
            reported("refs/heads/main", &lines.iter().map(|line| format!("{line}\n")).collect::<Vec<_>>())
        };
        assert!(report(&["unpack ok", "ok refs/heads/main"]).is_ok());
        let moved = report(&["unpack ok", "ng refs/heads/main failed to update ref"]);
        assert!(matches!(moved, Err(GitError::Outdated)));
        let protected = report(&["unpack ok", "ng refs/heads/main pre-receive hook declined"]);
        assert!(
            matches!(protected, Err(GitError::Rejected { reason }) if reason == "pre-receive hook declined")
        );
        assert!(matches!(report(&["unpack index-pack failed"]), Err(GitError::Rejected { .. })));
        assert!(matches!(report(&[]), Err(GitError::Rejected { .. })));
        assert!(matches!(report(&["unpack ok", "ok refs/heads/other"]), Err(GitError::Protocol { .. })));
    }
}
