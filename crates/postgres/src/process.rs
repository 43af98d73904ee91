//! Starts PostgreSQL's programs.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::account::{Account, become_account};

/// Returns a command that runs `program` as `account` and that the kernel interrupts (SIGINT) when the calling
/// **thread** ends for any reason: PostgreSQL then does a fast shutdown.
///
/// The death signal must be set in the child between `fork` and `exec`. Rust's hook for that (`pre_exec`) is unsafe, so
/// the command runs through `setpriv` of util-linux, an essential package of Debian. Without `setpriv` the child runs
/// without a death signal, and the next start cleans up after a killed server.
pub(crate) fn bound_to_this_thread(program: &Path, account: &Account) -> Command {
    let mut command = if setpriv_supports_death_signals() {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "INT", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    become_account(&mut command, account);
    command
}

fn setpriv_supports_death_signals() -> bool {
    static SUPPORTED: OnceLock<bool> = OnceLock::new();
    *SUPPORTED.get_or_init(|| {
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
