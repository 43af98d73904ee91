//! Calls with a token, one after the other on one connection.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::Value;

use crate::server::Server;

/// A client of the server under measurement.
pub struct Client {
    http: reqwest::Client,
    base: String,
    token: String,
}

impl Client {
    /// A client of this server.
    pub fn new(server: &Server) -> Result<Self> {
        Self::at(&server.base, &server.token)
    }

    /// A client of any server.
    pub fn at(base: &str, token: &str) -> Result<Self> {
        let http = reqwest::Client::builder().no_proxy().tcp_nodelay(true).build()?;
        Ok(Self { http, base: base.trim_end_matches('/').to_owned(), token: token.to_owned() })
    }

    /// Calls, and answers the body and how long it took until the whole body was here.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<(Value, Duration)> {
        let request = self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let started = Instant::now();
        let response = request.send().await?;
        let status = response.status();
        let bytes = response.bytes().await?;
        let elapsed = started.elapsed();
        if !status.is_success() {
            bail!("{path} answered {status}: {}", String::from_utf8_lossy(&bytes));
        }
        Ok((serde_json::from_slice(&bytes).unwrap_or_default(), elapsed))
    }

    /// Uploads an archive to be imported.
    pub async fn import(&self, space: &str, archive: Vec<u8>) -> Result<Value> {
        let form =
            Form::new().text("source", "zip").part("file", Part::bytes(archive).file_name("pages.zip"));
        let path = format!("{}/v1/spaces/{space}/content/import", self.base);
        let response = self.http.post(path).bearer_auth(&self.token).multipart(form).send().await?;
        let status = response.status();
        if !status.is_success() {
            bail!("the import answered {status}: {}", response.text().await?);
        }
        Ok(response.json().await?)
    }
}

/// A text in an answer.
pub fn text(value: &Value, pointer: &str) -> Result<String> {
    let text = value.pointer(pointer).and_then(Value::as_str);
    text.map(str::to_owned).with_context(|| format!("{value} has no {pointer}"))
}
