//! Results, as tables, as JSON, and compared with those of an earlier run.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::load::Figures;
use crate::measure::Case;
use crate::process::Memory;

/// The JSON file. `docs/performance.md` documents it.
#[derive(Serialize)]
pub(crate) struct Report {
    /// Version of this format.
    pub(crate) format: u32,
    pub(crate) processors: usize,
    /// Duration of a measurement.
    pub(crate) seconds: u64,
    /// Measurements of each case, of which the mean is reported.
    pub(crate) rounds: usize,
    /// One element per binary.
    pub(crate) binaries: Vec<Results>,
}

/// The results of one binary. Parts that a filter leaves out are empty.
#[derive(Serialize)]
pub(crate) struct Results {
    pub(crate) path: String,
    pub(crate) memory: MemoryOverTime,
    pub(crate) cases: Vec<Case>,
    pub(crate) growth: Vec<Row>,
    pub(crate) overload: Vec<Row>,
    pub(crate) disturbance: Vec<Row>,
}

/// Memory of the server under load.
#[derive(Serialize)]
pub(crate) struct MemoryOverTime {
    /// Two seconds after the start, without content.
    pub(crate) idle: Memory,
    pub(crate) after_load: Memory,
    /// Absent if a filter leaves it out.
    pub(crate) after_30_s: Option<Memory>,
}

/// A row of a table, by column: a key of the JSON.
pub(crate) struct Row(pub(crate) Vec<(&'static str, Value)>);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(column, value)| (column, value)))
    }
}

impl Report {
    /// The tables in Markdown.
    pub(crate) fn text(&self) -> String {
        let mut text = match self.binaries.as_slice() {
            [one, other] => format!("A: {}\nB: {}\n\n{}", one.path, other.path, compared(one, other)),
            one => one.iter().map(|results| table(results.cases.iter().map(case).collect())).collect(),
        };
        for results in &self.binaries {
            if self.binaries.len() > 1 {
                text.push_str(&format!("\n{}\n", results.path));
            }
            text.push_str(&results.tables());
        }
        text
    }
}

impl Results {
    /// All tables but the main one, each with a title. Tables without rows are left out.
    fn tables(&self) -> String {
        let moments = [("idle", Some(&self.memory.idle)), ("after the load", Some(&self.memory.after_load))];
        let moments = moments.into_iter().chain([("30 s later", self.memory.after_30_s.as_ref())]);
        let memory = moments.filter_map(|(moment, memory)| {
            let (resident, anonymous) = (memory?.resident_mb, memory?.anonymous_mb);
            Some(vec![
                ("server", json!(moment)),
                ("resident", json!(resident)),
                ("anonymous", json!(anonymous)),
            ])
        });
        let rows = |rows: &[Row]| rows.iter().map(|row| row.0.clone()).collect();
        let tables: [(&str, Vec<Cells>); 4] = [
            ("growth: median ms by pages of the space", rows(&self.growth)),
            ("memory in MB", memory.collect()),
            ("512 connections on one page", rows(&self.overload)),
            ("one page at 16 connections while other work runs", rows(&self.disturbance)),
        ];
        let tables = tables.into_iter().filter(|(_, rows)| !rows.is_empty());
        tables.map(|(title, rows)| format!("\n{title}\n\n{}", table(rows))).collect()
    }
}

type Cells = Vec<(&'static str, Value)>;

/// A row of the main table: rates by number of connections, the rest at 16 or at the only number.
fn case(case: &Case) -> Cells {
    let at = |connections| case.figures.iter().find(|figures| figures.connections == connections);
    let rate = |connections| json!(at(connections).map(|figures| figures.requests_per_second));
    let refused = case.figures.iter().map(|figures| figures.refused_per_second).fold(0.0, f64::max);
    let main = at(16).or(case.figures.first()).cloned().unwrap_or_default();
    vec![
        ("case", json!(case.name)),
        ("req/s, 1", rate(1)),
        ("16 conns", rate(16)),
        ("64 conns", rate(64)),
        ("refused/s", json!((refused > 0.0).then_some(refused))),
        ("p50 ms", json!(main.p50_ms)),
        ("p99 ms", json!(main.p99_ms)),
        ("server CPU ms", json!(main.server_cpu_ms)),
        ("PostgreSQL CPU ms", json!(main.postgres_cpu_ms)),
        ("statements", json!(main.statements)),
        ("answer kB", json!(case.answer_bytes.map(|bytes| float(bytes) / 1e3))),
        ("RSS MB", json!(case.resident_mb)),
    ]
}

/// One row per case and number of connections: A is the first binary, B the one of `--against`.
fn compared(one: &Results, other: &Results) -> String {
    let mut rows = Vec::new();
    for (case, against) in one.cases.iter().zip(&other.cases) {
        for (a, b) in case.figures.iter().zip(&against.figures) {
            let both = |of: fn(&Figures) -> Option<f64>| (json!(of(a)), json!(of(b)));
            let figures = [
                ("req/s A", both(|of| Some(of.requests_per_second))),
                ("p50 ms A", both(|of| of.p50_ms)),
                ("p99 ms A", both(|of| of.p99_ms)),
                ("server CPU ms A", both(|of| of.server_cpu_ms)),
                ("PostgreSQL CPU ms A", both(|of| of.postgres_cpu_ms)),
                ("statements A", both(|of| of.statements)),
            ];
            let ratio = a.requests_per_second / b.requests_per_second;
            let mut row =
                vec![("case", json!(case.name)), ("conns", json!(a.connections)), ("A / B", json!(ratio))];
            row.extend(figures.into_iter().flat_map(|(column, (a, b))| [(column, a), ("B", b)]));
            rows.push(row);
        }
    }
    table(rows)
}

/// A table in Markdown. The columns are those of the first row.
fn table(rows: Vec<Cells>) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let header = first.iter().map(|(column, _)| column.replace('_', " ")).collect();
    let rule =
        first.iter().map(|(_, value)| if value.is_string() { "---" } else { "---:" }.to_owned()).collect();
    let cells = rows.iter().map(|row| line(row.iter().map(|(_, value)| shown(value)).collect()));
    [line(header), line(rule)].into_iter().chain(cells).collect()
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => match value.as_f64() {
            Some(number) if number < 1e3 && value.is_u64() => value.to_string(),
            Some(number) => three(number),
            None => "-".to_owned(),
        },
    }
}

/// Three significant digits, or a whole number with separators of thousands.
fn three(value: f64) -> String {
    match value.abs() {
        small if small < 0.9995 => format!("{value:.3}"),
        small if small < 9.995 => format!("{value:.2}"),
        small if small < 99.95 => format!("{value:.1}"),
        small if small < 999.5 => format!("{value:.0}"),
        _ => format!("{:.0},{:03.0}", (value / 1_000.0).trunc(), value.abs() % 1_000.0),
    }
}

/// A count as a floating-point number.
pub(crate) fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// The sentences about figures of a report that are worse than those of an earlier report, both as JSON, by more than a
/// part of them. Figures that only one of them has are left out; only the first binary of each counts.
pub(crate) fn regressions(report: &Value, earlier: &Value, margin: f64) -> Vec<String> {
    let (now, stored) = (figures(report), figures(earlier));
    let both = stored.iter().filter_map(|(name, stored)| Some((name, now.get(name)?, stored)));
    let worse = both.filter(|(_, (is_cost, now), (_, stored))| match is_cost {
        true => *now > stored * (1.0 + margin),
        false => *now < stored * (1.0 - margin),
    });
    worse.map(|(name, (_, now), (_, stored))| format!("{name}: {now:.3}, was {stored:.3}")).collect()
}

/// Figures of the first binary of a report by name, and whether they are costs, of which more is worse.
fn figures(report: &Value) -> BTreeMap<String, (bool, f64)> {
    let binary = report.pointer("/binaries/0").unwrap_or(&Value::Null);
    let mut figures = BTreeMap::new();
    for case in elements(binary, "cases") {
        for of in elements(case, "figures") {
            let name = |figure| {
                format!("{}, {figure} at {} connections", text(case, "name"), text(of, "connections"))
            };
            if let Some(rate) = number(of, "requests_per_second") {
                figures.insert(name("requests/s"), (false, rate));
            }
            if let Some((server, postgres)) = number(of, "server_cpu_ms").zip(number(of, "postgres_cpu_ms")) {
                figures.insert(name("CPU ms"), (true, server + postgres));
            }
        }
    }
    for moment in ["idle", "after_load", "after_30_s"] {
        if let Some(mb) = binary.pointer(&format!("/memory/{moment}/resident_mb")).and_then(Value::as_f64) {
            figures.insert(format!("resident MB, {moment}"), (true, mb));
        }
    }
    for work in elements(binary, "disturbance") {
        let rates = number(work, "requests_per_second").zip(number(work, "requests_per_second_alone"));
        if let Some((during, alone)) = rates.filter(|(_, alone)| *alone > 0.0) {
            figures.insert(format!("share during {}", text(work, "by")), (false, during / alone));
        }
    }
    figures
}

fn elements<'v>(value: &'v Value, member: &str) -> impl Iterator<Item = &'v Value> {
    value.get(member).and_then(Value::as_array).into_iter().flatten()
}

fn number(value: &Value, member: &str) -> Option<f64> {
    value.get(member).and_then(Value::as_f64)
}

fn text(value: &Value, member: &str) -> String {
    value.get(member).map(shown).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_short_numbers() {
        let row = |name, value: Value| vec![("case", json!(name)), ("req_s", value)];
        let values =
            [json!(234_567), json!(0.1234), json!(12.34), json!(1_234.5), json!(null), json!(f64::NAN)];
        let text = table(values.into_iter().map(|value| row("a", value)).collect());
        assert!(text.starts_with("| case | req s |\n| --- | ---: |\n| a | 234,567 |\n"), "{text}");
        for shown in ["| 0.123 |", "| 12.3 |", "| 1,234 |", "| - |"] {
            assert!(text.contains(shown), "{shown} in {text}");
        }
        assert_eq!(table(Vec::new()), "");
    }

    fn report(rate: f64, cpu: f64, idle: f64, during: f64) -> Value {
        json!({ "binaries": [{
            "cases": [{ "name": "tree", "figures": [
                { "connections": 16, "requests_per_second": rate, "server_cpu_ms": cpu, "postgres_cpu_ms": 0.1 },
            ] }],
            "memory": { "idle": { "resident_mb": idle }, "after_load": { "resident_mb": 100.0 }, "after_30_s": null },
            "disturbance": [{ "by": "exports", "requests_per_second": during, "requests_per_second_alone": 100.0 }],
        }] })
    }

    #[test]
    fn each_kind_of_figure_can_be_worse() {
        let stored = report(1_000.0, 0.4, 30.0, 80.0);
        assert!(regressions(&report(850.0, 0.48, 34.0, 70.0), &stored, 0.2).is_empty());
        assert!(regressions(&json!({ "binaries": [] }), &stored, 0.2).is_empty());
        let expected = [
            (report(700.0, 0.4, 30.0, 80.0), "tree, requests/s at 16 connections: 700.000, was 1000.000"),
            (report(1_000.0, 0.6, 30.0, 80.0), "tree, CPU ms at 16 connections: 0.700, was 0.500"),
            (report(1_000.0, 0.4, 40.0, 80.0), "resident MB, idle: 40.000, was 30.000"),
            (report(1_000.0, 0.4, 30.0, 50.0), "share during exports: 0.500, was 0.800"),
        ];
        for (now, sentence) in expected {
            assert_eq!(regressions(&now, &stored, 0.2), [sentence]);
        }
    }
}
