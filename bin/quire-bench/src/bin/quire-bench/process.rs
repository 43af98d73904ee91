//! Processor time and memory of the server and of its PostgreSQL, from `/proc`.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};
use serde::Serialize;

/// Milliseconds per clock tick of `/proc/PID/stat`: `USER_HZ` is 100 on every architecture that Quire is built for.
const MS_PER_TICK: f64 = 10.0;

/// Processor time since the start, in milliseconds.
#[derive(Clone, Copy)]
pub(crate) struct Cpu {
    pub(crate) server_ms: f64,
    pub(crate) postgres_ms: f64,
}

/// Memory of a process, in MB (10^6 bytes).
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Memory {
    pub(crate) resident_mb: f64,
    pub(crate) anonymous_mb: f64,
}

/// The fields of `/proc/PID/stat` that are needed.
#[derive(Debug, PartialEq)]
struct Stat {
    pid: u32,
    name: String,
    parent: u32,
    own_ticks: f64,
    /// Of children that ended.
    children_ticks: f64,
}

/// The processor time of the server and of the PostgreSQL processes below it. Backends that ended are in the figures of
/// the postmaster.
pub(crate) fn cpu(server: u32) -> Result<Cpu> {
    let mut all = Vec::new();
    for entry in fs::read_dir("/proc")? {
        // Other entries have no such file, and a process may end between the listing and the reading.
        if let Ok(text) = fs::read_to_string(entry?.path().join("stat")) {
            all.extend(parse_stat(&text));
        }
    }
    let mut below = BTreeSet::from([server]);
    // Process ids are not ordered by descent: repeated until no process is added.
    loop {
        let found: Vec<u32> =
            all.iter().filter(|stat| below.contains(&stat.parent)).map(|stat| stat.pid).collect();
        let before = below.len();
        below.extend(found);
        if below.len() == before {
            break;
        }
    }
    let own = all.iter().find(|stat| stat.pid == server).context("the server has ended")?;
    let postgres = all.iter().filter(|stat| below.contains(&stat.pid) && stat.name.starts_with("postgres"));
    let postgres_ticks: f64 = postgres.map(|stat| stat.own_ticks + stat.children_ticks).sum();
    Ok(Cpu { server_ms: own.own_ticks * MS_PER_TICK, postgres_ms: postgres_ticks * MS_PER_TICK })
}

/// The name is in parentheses and may contain spaces and parentheses itself.
fn parse_stat(text: &str) -> Option<Stat> {
    let (pid, rest) = text.split_once(" (")?;
    let (name, rest) = rest.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |first: usize| -> Option<f64> {
        Some(fields.get(first)?.parse::<f64>().ok()? + fields.get(first + 1)?.parse::<f64>().ok()?)
    };
    Some(Stat {
        pid: pid.parse().ok()?,
        name: name.to_owned(),
        parent: fields.get(1)?.parse().ok()?,
        own_ticks: ticks(11)?,
        children_ticks: ticks(13)?,
    })
}

/// The memory of a process now.
pub(crate) fn memory(pid: u32) -> Result<Memory> {
    Ok(Memory { resident_mb: megabytes(pid, "VmRSS")?, anonymous_mb: megabytes(pid, "RssAnon")? })
}

/// A field of `/proc/PID/status`, which are in KiB.
fn megabytes(pid: u32, key: &str) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let value = line.and_then(|line| line.split_whitespace().next()).context("the field exists")?;
    Ok(value.parse::<f64>()? * 1_024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_is_parsed_after_a_name_with_parentheses() {
        let text = "42 (postgres: a) b) S 7 1 1 0 -1 4194560 1 2 3 4 150 50 30 20 20 0 1 0 99 1 1";
        let name = "postgres: a) b".to_owned();
        let expected = Stat { pid: 42, name, parent: 7, own_ticks: 200.0, children_ticks: 50.0 };
        assert_eq!(parse_stat(text), Some(expected));
    }

    #[test]
    fn the_own_process_can_be_read() {
        let pid = std::process::id();
        assert!(memory(pid).unwrap().resident_mb > 0.0);
        assert!(cpu(pid).unwrap().server_ms >= 0.0);
    }
}
