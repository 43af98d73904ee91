//! Archive of the write-ahead log, for point-in-time recovery.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use crate::error::{ClusterError, IoContext};
use crate::layout::Layout;

/// Time in seconds after which a segment of the log is archived although it is not full.
const TIMEOUT_SECONDS: u32 = 300;

/// Destination of the write-ahead log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalArchive {
    /// A folder, created if missing. Files are complete and synced to disk before they get their names.
    Folder(PathBuf),
    /// A shell command like PostgreSQL's `archive_command`: `%p` is the path of a file, `%f` its name.
    Command(String),
}

impl WalArchive {
    /// Creates the folder for the account that runs PostgreSQL.
    pub(crate) fn prepare(&self, layout: &Layout) -> Result<(), ClusterError> {
        let Self::Folder(folder) = self else { return Ok(()) };
        let folder = absolute(folder)?;
        if !folder.exists() {
            if let Some(parent) = folder.parent() {
                std::fs::create_dir_all(parent).context("make the folder", parent)?;
            }
            layout.make_dir(&folder)?;
        }
        layout.account.check_can_enter(&folder)
    }

    /// Returns PostgreSQL's settings for the archive.
    pub(crate) fn settings(&self) -> Vec<String> {
        vec![
            "archive_mode=on".to_owned(),
            format!("archive_command={}", self.archive_command()),
            format!("archive_timeout={TIMEOUT_SECONDS}"),
        ]
    }

    fn archive_command(&self) -> String {
        match self {
            Self::Command(command) => command.clone(),
            Self::Folder(folder) => {
                let (target, part) = (in_folder(folder, "%f"), in_folder(folder, ".%f.part"));
                // After a crash PostgreSQL may archive the same file again.
                format!(
                    "if test -f {target}; then cmp -s \"%p\" {target}; \
                     else cp \"%p\" {part} && sync {part} && mv {part} {target} && sync {}; fi",
                    in_folder(folder, "")
                )
            }
        }
    }

    /// Returns the command that fetches a file for recovery.
    pub(crate) fn restore_command(folder: &Path) -> Result<String, ClusterError> {
        Ok(format!("cp {} \"%p\"", in_folder(&absolute(folder)?, "%f")))
    }
}

/// Returns an absolute path, because PostgreSQL runs commands in its own folder.
fn absolute(folder: &Path) -> Result<PathBuf, ClusterError> {
    std::path::absolute(folder).context("find", folder)
}

/// Returns the path of a file in a folder, quoted for the shell. PostgreSQL has replaced `%f` by then.
fn in_folder(folder: &Path, name: &str) -> String {
    let folder = absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let folder = folder.display().to_string().replace('%', "%%").replace('\'', "'\\''");
    format!("'{folder}/{name}'")
}

impl std::str::FromStr for WalArchive {
    type Err = Infallible;

    /// Reads a command, recognized by `%p`, or a folder.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text.contains("%p") { Self::Command(text.to_owned()) } else { Self::Folder(text.into()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_becomes_a_command_of_the_shell() {
        let archive: WalArchive = "/srv/it's 5%".parse().unwrap();
        let command = archive.archive_command();
        assert!(command.starts_with("if test -f '/srv/it'\\''s 5%%/%f'; then cmp -s \"%p\" "), "{command}");
        assert!(command.contains("mv '/srv/it'\\''s 5%%/.%f.part' '/srv/it'\\''s 5%%/%f'"), "{command}");
        let given: WalArchive = "gzip < %p > /srv/%f.gz".parse().unwrap();
        assert_eq!(given.archive_command(), "gzip < %p > /srv/%f.gz");
    }
}
