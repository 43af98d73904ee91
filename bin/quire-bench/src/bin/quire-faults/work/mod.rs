//! Load: writers that create, change and delete resources of every kind.

mod writes;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use quire_bench::client::builder;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::dice::Dice;
use crate::ledger::{Kind, Ledger};

/// Time after which a writer gives up on a request: longer than any fault takes to heal.
const MAX_WAIT: Duration = Duration::from_secs(90);
/// Time limit of one attempt.
const ATTEMPT: Duration = Duration::from_secs(20);

/// Ledger of all writers.
pub type SharedLedger = Arc<Mutex<Ledger>>;

/// Locks the ledger.
pub fn lock(ledger: &SharedLedger) -> MutexGuard<'_, Ledger> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Body of a write.
#[derive(Clone)]
enum Body {
    None,
    Json(Value),
    /// Name and content of a file, and the form fields before it.
    File(String, String, Vec<(&'static str, String)>),
}

/// Addresses and tokens of a deployment.
pub struct Access {
    /// Base URLs of the nodes.
    pub bases: Vec<String>,
    pub token: String,
    /// Token of another member, who reviews the change requests of the writers.
    pub reviewer: String,
    pub organization: String,
}

/// One writer, with its own space.
pub struct Writer {
    http: reqwest::Client,
    access: Access,
    ledger: SharedLedger,
    dice: Dice,
    number: u64,
    written: u64,
    /// Space of this writer, and the spaces of all writers.
    home: String,
    shared: Vec<String>,
    comments: Vec<String>,
    sites: Vec<String>,
}

/// A definitive answer.
struct Settled {
    status: u16,
    location: Option<String>,
    body: Value,
}

impl Settled {
    fn is_done(&self) -> bool {
        (200..300).contains(&self.status)
    }

    fn id(&self) -> Result<String> {
        let id = self.body.get("id").and_then(Value::as_str).map(str::to_owned);
        id.with_context(|| format!("an answer without an id: {}", self.body))
    }
}

impl Writer {
    /// Creates a writer and its space.
    pub async fn new(number: u64, seed: u64, access: Access, ledger: SharedLedger) -> Result<Self> {
        let http = builder().tcp_nodelay(true).timeout(ATTEMPT).build()?;
        let dice = Dice(seed.wrapping_mul(1_000).wrapping_add(number));
        let mut writer = Self {
            http,
            access,
            ledger,
            dice,
            number,
            written: 0,
            home: String::new(),
            shared: Vec::new(),
            comments: Vec::new(),
            sites: Vec::new(),
        };
        let marker = writer.marker();
        let path = format!("/v1/orgs/{}/spaces", writer.access.organization);
        let made = writer.insist(Method::POST, &path, Body::Json(json!({"title": marker}))).await?;
        writer.home = made.id()?;
        writer.note(Kind::Space, &marker, made.location.clone());
        lock(&writer.ledger).titles.insert(writer.home.clone(), marker);
        Ok(writer)
    }

    /// Returns the space of the writer.
    pub fn home(&self) -> &str {
        &self.home
    }

    /// Sets the spaces of all writers.
    pub fn share(&mut self, spaces: &[String]) {
        spaces.clone_into(&mut self.shared);
    }

    /// Writes until `pause` is set. The current write is settled first.
    pub async fn work(&mut self, pause: &watch::Receiver<bool>) -> Result<()> {
        while !*pause.borrow() {
            self.step().await?;
        }
        Ok(())
    }

    fn marker(&mut self) -> String {
        self.written = self.written.saturating_add(1);
        format!("w-{}-{}", self.number, self.written)
    }

    fn note(&self, kind: Kind, marker: &str, address: Option<String>) {
        lock(&self.ledger).acknowledge(kind, marker, address);
    }

    /// Sends a request with an idempotency key to any node, until it has a definitive answer.
    async fn insist(&mut self, method: Method, path: &str, body: Body) -> Result<Settled> {
        let token = self.access.token.clone();
        self.insist_as(&token, method, path, body).await
    }

    async fn insist_as(&mut self, token: &str, method: Method, path: &str, body: Body) -> Result<Settled> {
        let key = format!("{}-{}-{path}", self.number, self.written);
        let key: String = key.chars().filter(char::is_ascii_graphic).take(255).collect();
        let (started, mut attempts) = (Instant::now(), 0_u64);
        loop {
            if started.elapsed() > MAX_WAIT {
                anyhow::bail!("{method} {path} has no definitive answer after {} s", MAX_WAIT.as_secs());
            }
            attempts = attempts.saturating_add(1);
            let base = self.dice.pick(&self.access.bases).cloned().unwrap_or_default();
            let request = self.http.request(method.clone(), format!("{base}{path}")).bearer_auth(token);
            let request = fill(request.header("Idempotency-Key", &key), &body);
            let answer = receive(request).await;
            if attempts > 1 {
                let mut ledger = lock(&self.ledger);
                ledger.tally.retried = ledger.tally.retried.saturating_add(1);
            }
            // Without a complete answer the outcome is unknown, so the request is repeated.
            let Ok((status, retry, location, bytes)) = answer else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let json: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            let reason = json.pointer("/error/reason").and_then(Value::as_str).unwrap_or_default().to_owned();
            match status {
                503 => {
                    let mut ledger = lock(&self.ledger);
                    ledger.tally.unavailable = ledger.tally.unavailable.saturating_add(1);
                    if !retry {
                        ledger.tally.errors.push(format!("{method} {path}: 503 without Retry-After"));
                    }
                }
                500.. => {
                    let text = String::from_utf8_lossy(&bytes).chars().take(200).collect::<String>();
                    lock(&self.ledger).tally.errors.push(format!("{method} {path}: {status} {text}"));
                }
                409 if reason == "idempotency-key-in-use" => {}
                // A limit on the number of such resources is reached: definitive.
                409 if reason == "too-many" => return Ok(Settled { status, location, body: json }),
                429 => {}
                200..300 => {
                    let mut ledger = lock(&self.ledger);
                    ledger.tally.acknowledged = ledger.tally.acknowledged.saturating_add(1);
                    return Ok(Settled { status, location, body: json });
                }
                _ => {
                    let text = String::from_utf8_lossy(&bytes).chars().take(200).collect::<String>();
                    // All writes are valid, so a refusal is wrong.
                    lock(&self.ledger).tally.wrong.push(format!("{method} {path}: {status} {text}"));
                    return Ok(Settled { status, location, body: json });
                }
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

type Received = (u16, bool, Option<String>, Vec<u8>);

async fn receive(request: reqwest::RequestBuilder) -> Result<Received> {
    let response = request.send().await?;
    let status = response.status().as_u16();
    let text =
        |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (retry, location) = (text("retry-after").is_some(), text("location"));
    Ok((status, retry, location, response.bytes().await?.to_vec()))
}

fn fill(request: reqwest::RequestBuilder, body: &Body) -> reqwest::RequestBuilder {
    match body {
        Body::None => request,
        Body::Json(body) => request.json(body),
        Body::File(name, text, fields) => {
            let form = fields.iter().fold(Form::new(), |form, (name, value)| form.text(*name, value.clone()));
            let part = Part::bytes(text.clone().into_bytes()).file_name(name.clone());
            let request = request.multipart(form.part("file", part));
            if fields.is_empty() { request } else { request.header("Prefer", "respond-async") }
        }
    }
}
