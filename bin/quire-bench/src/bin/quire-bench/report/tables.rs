//! The tables of one binary.

use super::Results;
use super::numbers::{ABSENT, optional, three, whole};
use super::table::Table;
use crate::cases::Case;
use crate::process::Memory;

/// The main table: the ceilings of PostgreSQL, then the cases.
pub(super) fn main(ceilings: &[Case], cases: &[Case]) -> String {
    let mut table = Table::new(&[
        "case",
        "req/s, 1",
        "16 conns",
        "64 conns",
        "refused/s",
        "p50 ms",
        "p99 ms",
        "server CPU ms",
        "PostgreSQL CPU ms",
        "statements",
        "answer kB",
        "RSS MB",
        "ceiling/s",
        "share",
    ]);
    for case in ceilings.iter().chain(cases) {
        table.row(row(case));
    }
    table.text()
}

fn row(case: &Case) -> Vec<String> {
    let main = case.main();
    let rate = |connections| optional(case.at(connections).map(|figures| figures.requests_per_second), whole);
    let refused = case.figures.iter().map(|figures| figures.refused_per_second).fold(0.0, f64::max);
    vec![
        case.name.clone(),
        rate(1),
        rate(16),
        rate(64),
        optional((refused > 0.0).then_some(refused), three),
        optional(main.and_then(|figures| figures.p50_ms), three),
        optional(main.and_then(|figures| figures.p99_ms), three),
        optional(main.and_then(|figures| figures.server_cpu_ms), three),
        optional(main.and_then(|figures| figures.postgres_cpu_ms), three),
        optional(main.and_then(|figures| figures.statements), three),
        optional(
            case.answer_bytes.map(|bytes| f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / 1e3),
            three,
        ),
        optional(case.resident_mb, whole),
        optional(case.ceiling.as_ref().map(|ceiling| ceiling.requests_per_second), whole),
        optional(case.share(), three),
    ]
}

/// All other tables, each with a title. Tables without rows are left out.
pub(super) fn others(results: &Results) -> String {
    let tables = [
        ("growth: median ms by pages of the space", growth(results)),
        ("rows that an edit of one page writes", rows(results)),
        ("lists of a small and a large organization, median ms", organizations(results)),
        ("memory in MB", memory(results)),
        ("a page with most blocks, in kB", weights(results)),
        ("imports: memory in MB, each on a server of its own", imports(results)),
        ("512 connections on one page", overload(results)),
        ("one page at 16 connections while other work runs", disturbance(results)),
        ("search index of 1,000 spaces, on a server of its own", large_index(results)),
        ("page updates in one space with and without the search index", updates(results)),
    ];
    let tables = tables.into_iter().filter(|(_, table)| !table.is_empty());
    tables.map(|(title, table)| format!("\n{title}\n\n{table}")).collect()
}

fn growth(results: &Results) -> String {
    let mut table = Table::new(&["operation", "100", "1,000", "10,000", "10,000 / 100"]);
    for row in &results.growth {
        let (small, large) = (row.p50_ms_at_100_pages, row.p50_ms_at_10000_pages);
        let figures = [small, row.p50_ms_at_1000_pages, large, large / small];
        table.row([row.operation.to_owned()].into_iter().chain(figures.map(three)));
    }
    table.text()
}

fn rows(results: &Results) -> String {
    let mut table = Table::new(&["pages", "rows"]);
    for row in &results.rows_per_edit {
        table.row([row.pages.to_string(), row.describe()]);
    }
    table.text()
}

fn organizations(results: &Results) -> String {
    let mut table = Table::new(&["list", "small", "large", "large / small"]);
    for row in &results.organizations {
        let figures = [row.p50_ms_small, row.p50_ms_large, row.p50_ms_large / row.p50_ms_small];
        table.row([row.list.to_owned()].into_iter().chain(figures.map(three)));
    }
    table.text()
}

fn memory(results: &Results) -> String {
    let mut table = Table::new(&["server", "resident", "anonymous"]);
    let mut row = |name: &str, memory: Memory| {
        table.row([name.to_owned(), three(memory.resident_mb), three(memory.anonymous_mb)]);
    };
    row("idle", results.memory.idle);
    row("after the load", results.memory.after_load);
    if let Some(listings) = results.memory.after_listings {
        row("after a page with listings", listings);
    }
    if let Some(later) = results.memory.after_30_s {
        row("30 s later", later);
    }
    table.text()
}

fn weights(results: &Results) -> String {
    let mut table = Table::new(&["part", "requests", "plain", "gzip", "brotli"]);
    for weight in &results.weights {
        let kilobytes = [weight.plain, weight.gzip, weight.brotli];
        let kilobytes =
            kilobytes.map(|bytes| three(f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / 1e3));
        table.row([weight.part.to_owned(), weight.requests.to_string()].into_iter().chain(kilobytes));
    }
    table.text()
}

fn imports(results: &Results) -> String {
    let mut table = Table::new(&[
        "import",
        "input",
        "idle",
        "peak above idle",
        "peak / input",
        "30 s later, above idle",
        "of it anonymous",
        "caches",
        "30 s later / (idle + caches)",
        "seconds",
        "answer",
    ]);
    for import in &results.imports {
        let figures = [
            import.input_mb,
            import.idle_mb,
            import.peak_above_idle_mb,
            import.peak_above_idle_mb / import.input_mb,
            import.rest_above_idle_mb,
            import.anonymous_above_idle_mb,
        ];
        let cells = [import.name.to_owned()].into_iter().chain(figures.map(three));
        let rest = [import.caches_mb, import.rest_share(), Some(import.seconds)];
        let rest = rest.map(|figure| optional(figure, three));
        table.row(cells.chain(rest).chain([import.answer.chars().take(60).collect()]));
    }
    table.text()
}

fn overload(results: &Results) -> String {
    let mut table = Table::new(&[
        "connections",
        "req/s",
        "share of 16 connections",
        "503",
        "with Retry-After",
        "p50 ms",
        "p99 ms",
    ]);
    if let Some(row) = &results.overload {
        table.row([
            row.connections.to_string(),
            whole(row.requests_per_second),
            three(row.requests_per_second / row.requests_per_second_at_16),
            three(row.busy_share),
            row.retry_after_share.map_or(ABSENT.to_owned(), three),
            optional(Some(row.p50_ms), three),
            optional(Some(row.p99_ms), three),
        ]);
    }
    table.text()
}

fn disturbance(results: &Results) -> String {
    let mut table =
        Table::new(&["work", "completed", "req/s alone", "req/s", "share", "p99 ms alone", "p99 ms"]);
    for row in &results.disturbance {
        table.row([
            row.by.to_owned(),
            row.completed.map_or(ABSENT.to_owned(), |completed| completed.to_string()),
            whole(row.requests_per_second_alone),
            whole(row.requests_per_second),
            three(row.requests_per_second / row.requests_per_second_alone),
            three(row.p99_ms_alone),
            three(row.p99_ms),
        ]);
    }
    table.text()
}

fn large_index(results: &Results) -> String {
    let mut table = Table::new(&["figure", "value"]);
    let Some(index) = &results.large_index else { return String::new() };
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row("pages", whole(f64::from(u32::try_from(index.pages).unwrap_or(u32::MAX))));
    row("filled in s", whole(index.fill_seconds));
    row("indexed pages/s after the index was deleted", whole(index.rebuild_pages_per_second));
    row("index on disk, MB", three(index.index_mb));
    for (name, memory) in [("started with the index", index.started), ("after the searches", index.searched)]
    {
        let (anonymous, resident) =
            (memory.anonymous_mb - index.empty.anonymous_mb, memory.resident_mb - index.empty.resident_mb);
        row(&format!("{name}: anonymous memory above an empty server, MB"), three(anonymous));
        row(&format!("{name}: resident memory above an empty server, MB"), three(resident));
    }
    for figures in &index.search.figures {
        let connections = figures.connections;
        row(&format!("searches/s, {connections} connections"), whole(figures.requests_per_second));
        row(&format!("p50 ms, {connections} connections"), optional(figures.p50_ms, three));
        row(&format!("p99 ms, {connections} connections"), optional(figures.p99_ms, three));
        row(&format!("server CPU ms, {connections} connections"), optional(figures.server_cpu_ms, three));
        row(
            &format!("PostgreSQL CPU ms, {connections} connections"),
            optional(figures.postgres_cpu_ms, three),
        );
    }
    table.text()
}

fn updates(results: &Results) -> String {
    let mut table = Table::new(&["conns", "figure", "with", "without", "with / without"]);
    let Some(updates) = &results.updates_with_index else { return String::new() };
    for (with, without) in updates.with.figures.iter().zip(&updates.without.figures) {
        let figures = [
            ("req/s", Some(with.requests_per_second), Some(without.requests_per_second)),
            ("p50 ms", with.p50_ms, without.p50_ms),
            ("p99 ms", with.p99_ms, without.p99_ms),
            ("server CPU ms", with.server_cpu_ms, without.server_cpu_ms),
            ("PostgreSQL CPU ms", with.postgres_cpu_ms, without.postgres_cpu_ms),
        ];
        for (name, with_index, without_index) in figures {
            let ratio =
                with_index.zip(without_index).map(|(with_index, without_index)| with_index / without_index);
            let cells = [with_index, without_index, ratio].map(|value| optional(value, three));
            table.row([with.connections.to_string(), name.to_owned()].into_iter().chain(cells));
        }
    }
    table.text()
}
