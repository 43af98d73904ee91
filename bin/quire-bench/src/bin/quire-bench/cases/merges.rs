//! Merges of change requests, one at a time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use quire_bench::client::text;
use reqwest::Method;
use serde_json::json;

use super::Case;
use crate::fixture::Data;
use crate::growth::{edit, percentile};
use crate::load::{Counters, Figures};
use crate::process;
use crate::run::Run;

pub(crate) const NAME: &str = "merges, one at a time";

/// Number of merged change requests. They are created before, so that only merges are measured.
const MERGES: usize = 100;

/// Merges change requests of one changed page each.
pub(crate) async fn measure(run: &Run) -> Result<Case> {
    let space = run.fixture.space(Data::Writes)?;
    let base = format!("/v1/spaces/{}/change-requests", space.id);
    let mut requests = Vec::new();
    for (number, page) in space.pages.iter().take(MERGES).enumerate() {
        let body = json!({"subject": format!("Change {number}")});
        let (made, _) = run.client.call(Method::POST, &base, Some(&body)).await?;
        let request = format!("{base}/{}", text(&made, "/id")?);
        edit(&run.client, &format!("{request}/content"), page, 1_000 + number).await?;
        requests.push(request);
    }
    let before = Counters::read(run.server.pid(), &run.client).await?;
    let started = Instant::now();
    let mut times: Vec<Duration> = Vec::new();
    for request in &requests {
        let (merged, elapsed) = run.client.call(Method::POST, &format!("{request}/merge"), None).await?;
        ensure!(text(&merged, "/result")? == "merge", "{merged}");
        times.push(elapsed);
    }
    let seconds = started.elapsed().as_secs_f64();
    let after = Counters::read(run.server.pid(), &run.client).await?;
    let count = f64::from(u32::try_from(times.len()).context("few merges")?);
    let mut figures = Figures {
        connections: 1,
        requests_per_second: count / seconds,
        p50_ms: Some(percentile(&mut times, 50)),
        p99_ms: Some(percentile(&mut times, 99)),
        ..Figures::default()
    };
    before.costs(after, count, &mut figures);
    let resident_mb = Some(process::memory(run.server.pid())?.resident_mb);
    Ok(Case { name: NAME.to_owned(), figures: vec![figures], answer_bytes: None, resident_mb, ceiling: None })
}
