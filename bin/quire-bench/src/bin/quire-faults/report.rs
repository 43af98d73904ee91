//! The table that is printed at the end.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::faults::Fault;
use crate::ledger::Tally;

/// Results of one kind of fault.
#[derive(Clone, Debug, Default)]
struct Row {
    faults: u32,
    losses: usize,
    duplicates: usize,
    errors: usize,
    wrong: usize,
    unavailable: u64,
    acknowledged: u64,
    heals: Vec<Duration>,
    jobs: Duration,
}

/// Results of all kinds.
#[derive(Clone, Debug, Default)]
pub struct Report {
    rows: BTreeMap<Fault, Row>,
    findings: Vec<String>,
}

impl Report {
    /// Adds the result of one fault.
    pub fn add(&mut self, fault: Fault, about: &str, (heal, jobs): (Duration, Duration), tally: &Tally) {
        let row = self.rows.entry(fault).or_default();
        row.faults = row.faults.saturating_add(1);
        row.losses = row.losses.saturating_add(tally.losses.len());
        row.duplicates = row.duplicates.saturating_add(tally.duplicates.len());
        row.errors = row.errors.saturating_add(tally.errors.len());
        row.wrong = row.wrong.saturating_add(tally.wrong.len());
        row.unavailable = row.unavailable.saturating_add(tally.unavailable);
        row.acknowledged = row.acknowledged.saturating_add(tally.acknowledged);
        row.heals.push(heal);
        row.jobs = row.jobs.max(jobs);
        for finding in [&tally.losses, &tally.duplicates, &tally.errors, &tally.wrong].into_iter().flatten() {
            self.findings.push(format!("{} {about}: {finding}", fault.name()));
        }
    }

    /// Returns the number of injected faults.
    pub fn faults(&self) -> u32 {
        self.rows.values().map(|row| row.faults).sum()
    }

    /// Returns the violations.
    pub fn findings(&self) -> &[String] {
        &self.findings
    }

    /// Returns the lines of the table.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{:<20}{:>7}{:>8}{:>12}{:>12}{:>7}{:>14}{:>7}{:>10}{:>10}{:>10}",
            "fault",
            "faults",
            "losses",
            "duplicates",
            "5xx not 503",
            "wrong",
            "acknowledged",
            "503s",
            "heal p50",
            "heal max",
            "jobs max"
        )];
        for (fault, row) in &self.rows {
            let mut heals = row.heals.clone();
            heals.sort();
            let median = heals.get(heals.len().div_euclid(2)).copied().unwrap_or_default();
            let slowest = heals.last().copied().unwrap_or_default();
            let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
            lines.push(format!(
                "{:<20}{:>7}{:>8}{:>12}{:>12}{:>7}{:>14}{:>7}{:>10}{:>10}{:>10}",
                fault.name(),
                row.faults,
                row.losses,
                row.duplicates,
                row.errors,
                row.wrong,
                row.acknowledged,
                row.unavailable,
                seconds(median),
                seconds(slowest),
                seconds(row.jobs)
            ));
        }
        lines
    }
}
