//! Processor time and memory of the server and of its PostgreSQL, from `/proc`.

use std::fs;

use anyhow::{Context, Result};
use quire_bench::server::Server;

/// Milliseconds per clock tick of `/proc/PID/stat`: `USER_HZ` is 100 on every architecture that Quire is built for.
const MS_PER_TICK: f64 = 10.0;

/// Milliseconds of processor time of the server and of its PostgreSQL since their start. The postmaster counts those of
/// backends that ended.
pub(crate) fn cpu_ms(server: &Server) -> Result<[f64; 2]> {
    let pid_file = server.data.join("postgres/pgdata/postmaster.pid");
    let pid_file = fs::read_to_string(&pid_file).with_context(|| pid_file.display().to_string())?;
    let postmaster: u32 = pid_file.lines().next().unwrap_or_default().parse()?;
    let stat = |pid: u32| parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?);
    let (_, own, _) = stat(server.pid()).context("the server has ended")?;
    let (_, main, ended) = stat(postmaster).context("PostgreSQL has ended")?;
    let mut postgres = main + ended;
    for entry in fs::read_dir("/proc")? {
        // Other entries have no such file, and a process may end between the listing and the reading.
        let text = fs::read_to_string(entry?.path().join("stat")).ok();
        let backend = text.and_then(|text| parse_stat(&text)).filter(|(parent, ..)| *parent == postmaster);
        postgres += backend.map_or(0.0, |(_, own, _)| own);
    }
    Ok([own * MS_PER_TICK, postgres * MS_PER_TICK])
}

/// The parent of a process, and the ticks of itself and of its children that ended. The name is in parentheses and may
/// contain spaces and parentheses itself.
fn parse_stat(text: &str) -> Option<(u32, f64, f64)> {
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split_whitespace().collect();
    let field = |index: usize| -> Option<f64> { fields.get(index)?.parse().ok() };
    Some((fields.get(1)?.parse().ok()?, field(11)? + field(12)?, field(13)? + field(14)?))
}

/// Resident and anonymous memory of a process, in MB (10^6 bytes).
pub(crate) fn memory_mb(pid: u32) -> Result<[f64; 2]> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    // In KiB.
    let field = |name: &str| -> Option<f64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        Some(line.split_whitespace().next()?.parse::<f64>().ok()? * 1_024.0 / 1e6)
    };
    Ok([field("VmRSS").context("no VmRSS")?, field("RssAnon").context("no RssAnon")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_is_parsed_after_a_name_with_parentheses() {
        let text = "42 (postgres: a) b) S 7 1 1 0 -1 4194560 1 2 3 4 150 50 30 20 20 0 1 0 99 1 1";
        assert_eq!(parse_stat(text), Some((7, 200.0, 50.0)));
    }

    #[test]
    fn the_own_process_has_memory() {
        assert!(memory_mb(std::process::id()).unwrap().iter().all(|mb| *mb > 0.0));
    }
}
