//! Requests a second from many connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::growth::Space;
use quire_bench::server::Server;

const CONNECTIONS: usize = 16;
const TIME: Duration = Duration::from_secs(4);

/// Requests a second by route. The client takes its share of the same cores, alike for every route.
pub(crate) async fn measure(server: &Server, spaces: &[Space]) -> Result<Value> {
    let space = spaces.last().context("there are spaces")?;
    let page = space.sample.first().context("a space has pages")?;
    let routes = [
        ("GET /healthz", "/healthz".to_owned()),
        ("GET a space", format!("/v1/spaces/{}", space.id)),
        ("GET a page as Markdown", format!("/v1/spaces/{}/content/page/{page}?format=markdown", space.id)),
        ("search", format!("/v1/spaces/{}/search?query=configuration", space.id)),
    ];
    let mut rates = Map::new();
    for (name, path) in routes {
        rates.insert(name.to_owned(), json!(rate(server, &path).await?));
    }
    Ok(Value::Object(rates))
}

async fn rate(server: &Server, path: &str) -> Result<f64> {
    let client = reqwest::Client::builder().no_proxy().tcp_nodelay(true).build()?;
    let answered = Arc::new(AtomicU64::new(0));
    let url = format!("{}{path}", server.base);
    let started = Instant::now();
    let workers: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let (client, url, token, answered) =
                (client.clone(), url.clone(), server.token.clone(), answered.clone());
            tokio::spawn(async move {
                while started.elapsed() < TIME {
                    let response = client.get(&url).bearer_auth(&token).send().await?.error_for_status()?;
                    response.bytes().await?;
                    answered.fetch_add(1, Ordering::Relaxed);
                }
                Ok::<_, reqwest::Error>(())
            })
        })
        .collect();
    for worker in workers {
        worker.await??;
    }
    let answered = u32::try_from(answered.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
    Ok(f64::from(answered) / started.elapsed().as_secs_f64())
}
