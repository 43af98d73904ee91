//! HTTP client with a token. Requests are sent one at a time, on one connection.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::multipart::{Form, Part};
use serde_json::Value;

use crate::server::Server;

/// Client of one server.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    token: String,
}

/// A complete response.
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns the first characters of the body, for error messages.
    pub fn excerpt(&self) -> String {
        String::from_utf8_lossy(&self.body).chars().take(300).collect()
    }

    /// Returns the body as JSON; null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Returns the value of a header, if it is present and text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Returns the settings of a client that connects without a proxy.
pub fn builder() -> reqwest::ClientBuilder {
    // Fails if the process already has a provider, which is then used.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder().no_proxy()
}

impl Client {
    /// Returns a client of a server that this process started.
    pub fn new(server: &Server) -> Result<Self> {
        Self::at(&server.base, &server.token)
    }

    /// Returns a client of any server.
    pub fn at(base: &str, token: &str) -> Result<Self> {
        let http = builder().no_gzip().tcp_nodelay(true).build()?;
        Ok(Self { http, base: base.trim_end_matches('/').to_owned(), token: token.to_owned() })
    }

    /// Sends a request that must succeed. Returns the body and the time until its last byte arrived.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<(Value, Duration)> {
        let request = self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let started = Instant::now();
        let answer = receive(request).await?;
        let elapsed = started.elapsed();
        if !(200..300).contains(&answer.status) {
            bail!("{path} answered {}: {}", answer.status, answer.excerpt());
        }
        Ok((answer.json(), elapsed))
    }

    /// Sends a GET with these headers only, without the token. Any status is returned.
    pub async fn get(&self, path: &str, headers: &[(String, String)]) -> Result<Answer> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(name.parse::<HeaderName>()?, HeaderValue::from_str(value)?);
        }
        receive(self.http.get(format!("{}{path}", self.base)).headers(map)).await
    }

    /// Imports a zip archive into a space. The import must succeed.
    pub async fn import(&self, space: &str, archive: Vec<u8>) -> Result<Value> {
        let answer = self.upload(space, "zip", "pages.zip", archive).await?;
        if !(200..300).contains(&answer.status) {
            bail!("the import answered {}: {}", answer.status, answer.excerpt());
        }
        Ok(answer.json())
    }

    /// Uploads a file to import into a space. Any status is returned.
    pub async fn upload(&self, space: &str, source: &str, name: &str, bytes: Vec<u8>) -> Result<Answer> {
        let file = Part::bytes(bytes).file_name(name.to_owned());
        let form = Form::new().text("source", source.to_owned()).part("file", file);
        let path = format!("{}/v1/spaces/{space}/content/import", self.base);
        receive(self.http.post(path).bearer_auth(&self.token).multipart(form)).await
    }

    /// Returns the address of the server.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns the name and value of the `Authorization` header.
    pub fn authorization(&self) -> (String, String) {
        ("Authorization".to_owned(), format!("Bearer {}", self.token))
    }
}

async fn receive(request: reqwest::RequestBuilder) -> Result<Answer> {
    let response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Ok(Answer { status, headers, body: response.bytes().await?.to_vec() })
}

/// Returns the string at a JSON pointer.
pub fn text(value: &Value, pointer: &str) -> Result<String> {
    let text = value.pointer(pointer).and_then(Value::as_str);
    text.map(str::to_owned).with_context(|| format!("{value} has no {pointer}"))
}
