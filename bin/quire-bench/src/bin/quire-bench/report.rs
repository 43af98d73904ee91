//! Results, as tables, as JSON, and compared with those of an earlier run.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

/// A kind of table: a key of the JSON, and the columns after the name of a row.
type Kind = (&'static str, &'static [&'static str]);

#[rustfmt::skip]
pub(crate) const CASES: Kind = ("cases", &[
    "requests_per_second", "refused_per_second", "p50_ms", "p99_ms", "server_cpu_ms", "postgres_cpu_ms", "cpu_ms",
    "statements", "answer_kb", "rss_mb",
]);
pub(crate) const GROWTH: Kind =
    ("growth", &["p50_ms_at_100_pages", "p50_ms_at_1000_pages", "p50_ms_at_10000_pages", "10000_by_100"]);
pub(crate) const MEMORY: Kind = ("memory", &["resident_mb", "anonymous_mb"]);
pub(crate) const OVERLOAD: Kind =
    ("overload", &["per_second_at_16", "per_second_at_512", "busy_share", "p50_ms", "p99_ms"]);
pub(crate) const DISTURBANCE: Kind =
    ("disturbance", &["completed", "per_second_alone", "per_second", "share", "p99_ms_alone", "p99_ms"]);

/// Figures that are compared with a baseline, and whether they are costs, of which more is worse.
const COMPARED: [(&str, bool); 4] =
    [("requests_per_second", false), ("cpu_ms", true), ("resident_mb", true), ("share", false)];

/// A table: a row has a name, and a figure for each column. A figure that does not apply is not a number.
type Table = (Kind, Vec<(String, Vec<f64>)>);

/// The results of one binary.
pub(crate) struct Results {
    path: String,
    tables: Vec<Table>,
}

impl Results {
    pub(crate) fn new(binary: &Path) -> Self {
        Self { path: binary.display().to_string(), tables: Vec::new() }
    }

    /// Adds a row, in place of one with the same name.
    pub(crate) fn add(&mut self, kind: Kind, name: &str, figures: &[f64]) {
        if !self.tables.iter().any(|(known, _)| *known == kind) {
            self.tables.push((kind, Vec::new()));
        }
        for (_, rows) in self.tables.iter_mut().filter(|(known, _)| *known == kind) {
            rows.retain(|(known, _)| known != name);
            rows.push((name.to_owned(), figures.to_vec()));
        }
    }

    /// The JSON of the results. `docs/performance.md` documents it.
    pub(crate) fn json(&self) -> Value {
        let mut json = Map::from_iter([("path".to_owned(), json!(self.path))]);
        for ((key, columns), rows) in &self.tables {
            let rows = rows.iter().map(|(name, figures)| {
                let figures = columns.iter().zip(figures).map(|(key, figure)| (*key, json!(figure)));
                figures.chain([("name", json!(name))]).map(|(key, value)| (key.to_owned(), value)).collect()
            });
            json.insert(key.to_string(), Value::Array(rows.map(Value::Object).collect()));
        }
        Value::Object(json)
    }
}

/// The tables in Markdown. Each row of the first binary is followed by that of the second and by their ratio.
pub(crate) fn text(results: &[Results]) -> String {
    let line = |name: &str, cells: &mut dyn Iterator<Item = String>| {
        format!("| {name} | {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let mut text = String::new();
    for (letter, results) in ["A", "B"].iter().zip(results) {
        text += &format!("{letter}: {}\n", results.path);
    }
    for (kind @ (key, columns), rows) in results.first().map_or(&[][..], |results| &results.tables) {
        let rule = columns.iter().map(|_| "---:".to_owned());
        text += &format!("\n{key}\n\n");
        text += &line("name", &mut columns.iter().map(|column| column.replace('_', " ")));
        text += &line("---", &mut rule.into_iter());
        let other = results.get(1).and_then(|other| other.tables.iter().find(|(of, _)| of == kind));
        for (name, figures) in rows {
            let other = other.and_then(|(_, rows)| rows.iter().find(|(of, _)| of == name));
            text += &line(name, &mut figures.iter().copied().map(shown));
            if let Some((_, other)) = other {
                text += &line("B", &mut other.iter().copied().map(shown));
                text += &line("A / B", &mut figures.iter().zip(other).map(|(a, b)| shown(a / b)));
            }
        }
    }
    text
}

/// Three significant digits, or a whole number with separators of thousands.
fn shown(value: f64) -> String {
    match value.abs() {
        small if small < 0.9995 => format!("{value:.3}"),
        small if small < 9.995 => format!("{value:.2}"),
        small if small < 99.95 => format!("{value:.1}"),
        small if small < 999.5 => format!("{value:.0}"),
        large if large.is_finite() => format!("{:.0},{:03.0}", (value / 1e3).trunc(), large % 1e3),
        _ => "-".to_owned(),
    }
}

/// A count as a floating-point number.
pub(crate) fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Sentences about figures that are worse than in earlier results, both of one binary as JSON, by more than a part of
/// them. Figures that only one of them has are left out.
pub(crate) fn regressions(now: &Value, earlier: &Value, margin: f64) -> Vec<String> {
    let (now, earlier) = (compared(now), compared(earlier));
    let both = earlier.iter().filter_map(|(name, (_, was))| Some((name, now.get(name)?, was)));
    let worse = both.filter(|(_, (is_cost, now), was)| match is_cost {
        true => *now > *was * (1.0 + margin),
        false => *now < *was * (1.0 - margin),
    });
    worse.map(|(name, (_, now), was)| format!("{name}: {now:.3}, was {was:.3}")).collect()
}

/// The compared figures of results by name, and whether they are costs.
fn compared(results: &Value) -> BTreeMap<String, (bool, f64)> {
    let tables = results.as_object().into_iter().flatten().filter_map(|(_, table)| table.as_array());
    let mut figures = BTreeMap::new();
    for row in tables.flatten() {
        let name = row.get("name").and_then(Value::as_str).unwrap_or_default();
        for (column, is_cost) in COMPARED {
            if let Some(figure) = row.get(column).and_then(Value::as_f64) {
                figures.insert(format!("{name}: {}", column.replace('_', " ")), (is_cost, figure));
            }
        }
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_short_numbers() {
        let mut results = Results::new(Path::new("quire"));
        results.add(MEMORY, "idle", &[234_567.0, 0.1234]);
        results.add(MEMORY, "later", &[12.34, f64::NAN]);
        let shown = "| name | resident mb | anonymous mb |\n| --- | ---: | ---: |\n\
                     | idle | 234,567 | 0.123 |\n| later | 12.3 | - |\n";
        assert_eq!(text(&[results]), format!("A: quire\n\nmemory\n\n{shown}"));
    }

    #[test]
    fn each_kind_of_figure_can_be_worse() {
        let results = |rate: f64, cpu: f64, idle: f64, share: f64| {
            json!({
                "path": "quire", "cases": [{"name": "tree, 16", "requests_per_second": rate, "cpu_ms": cpu}],
                "memory": [{"name": "idle", "resident_mb": idle}],
                "disturbance": [{"name": "exports", "share": share, "alone": null}],
            })
        };
        let earlier = results(1_000.0, 0.5, 30.0, 0.8);
        assert!(regressions(&results(850.0, 0.58, 34.0, 0.7), &earlier, 0.2).is_empty());
        assert!(regressions(&json!({}), &earlier, 0.2).is_empty());
        for (now, sentence) in [
            (results(700.0, 0.5, 30.0, 0.8), "tree, 16: requests per second: 700.000, was 1000.000"),
            (results(1_000.0, 0.7, 30.0, 0.8), "tree, 16: cpu ms: 0.700, was 0.500"),
            (results(1_000.0, 0.5, 40.0, 0.8), "idle: resident mb: 40.000, was 30.000"),
            (results(1_000.0, 0.5, 30.0, 0.5), "exports: share: 0.500, was 0.800"),
        ] {
            assert_eq!(regressions(&now, &earlier, 0.2), [sentence]);
        }
    }
}
