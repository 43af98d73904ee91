//! Comparison of results with those of an earlier run.

use std::collections::BTreeMap;

use serde_json::Value;

/// A figure that is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Figure {
    /// A throughput or share: less is worse.
    AtLeast(f64),
    /// A cost: more is worse.
    AtMost(f64),
}

impl Figure {
    /// Returns whether this figure is worse than a stored one by more than a part of it.
    fn is_worse(self, stored: Self, margin: f64) -> bool {
        match (self, stored) {
            (Self::AtLeast(now), Self::AtLeast(stored)) => now < stored * (1.0 - margin),
            (Self::AtMost(now), Self::AtMost(stored)) => now > stored * (1.0 + margin),
            _ => false,
        }
    }

    fn value(self) -> f64 {
        match self {
            Self::AtLeast(value) | Self::AtMost(value) => value,
        }
    }
}

/// The sentences about figures of a report that are worse than those of an earlier report, both as JSON, by more than a
/// part of them. Figures that only one of them has are left out; only the first binary of each counts.
pub(crate) fn regressions(report: &Value, earlier: &Value, margin: f64) -> Vec<String> {
    let (now, stored) = (figures(report), figures(earlier));
    let both = stored.iter().filter_map(|(name, stored)| Some((name, now.get(name)?, stored)));
    let worse = both.filter(|(_, now, stored)| now.is_worse(**stored, margin));
    worse
        .map(|(name, now, stored)| format!("{name}: {:.3}, was {:.3}", now.value(), stored.value()))
        .collect()
}

/// Figures of the first binary of a report, by name.
fn figures(report: &Value) -> BTreeMap<String, Figure> {
    let binary = report.pointer("/binaries/0").unwrap_or(&Value::Null);
    let mut figures = BTreeMap::new();
    for case in elements(binary, "cases") {
        let name = text(case, "name");
        for of in elements(case, "figures") {
            let connections = of.get("connections").unwrap_or(&Value::Null);
            if let Some(rate) = number(of, "requests_per_second") {
                let name = format!("{name}, requests/s at {connections} connections");
                figures.insert(name, Figure::AtLeast(rate));
            }
            if let Some((server, postgres)) = number(of, "server_cpu_ms").zip(number(of, "postgres_cpu_ms")) {
                let name = format!("{name}, CPU ms at {connections} connections");
                figures.insert(name, Figure::AtMost(server + postgres));
            }
        }
    }
    for moment in ["idle", "after_load", "after_listings", "after_30_s"] {
        if let Some(mb) = binary.pointer(&format!("/memory/{moment}/resident_mb")).and_then(Value::as_f64) {
            figures.insert(format!("resident MB, {moment}"), Figure::AtMost(mb));
        }
    }
    for work in elements(binary, "disturbance") {
        let rates = number(work, "requests_per_second").zip(number(work, "requests_per_second_alone"));
        if let Some((during, alone)) = rates.filter(|(_, alone)| *alone > 0.0) {
            figures.insert(format!("share during {}", text(work, "by")), Figure::AtLeast(during / alone));
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

fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value.get(member).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
    fn figures_within_the_margin_hold() {
        let stored = report(1_000.0, 0.4, 30.0, 80.0);
        assert!(regressions(&stored, &stored, 0.0).is_empty());
        assert!(regressions(&report(850.0, 0.48, 34.0, 70.0), &stored, 0.2).is_empty());
        assert!(regressions(&report(2_000.0, 0.1, 10.0, 100.0), &stored, 0.0).is_empty());
    }

    #[test]
    fn each_kind_of_figure_can_be_worse() {
        let stored = report(1_000.0, 0.4, 30.0, 80.0);
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

    #[test]
    fn figures_of_one_report_alone_are_left_out() {
        let none = json!({ "binaries": [{ "cases": [] }] });
        assert!(regressions(&none, &report(1.0, 1.0, 1.0, 1.0), 0.2).is_empty());
        assert!(regressions(&report(1.0, 1.0, 1.0, 1.0), &none, 0.2).is_empty());
    }
}
