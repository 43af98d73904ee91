//! Command line.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Parser;

/// Measures a Quire over HTTP, on a private PostgreSQL with default durability. `docs/performance.md` explains the
/// figures.
#[derive(Debug, Parser)]
pub(crate) struct Options {
    /// The binary to measure
    pub(crate) quire: PathBuf,

    /// Words: cases whose names contain one of them are measured [default: all]
    pub(crate) filters: Vec<String>,

    /// Another binary, measured in alternation with the first
    #[arg(long, value_name = "QUIRE")]
    pub(crate) against: Option<PathBuf>,

    /// Writes the results to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Fails if a figure is worse than in these results of an earlier run
    #[arg(long, env = "BENCH_BASELINE", value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// The part of a figure by which it may be worse than the baseline
    #[arg(long, env = "BENCH_MARGIN", value_name = "PART", default_value_t = 0.3)]
    pub(crate) margin: f64,

    /// Duration of a measurement at 16 connections
    #[arg(long, env = "BENCH_SECONDS", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub(crate) seconds: u64,
}

impl Options {
    /// True without filters, or if a filter is part of the name.
    pub(crate) fn selects(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(&filter.to_lowercase()))
    }

    /// Refuses filters that select nothing.
    pub(crate) fn check(&self, names: &[&str]) -> Result<()> {
        for filter in &self.filters {
            if !names.iter().any(|name| name.to_lowercase().contains(&filter.to_lowercase())) {
                bail!("no case has {filter:?} in its name; the cases are: {}", names.join("; "));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_select_by_parts_of_names() {
        let options = Options::parse_from(["quire-bench", "quire", "Page", "comments"]);
        assert!(options.selects("page as JSON") && options.selects("comments in one space"));
        assert!(!options.selects("healthz"));
        assert!(options.check(&["page as JSON", "comments in one space"]).is_ok());
        assert!(options.check(&["page as JSON"]).is_err());
        assert!(Options::parse_from(["quire-bench", "quire"]).selects("healthz"));
    }
}
