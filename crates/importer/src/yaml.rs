//! Reading of YAML with bounds. A single section can be read, since settings contain tags and values that only their
//! own program understands.

use quire_markup::openapi::Json;
use serde_json::Value;
use serde_saphyr::{DuplicateKeyPolicy, Options, budget, options};

/// Limits on the nodes and levels of a section, larger than any table of contents.
const MAX_NODES: usize = 100_000;
const MAX_LEVELS: usize = 64;

/// Returns the value of a top-level key of a file; `None` if it is missing or invalid.
pub(crate) fn section(text: &str, key: &str) -> Option<Json> {
    let begins = |line: &&str| line.strip_prefix(key).is_some_and(|behind| behind.starts_with(':'));
    let mut lines = text.lines().skip_while(|line| !begins(line));
    let mut section = lines.next()?.to_owned();
    let is_inside =
        |line: &&str| line.is_empty() || line.starts_with([' ', '\t', '#', '-']) && !line.starts_with("---");
    for line in lines.take_while(is_inside) {
        section.push('\n');
        section.push_str(line);
    }
    parse(&section)?.get(key).cloned()
}

/// Parses YAML; `None` if it is invalid or too large.
pub(crate) fn parse(text: &str) -> Option<Json> {
    serde_saphyr::from_str_with_options(text, bounded(text)).ok()
}

/// Parses YAML as values of JSON; `None` if it is invalid or too large.
#[must_use]
pub fn values(text: &str) -> Option<Value> {
    serde_saphyr::from_str_with_options(text, bounded(text)).ok()
}

fn bounded(text: &str) -> Options {
    options! {
        budget: budget! {
            max_depth: MAX_LEVELS,
            max_nodes: MAX_NODES,
            max_events: MAX_NODES.saturating_mul(2),
            max_total_scalar_bytes: text.len().saturating_mul(2),
        },
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        strict_booleans: true,
        with_snippet: false,
    }
}
