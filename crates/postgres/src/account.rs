//! Account that runs PostgreSQL, which refuses to run as root.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::unistd::{Uid, User, geteuid};

use crate::error::{ClusterError, IoContext};

/// Accounts for clusters of root, in order of preference. PostgreSQL's packages create the first one.
const CANDIDATES: [&str; 2] = ["postgres", "nobody"];

/// Operating system account that owns the cluster's files and runs its processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// `true` if this process is root and has to switch to the account.
    pub(crate) switch: bool,
}

impl Account {
    /// Chooses the account for a cluster in `data_dir`, which need not exist yet: the caller's own account; for root
    /// the owner of the folder, or else an unprivileged system account.
    pub(crate) fn choose(data_dir: &Path) -> Result<Self, ClusterError> {
        let me = geteuid();
        let owner = match fs::metadata(data_dir) {
            Ok(metadata) => Some(Uid::from_raw(metadata.uid())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).context("look at", data_dir),
        };
        if !me.is_root() {
            let account = Self::of_uid(me).unwrap_or_else(|| Self::nameless(me));
            return match owner {
                Some(owner) if owner != me => {
                    Err(ClusterError::NotPrivate { path: data_dir.to_owned(), account: account.name })
                }
                _ => Ok(account),
            };
        }
        let account = match owner.filter(|owner| !owner.is_root()) {
            Some(owner) => Self::of_uid(owner),
            None => {
                CANDIDATES.iter().find_map(|name| User::from_name(name).ok().flatten()).map(Self::of_user)
            }
        };
        let account =
            account.ok_or_else(|| ClusterError::NoAccount { candidates: CANDIDATES.join(" and ") })?;
        Ok(Self { switch: true, ..account })
    }

    fn of_uid(uid: Uid) -> Option<Self> {
        User::from_uid(uid).ok().flatten().map(Self::of_user)
    }

    fn of_user(user: User) -> Self {
        Self { name: user.name, uid: user.uid.as_raw(), gid: user.gid.as_raw(), switch: false }
    }

    fn nameless(uid: Uid) -> Self {
        let gid = nix::unistd::getegid().as_raw();
        Self { name: uid.to_string(), uid: uid.as_raw(), gid, switch: false }
    }

    /// Checks that the account can enter `folder` and all folders above it. Uses the operating system's check, so that
    /// access control lists apply.
    pub(crate) fn check_can_enter(&self, folder: &Path) -> Result<(), ClusterError> {
        if !self.switch || self.enters(folder) {
            return Ok(());
        }
        let mut ancestors: Vec<&Path> = folder.ancestors().collect();
        ancestors.reverse();
        let refusing = ancestors.into_iter().find(|ancestor| !self.enters(ancestor)).unwrap_or(folder);
        Err(ClusterError::NotEnterable { folder: PathBuf::from(refusing), account: self.name.clone() })
    }

    fn enters(&self, folder: &Path) -> bool {
        let mut test = Command::new("test");
        become_account(&mut test, self);
        let status = test.arg("-x").arg(folder).stdin(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }
}

/// Makes `command` run as `account`, with a clean environment, and detached from the caller's folder and terminal.
pub(crate) fn become_account(command: &mut Command, account: &Account) {
    // The server's environment holds secrets; the account may be unable to enter the server's folder; and Ctrl-C in a
    // terminal reaches the whole process group, while the server must end before its database.
    command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LC_ALL", "C");
    for name in ["LD_LIBRARY_PATH", "TZDIR"] {
        if let Some(value) = env::var_os(name) {
            command.env(name, value);
        }
    }
    command.current_dir("/").process_group(0).stdin(Stdio::null());
    if account.switch {
        // The standard library drops root's supplementary groups before it changes the user.
        command.uid(account.uid).gid(account.gid);
    }
}
