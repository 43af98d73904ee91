//! The statement that a server sends for a request, from the log of its private PostgreSQL.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use quire_bench::client::Client;
use reqwest::Method;

/// Executes one GET while PostgreSQL logs statements. Returns the last statement that has `parameter` among its
/// parameters, with literals instead of parameters.
pub(crate) async fn of_get(
    client: &Client,
    superuser: &str,
    log: &Path,
    path: &str,
    parameter: &str,
) -> Result<String> {
    let mut connection = PgConnection::establish(superuser)?;
    let already = std::fs::read_to_string(log).unwrap_or_default().len();
    set_logging(&mut connection, "SET log_statement = 'all'")?;
    let deadline = Instant::now() + Duration::from_secs(5);
    let mut found = Ok(None);
    // The backends read the configuration some milliseconds after the signal.
    while matches!(found, Ok(None)) && Instant::now() < deadline {
        found = read_once(client, log, already, path, parameter).await;
    }
    // Also after an error: the cases that follow are measured with the default log.
    set_logging(&mut connection, "RESET log_statement")?;
    found?.with_context(|| format!("{} shows no statement of {path}", log.display()))
}

/// Two statements: ALTER SYSTEM can't run in the implicit transaction of a batch.
fn set_logging(connection: &mut PgConnection, setting: &str) -> Result<()> {
    connection.batch_execute(&format!("ALTER SYSTEM {setting}"))?;
    Ok(connection.batch_execute("SELECT pg_reload_conf()")?)
}

async fn read_once(
    client: &Client,
    log: &Path,
    already: usize,
    path: &str,
    parameter: &str,
) -> Result<Option<String>> {
    client.call(Method::GET, path, None).await?;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let text = std::fs::read_to_string(log)?;
    Ok(last_with(text.get(already..).unwrap_or(&text), parameter))
}

/// The last statement in a log whose parameters contain `parameter`.
fn last_with(log: &str, parameter: &str) -> Option<String> {
    let (head, rest) = log.rsplit_once(parameter)?;
    let (statements, start) = head.rsplit_once("DETAIL:")?;
    let detail = format!("{start}{parameter}{}", rest.lines().next().unwrap_or_default());
    let (_, statement) = statements.rsplit_once("execute ")?;
    // `execute name: statement`, then the prefix of the line of the detail.
    let (_, statement) = statement.split_once(": ")?;
    let statement = statement.rsplit_once('\n').map_or(statement, |(statement, _)| statement);
    Some(with_literals(statement, &literals(&detail)))
}

/// The parameters of a line `parameters: $1 = 'a', $2 = NULL` as SQL literals.
fn literals(detail: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = detail;
    while let Some((_, value)) = rest.split_once(&format!("${} = ", found.len() + 1)) {
        let end = match value.strip_prefix('\'') {
            Some(quoted) => end_of_string(quoted) + 1,
            None => value.find(',').unwrap_or(value.trim_end().len()),
        };
        let (literal, after) = value.split_at(end);
        found.push(literal.to_owned());
        rest = after;
    }
    found
}

/// The length of a string literal behind its opening quote; doubled quotes belong to it.
fn end_of_string(quoted: &str) -> usize {
    let mut quotes = 0;
    for (at, byte) in quoted.bytes().enumerate() {
        if byte == b'\'' {
            quotes += 1;
        } else if quotes % 2 == 1 {
            return at;
        }
    }
    quoted.trim_end().len()
}

fn with_literals(statement: &str, literals: &[String]) -> String {
    let mut text = statement.to_owned();
    // From the last one, because `$1` is the start of `$10`.
    for (at, literal) in literals.iter().enumerate().rev() {
        text = text.replace(&format!("${}", at + 1), literal);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statement_is_read_with_its_parameters() {
        let log = "2026-01-01 UTC [1] LOG:  execute __diesel_stmt_1: SELECT a\n\tFROM b WHERE c = $1 AND d = $2 AND e = $3\n\
            2026-01-01 UTC [1] DETAIL:  parameters: $1 = '\\x0a', $2 = NULL, $3 = 'it''s 7'\n\
            2026-01-01 UTC [2] LOG:  statement: COMMIT\n";
        let expected = "SELECT a\n\tFROM b WHERE c = '\\x0a' AND d = NULL AND e = 'it''s 7'";
        assert_eq!(last_with(log, "it''s 7").as_deref(), Some(expected));
        assert_eq!(last_with(log, "absent"), None);
    }

    #[test]
    fn parameters_with_two_digits_are_not_taken_for_others() {
        let literals: Vec<_> = (1..=11).map(|number| format!("'{number}'")).collect();
        assert_eq!(with_literals("$1 $11 $10", &literals), "'1' '11' '10'");
    }
}
