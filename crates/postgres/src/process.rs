//! How PostgreSQL's programs are started.

use std::env;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::account::Account;

/// Makes `command` run as `account`, in a clean environment and away from the caller's folder and terminal.
pub(crate) fn become_account(command: &mut Command, account: &Account) {
    // The server's environment holds its secrets; its folder may be one that the account can't enter;
    // and Ctrl-C in a terminal reaches the whole process group, while the server must end before its database.
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

/// A command that runs `program` as `account` and that the kernel interrupts (SIGINT) when the calling **thread** ends,
/// however it ends: for PostgreSQL that is a fast shutdown.
///
/// The death signal must be set in the child between `fork` and `exec`. Rust's hook for that (`pre_exec`) is unsafe, so
/// `setpriv` of util-linux does it, which is essential in Debian. Without it the child runs all the same, and what
/// a killed server leaves behind is taken over by the next start.
pub(crate) fn bound_to_this_thread(program: &Path, account: &Account) -> Command {
    let mut command = if setpriv_knows_death_signals() {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "INT", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    become_account(&mut command, account);
    command
}

fn setpriv_knows_death_signals() -> bool {
    static KNOWS: OnceLock<bool> = OnceLock::new();
    *KNOWS.get_or_init(|| {
        let mut probe = Command::new("setpriv");
        probe.args(["--pdeathsig", "INT", "--", "true"]).stdin(Stdio::null()).stderr(Stdio::null());
        let knows = probe.status().is_ok_and(|status| status.success());
        if !knows {
            log::warn!(
                "setpriv (util-linux) is missing: after a kill -9 PostgreSQL runs on until the next start"
            );
        }
        knows
    })
}
