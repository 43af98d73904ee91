//! The main table of two binaries.

use super::Results;
use super::numbers::{optional, three, whole};
use super::table::Table;
use crate::load::Figures;

/// One row per case and number of connections: A is the first binary, B the one of `--against`.
pub(super) fn main_table(a: &Results, b: &Results) -> String {
    let mut table = Table::new(&[
        "case",
        "conns",
        "req/s A",
        "B",
        "A / B",
        "p50 ms A",
        "B",
        "p99 ms A",
        "B",
        "server CPU ms A",
        "B",
        "PostgreSQL CPU ms A",
        "B",
        "statements A",
        "B",
    ]);
    for (case, other) in a.cases.iter().zip(&b.cases) {
        for (one, other) in case.figures.iter().zip(&other.figures) {
            table.row(row(&case.name, one, other));
        }
    }
    format!("A: {}\nB: {}\n\n{}", a.path, b.path, table.text())
}

fn row(name: &str, a: &Figures, b: &Figures) -> Vec<String> {
    let mut cells = vec![
        name.to_owned(),
        a.connections.to_string(),
        whole(a.requests_per_second),
        whole(b.requests_per_second),
        three(a.requests_per_second / b.requests_per_second),
    ];
    let figures: [fn(&Figures) -> Option<f64>; 5] =
        [|of| of.p50_ms, |of| of.p99_ms, |of| of.server_cpu_ms, |of| of.postgres_cpu_ms, |of| of.statements];
    for figure in figures {
        cells.push(optional(figure(a), three));
        cells.push(optional(figure(b), three));
    }
    cells
}
