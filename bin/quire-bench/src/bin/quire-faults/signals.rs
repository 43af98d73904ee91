//! Signals to processes that this program started.

use std::fs;
use std::process::Command;

use anyhow::Result;

/// Sends a signal, such as `-KILL`, to processes. Processes that have ended are skipped.
pub fn send(signal: &str, pids: &[u32]) -> Result<()> {
    if pids.is_empty() {
        return Ok(());
    }
    let ids = pids.iter().map(ToString::to_string);
    Command::new("kill").arg(signal).args(ids).stderr(std::process::Stdio::null()).status()?;
    Ok(())
}

/// Returns the ids of a process and its children.
pub fn family(parent: u32) -> Result<Vec<u32>> {
    let mut pids = vec![parent];
    for entry in fs::read_dir("/proc")? {
        let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        if parent_of(pid) == Some(parent) {
            pids.push(pid);
        }
    }
    Ok(pids)
}

/// Returns the parent of a process. The process name in parentheses may contain any character.
fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}
