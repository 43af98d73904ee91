//! Results, as tables and as JSON.

mod baseline;
mod compare;
mod numbers;
mod table;
mod tables;

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;
use serde_json::Value;

pub(crate) use baseline::regressions;

use crate::cases::Case;
use crate::growth::Growth;
use crate::imports::Import;
use crate::organizations::OrganizationList;
use crate::overload::{Crowd, Disturbed};
use crate::process::Memory;
use crate::rows::Written;
use crate::search_index::{LargeIndex, UpdatesWithIndex};
use crate::weights::Weight;

/// The JSON file. `docs/performance.md` documents it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    /// Version of this format.
    pub(crate) format: u32,
    pub(crate) processors: usize,
    /// Duration of a measurement at 16 connections.
    pub(crate) seconds: u64,
    /// Measurements of each case, of which the mean is reported.
    pub(crate) rounds: usize,
    /// pgbench on the PostgreSQL of the first binary.
    pub(crate) ceilings: Vec<Case>,
    /// One element per binary.
    pub(crate) binaries: Vec<Results>,
}

/// The results of one binary.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Results {
    pub(crate) path: String,
    pub(crate) memory: MemoryOverTime,
    pub(crate) cases: Vec<Case>,
    pub(crate) growth: Vec<Growth>,
    pub(crate) rows_per_edit: Vec<Written>,
    pub(crate) organizations: Vec<OrganizationList>,
    pub(crate) overload: Option<Crowd>,
    pub(crate) disturbance: Vec<Disturbed>,
    pub(crate) imports: Vec<Import>,
    pub(crate) weights: Vec<Weight>,
    pub(crate) large_index: Option<LargeIndex>,
    pub(crate) updates_with_index: Option<UpdatesWithIndex>,
}

/// Memory of the server under load.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct MemoryOverTime {
    /// Two seconds after the start, without content.
    pub(crate) idle: Memory,
    pub(crate) after_load: Memory,
    /// After a page with listings, whose grammars stay in memory for ten seconds. Absent if a filter leaves it out.
    pub(crate) after_listings: Option<Memory>,
    /// Absent if a filter leaves it out.
    pub(crate) after_30_s: Option<Memory>,
}

/// Reads the JSON of an earlier report.
pub(crate) fn read(path: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} can't be read", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))
}

impl Report {
    /// The tables in Markdown.
    pub(crate) fn text(&self) -> String {
        let mut text = match self.binaries.as_slice() {
            [one, other] => compare::main_table(one, other),
            one => one.iter().map(|results| tables::main(&self.ceilings, &results.cases)).collect(),
        };
        for results in &self.binaries {
            if self.binaries.len() > 1 {
                text.push_str(&format!("\n{}\n", results.path));
            }
            text.push_str(&tables::others(results));
        }
        text
    }

    /// The same results as JSON.
    pub(crate) fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)?)
    }
}
