//! pgbench on the private PostgreSQL of the server.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use tokio::process::Command;

use super::statement;
use crate::database;
use crate::load::{Figures, is_program, path};
use crate::process;
use crate::run::Run;

const CONNECTIONS: u32 = 16;

/// The statement of `GET /v1/spaces/{id}`, which also authorizes the request.
pub(crate) async fn measure_statement(run: &Run, space: &str, seconds: u64) -> Result<Figures> {
    let superuser = database::superuser_url(&run.server)?;
    let log = run.server.data.join("postgres/postgres.log");
    let request = format!("/v1/spaces/{space}");
    let statement = statement::of_get(&run.client, &superuser, &log, &request, space).await?;
    pgbench(run, &statement, seconds).await
}

/// One row per transaction, with the durability that the server has.
pub(crate) async fn measure_insert(run: &Run, seconds: u64) -> Result<Figures> {
    let mut connection = PgConnection::establish(&database::url(&run.server)?)?;
    connection.batch_execute("CREATE TABLE bench_rows (id bigserial PRIMARY KEY, body text NOT NULL)")?;
    let text = "x".repeat(200);
    let figures = pgbench(run, &format!("INSERT INTO bench_rows (body) VALUES ('{text}')"), seconds).await;
    connection.batch_execute("DROP TABLE bench_rows")?;
    figures
}

async fn pgbench(run: &Run, statement: &str, seconds: u64) -> Result<Figures> {
    let script = tempfile::NamedTempFile::new()?;
    std::fs::write(script.path(), format!("{statement};\n"))?;
    let mut command = Command::new(program()?);
    command.args(["-n", "-M", "prepared", "-j", "2"]).arg(format!("-c{CONNECTIONS}"));
    command.arg(format!("-T{}", seconds.max(1))).arg("-f").arg(script.path());
    let before = process::cpu(run.server.pid())?;
    let output = command.arg(database::url(&run.server)?).output().await?;
    let after = process::cpu(run.server.pid())?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "pgbench failed: {}", String::from_utf8_lossy(&output.stderr));
    let (transactions, rate) = parse(&text).with_context(|| format!("pgbench printed no result: {text}"))?;
    Ok(Figures {
        connections: CONNECTIONS,
        requests_per_second: rate,
        postgres_cpu_ms: Some((after.postgres_ms - before.postgres_ms) / transactions.max(1.0)),
        statements: Some(1.0),
        ..Figures::default()
    })
}

/// Transactions, and transactions per second.
fn parse(output: &str) -> Option<(f64, f64)> {
    let after = |start: &str| output.lines().find_map(|line| line.strip_prefix(start));
    let transactions = after("number of transactions actually processed: ")?.split('/').next()?;
    let rate = after("tps = ")?.split(' ').next()?;
    Some((transactions.trim().parse().ok()?, rate.parse().ok()?))
}

/// pgbench of `PATH` or of Debian's package.
fn program() -> Result<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = debian.map(|version| version.path().join("bin")).collect();
    folders.sort();
    folders.extend(std::env::split_paths(&path()));
    let found = folders.into_iter().rev().map(|folder| folder.join("pgbench")).find(|path| is_program(path));
    found.context("pgbench is missing: Debian has it in the package postgresql")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_read_from_the_output() {
        let output = "number of clients: 16\nnumber of transactions actually processed: 21300\n\
            latency average = 0.750 ms\ntps = 10650.5 (without initial connection time)\n";
        assert_eq!(parse(output), Some((21_300.0, 10_650.5)));
        assert_eq!(parse("pgbench: error"), None);
    }
}
