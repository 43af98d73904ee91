//! Pages of published sites, as visitors read them.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::reads::QUERIES;
use super::{Case, Get, Read};
use crate::ceilings::Route;
use crate::fixture::{Data, Fixture};
use crate::growth::percentile;
use crate::load::{Counters, Figures};
use crate::pages;
use crate::process;
use crate::run::Run;

/// Name of the case of cold pages.
pub(crate) const COLD: &str = "site: cold page of 2,000 words, one at a time";

/// Pages that are read before, so that the grammars of their listings are loaded.
const WARM_UP: usize = 20;

/// Reads of sites, in the order of the report. They need a published site of their content.
pub(crate) const SITE_READS: &[Read] = &[
    Read {
        name: "site: warm page",
        data: Some(Data::Small),
        request: |of| visitor(vec![of.site(Data::Small)?.page(7)?]),
    },
    Read {
        name: "site: page, 304",
        data: Some(Data::Small),
        request: |of| {
            let get = visitor(vec![of.site(Data::Small)?.page(7)?])?;
            Ok(Get { conditional: true, status: 304, ..get })
        },
    },
    Read {
        name: "site: warm page of 10,000",
        data: Some(Data::Large),
        request: |of| visitor(vec![of.site(Data::Large)?.page(7)?]),
    },
    Read {
        name: "site: all of 50 pages in turn",
        data: Some(Data::Fifty),
        request: |of| visitor(of.site(Data::Fifty)?.pages.clone()),
    },
    Read {
        name: "site: all of 200 pages in turn",
        data: Some(Data::Small),
        request: |of| visitor(of.site(Data::Small)?.pages.clone()),
    },
    Read {
        name: "site: all of 2,000 pages in turn",
        data: Some(Data::TwoThousand),
        request: |of| visitor(of.site(Data::TwoThousand)?.pages.clone()),
    },
    Read {
        name: "site: 5,000 of 10,000 pages in turn",
        data: Some(Data::Large),
        request: |of| {
            visitor((0..5_000).map(|page| of.site(Data::Large)?.page(page)).collect::<Result<_>>()?)
        },
    },
    Read { name: "site: search as it is typed", data: Some(Data::Large), request: typed },
];

fn visitor(paths: Vec<String>) -> Result<Get> {
    Ok(Get { token: false, ceiling: Route::Statement, ..Get::all(paths) })
}

/// Searches for the beginnings of queries, which a visitor sends while typing.
fn typed(of: &Fixture) -> Result<Get> {
    let root = &of.site(Data::Large)?.root;
    let queries = (0..QUERIES).map(|number| {
        let query = pages::common_query(number).replace("%20", " ");
        let typed: String = query.chars().take(3 + number % 12).collect();
        format!("{root}/~quire/search?q={}", typed.trim().replace(' ', "%20"))
    });
    Ok(Get { hits: true, ..visitor(queries.collect())? })
}

/// Reads pages that no cache has, each once.
pub(crate) async fn cold(run: &Run) -> Result<Case> {
    let site = run.fixture.site(Data::Words)?;
    let (first, rest) = site.pages.split_at_checked(WARM_UP).context("the site has pages")?;
    for page in first {
        run.client.get(page, &[]).await?;
    }
    let before = Counters::read(run.server.pid(), &run.client).await?;
    let started = Instant::now();
    let mut times: Vec<Duration> = Vec::new();
    let mut bytes = 0;
    for page in rest {
        let asked = Instant::now();
        let answer = run.client.get(page, &[]).await?;
        times.push(asked.elapsed());
        ensure!(answer.status == 200, "{page} answered {}: {}", answer.status, answer.excerpt());
        bytes = answer.body.len();
    }
    let seconds = started.elapsed().as_secs_f64();
    let after = Counters::read(run.server.pid(), &run.client).await?;
    let count = f64::from(u32::try_from(times.len())?);
    let mut figures = Figures {
        connections: 1,
        requests_per_second: count / seconds,
        p50_ms: Some(percentile(&mut times, 50)),
        p99_ms: Some(percentile(&mut times, 99)),
        ..Figures::default()
    };
    before.costs(after, count, &mut figures);
    let resident_mb = Some(process::memory(run.server.pid())?.resident_mb);
    let name = COLD.to_owned();
    Ok(Case { name, figures: vec![figures], answer_bytes: Some(bytes), resident_mb, ceiling: None })
}
