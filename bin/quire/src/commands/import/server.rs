//! HTTP client of the destination server.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use futures_util::stream;
use quire_domain::error::{ErrorBody, ErrorDetail};
use quire_domain::ids::{ImportId, SpaceId};
use quire_domain::imports::{Import, ImportRequest};
use quire_domain::texts;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::multipart::{Form, Part};
use reqwest::{Body, Client, Method, RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;
use url::Url;

use super::display::{Display, Unit};
use super::input::ImportInput;
use crate::client;

/// Bytes per chunk of an upload.
const CHUNK: usize = 64 * 1024;
/// Interval of progress updates during an upload.
const TICK: Duration = Duration::from_millis(100);
/// Connection timeout.
const CONNECT: Duration = Duration::from_secs(10);
/// Response timeout. The server responds immediately and runs the import in the background.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// Time limit of a cancellation after Ctrl-C.
const CANCEL: Duration = Duration::from_secs(5);

/// Connection to a server.
pub struct Server {
    client: Client,
    base: Url,
    token: String,
    /// Response timeout, and time limit for an upload without progress.
    max_wait: Duration,
}

/// Error of a request to the server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The connection failed or was interrupted.
    #[error("the server can't be reached")]
    Unreachable(#[source] reqwest::Error),
    /// An upload made no progress for this long.
    #[error("the server accepted no data of the upload for {0:?}")]
    Stuck(Duration),
    /// The server refused the request.
    #[error("the server refused the import: {}", sentence(.0))]
    Refused(ErrorDetail),
    /// The response is not in Quire's format: the server is another program or an older version.
    #[error("the server, which answered with status {0}, is not Quire")]
    Strange(StatusCode),
}

impl ServerError {
    /// Returns whether a retry may succeed.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Stuck(_) => true,
            Self::Refused(error) => matches!(error.code, 429 | 500..),
            Self::Strange(status) => status.is_server_error(),
        }
    }
}

/// Returns an API error as a sentence, with the error of each field.
pub fn sentence(error: &ErrorDetail) -> String {
    let details: Vec<String> =
        error.details.iter().map(|detail| format!("{}: {}", detail.field, detail.message)).collect();
    match details.is_empty() {
        true => error.message.clone(),
        false => format!("{} ({})", error.message, details.join("; ")),
    }
}

impl Server {
    /// Returns a client for the server at this address, with this token.
    ///
    /// # Errors
    /// If the client cannot be created.
    pub fn new(base: &str, token: &str) -> anyhow::Result<Self> {
        let base = Url::parse(base).context("the address of the server is not a URL")?;
        let mut builder = client::builder()
            .user_agent(concat!("quire/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT);
        if base.scheme() == "http" {
            // A machine without root certificates can still use plain HTTP.
            builder = builder.tls_certs_only([]);
        }
        let client = builder.build().context("the HTTP client can't be created")?;
        Ok(Self { client, base, token: token.to_owned(), max_wait: MAX_WAIT })
    }

    /// Starts an import at a path below `/v1`.
    ///
    /// # Errors
    /// [`ServerError`] if the request fails.
    pub async fn begin(
        &self,
        path: &[String],
        input: ImportInput,
        display: &mut Display,
    ) -> Result<Import, ServerError> {
        let request = self.request(Method::POST, path).header("Prefer", "respond-async");
        match input {
            ImportInput::Url { source, url } => {
                let body = serde_json::to_vec(&ImportRequest { url: texts::Url::unchecked(url), source })
                    .unwrap_or_default();
                let request = request.header(CONTENT_TYPE, "application/json").timeout(self.max_wait);
                answer(request.body(body)).await
            }
            ImportInput::Upload { source, name, file, length } => {
                let sent = Arc::new(AtomicU64::new(0));
                let part = Part::stream_with_length(body(file, Arc::clone(&sent)), length).file_name(name);
                let form = Form::new().text("source", source.as_str()).part("file", part);
                let answer = answer(request.multipart(form));
                let mut answer = std::pin::pin!(answer);
                let mut last = (0, Instant::now());
                loop {
                    let now = sent.load(Ordering::Relaxed);
                    display.show("uploading", now, Some(length), Unit::Bytes);
                    // An upload may take hours, as long as it makes progress.
                    if now != last.0 {
                        last = (now, Instant::now());
                    } else if last.1.elapsed() > self.max_wait {
                        return Err(ServerError::Stuck(self.max_wait));
                    }
                    if let Ok(answer) = tokio::time::timeout(TICK, &mut answer).await {
                        return answer;
                    }
                }
            }
        }
    }

    /// Returns an import.
    ///
    /// # Errors
    /// [`ServerError`] if the request fails.
    pub async fn import(&self, space: SpaceId, import: ImportId) -> Result<Import, ServerError> {
        answer(self.request(Method::GET, &path_of(space, import)).timeout(self.max_wait)).await
    }

    /// Cancels an import. Returns `false` if it had already ended.
    ///
    /// # Errors
    /// [`ServerError`] if the request fails.
    pub async fn cancel(&self, space: SpaceId, import: ImportId) -> Result<bool, ServerError> {
        let request =
            self.request(Method::DELETE, &path_of(space, import)).timeout(CANCEL.min(self.max_wait));
        let response = request.send().await.map_err(ServerError::Unreachable)?;
        match response.status() {
            StatusCode::NO_CONTENT => Ok(true),
            StatusCode::CONFLICT => Ok(false),
            _ => Err(refusal(response).await),
        }
    }

    fn request(&self, method: Method, path: &[String]) -> RequestBuilder {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("v1").extend(path);
        }
        self.client.request(method, url).bearer_auth(&self.token).header(ACCEPT, "application/json")
    }
}

fn path_of(space: SpaceId, import: ImportId) -> [String; 4] {
    ["spaces".to_owned(), space.to_string(), "imports".to_owned(), import.to_string()]
}

async fn answer<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, ServerError> {
    let response = request.send().await.map_err(ServerError::Unreachable)?;
    let status = response.status();
    if !status.is_success() {
        return Err(refusal(response).await);
    }
    let bytes = response.bytes().await.map_err(ServerError::Unreachable)?;
    serde_json::from_slice(&bytes).map_err(|_| ServerError::Strange(status))
}

async fn refusal(response: reqwest::Response) -> ServerError {
    let status = response.status();
    match response.bytes().await {
        Err(error) => ServerError::Unreachable(error),
        Ok(bytes) => serde_json::from_slice::<ErrorBody>(&bytes)
            .map_or(ServerError::Strange(status), |body| ServerError::Refused(body.error)),
    }
}

/// Returns a file as a body that counts the bytes sent.
fn body(file: File, sent: Arc<AtomicU64>) -> Body {
    Body::wrap_stream(stream::unfold(Some((file, sent)), |left| async move {
        let (mut file, sent) = left?;
        let mut chunk = vec![0; CHUNK];
        match read(&mut file, &mut chunk) {
            Err(error) => Some((Err(error), None)),
            Ok(0) => None,
            Ok(length) => {
                chunk.truncate(length);
                sent.fetch_add(u64::try_from(length).unwrap_or(0), Ordering::Relaxed);
                Some((Ok(chunk), Some((file, sent))))
            }
        }
    }))
}

fn read(file: &mut File, chunk: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_server_that_says_nothing_is_given_up() {
        // The server accepts connections and never responds.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server =
            Server { max_wait: Duration::from_millis(50), ..Server::new(&address, "token").unwrap() };
        let (space, import) = (SpaceId::from_uuid(Uuid::nil()), ImportId::from_uuid(Uuid::nil()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let timed_out =
                |error: ServerError| matches!(error, ServerError::Unreachable(error) if error.is_timeout());
            assert!(timed_out(server.import(space, import).await.unwrap_err()));
            assert!(timed_out(server.cancel(space, import).await.unwrap_err()));
        });
    }
}
