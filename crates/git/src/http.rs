//! HTTP for Git's transport, through the guarded client.
//!
//! The transport is blocking and runs on a thread of its own. Its requests run on the runtime of the waiting task.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::io::{self, BufReader, Cursor, Read, Write};
use std::rc::Rc;
use std::sync::Arc;

use bytes::{Buf as _, Bytes};
use gix_transport::client::blocking_io::http::{GetResponse, Http, PostBodyDataKind, PostResponse};
use quire_importer::fetch::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT};
use quire_importer::fetch::{Fetcher, Method, Response};
use tokio::runtime::Handle;
use url::Url;

use crate::error::GitError;
use crate::limits::Usage;

/// Size of the read buffer of a response in bytes.
const BUFFER: usize = 64 * 1024;

/// Maximum number of redirects of the first request of a connection. Hosts redirect renamed repositories.
const MAX_REDIRECTS: usize = 3;

/// Suffix of the URL of the first request.
const INFO_REFS: &str = "/info/refs";

/// State of a run's connections.
#[derive(Debug)]
pub(crate) struct Connections {
    fetcher: Fetcher,
    runtime: Handle,
    pub(crate) usage: Arc<Usage>,
    /// First error. gix passes it on only as an I/O error.
    failure: RefCell<Option<GitError>>,
    /// True while a pack is read, which has another limit than the responses before it.
    pub(crate) reads_pack: Cell<bool>,
}

impl Connections {
    pub(crate) fn new(fetcher: Fetcher, runtime: Handle, usage: Arc<Usage>) -> Rc<Self> {
        Rc::new(Self { fetcher, runtime, usage, failure: RefCell::new(None), reads_pack: Cell::new(false) })
    }

    /// Returns a result of gix with the cause of an error: that of a request, the time limit, or gix's own message.
    pub(crate) fn checked<T>(&self, result: Result<T, impl std::error::Error>) -> Result<T, GitError> {
        result.map_err(|error| {
            let kept = self.failure.borrow_mut().take();
            kept.or_else(|| self.usage.check().err()).unwrap_or_else(|| GitError::unreadable(&error))
        })
    }

    /// Records an error, and returns an I/O error for gix.
    fn keep(&self, error: GitError) -> io::Error {
        let passed = io::Error::other(error.to_string());
        self.failure.borrow_mut().get_or_insert(error);
        passed
    }

    /// Runs a part of a request until it ends or the time limit is reached.
    fn wait<T, E: Into<GitError>>(&self, part: impl Future<Output = Result<T, E>>) -> Result<T, GitError> {
        self.usage.check()?;
        let limited = async { tokio::time::timeout_at(self.usage.deadline.into(), part).await };
        match self.runtime.block_on(limited) {
            Ok(result) => result.map_err(Into::into),
            Err(_) => Err(GitError::TimedOut { after: self.usage.limits.time }),
        }
    }

    fn send(&self, method: Method, url: &Url, headers: HeaderMap, body: Bytes) -> Result<Response, GitError> {
        self.usage.count(body.len(), true)?;
        self.wait(self.fetcher.send(method, url, headers, body))
    }

    /// Sends a request outside of Git's transport. Returns a successful response.
    pub(crate) fn accepted(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Response, GitError> {
        accepted(self.send(method, url, headers, body)?)
    }

    /// Receives the next part of the body of such a response. It is empty at the end.
    pub(crate) fn chunk(&self, response: &mut Response) -> Result<Bytes, GitError> {
        let chunk = self.wait(response.chunk())?.unwrap_or_default();
        self.usage.count(chunk.len(), true)?;
        Ok(chunk)
    }

    /// Returns whether the operator trusts the host of a URL.
    pub(crate) fn trusts(&self, url: &Url) -> bool {
        self.fetcher.trusts(url)
    }

    /// Sends the first request of a connection. Follows redirects on the same host.
    fn get(&self, mut url: Url, headers: &HeaderMap) -> Result<(Url, Response), GitError> {
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(Method::GET, &url, headers.clone(), Bytes::new())?;
            let location =
                response.headers().get(LOCATION).filter(|_| (300..=399).contains(&response.status()));
            let Some(location) = location else { return Ok((url, accepted(response)?)) };
            let next = url.join(&String::from_utf8_lossy(location.as_bytes()));
            let next = next.map_err(|_| GitError::RedirectRefused)?;
            // Other servers must not receive the credentials.
            if next.origin() != url.origin() {
                return Err(GitError::RedirectRefused);
            }
            url = next;
        }
        Err(GitError::RedirectRefused)
    }
}

/// Rejects unsuccessful statuses.
fn accepted(response: Response) -> Result<Response, GitError> {
    match response.status() {
        200..=204 => Ok(response),
        401 | 403 => Err(GitError::Unauthenticated),
        404 | 410 => Err(GitError::NotFound),
        300..=399 => Err(GitError::RedirectRefused),
        status => Err(GitError::Failed { status }),
    }
}

/// HTTP client of one connection.
pub(crate) struct Client {
    connections: Rc<Connections>,
    /// URL of the repository after redirects.
    redirected: Option<String>,
}

impl Client {
    pub(crate) fn new(connections: Rc<Connections>) -> Self {
        Self { connections, redirected: None }
    }

    fn begin(&mut self, url: &str, headers: &HeaderMap) -> Result<Response, GitError> {
        let asked = parsed(url)?;
        let (found, response) = self.connections.get(asked.clone(), headers)?;
        if found != asked {
            let base = found.path().strip_suffix(INFO_REFS).ok_or(GitError::RedirectRefused)?.to_owned();
            let mut redirected = found;
            redirected.set_path(&base);
            redirected.set_query(None);
            self.redirected = Some(redirected.into());
        }
        Ok(response)
    }
}

fn parsed(url: &str) -> Result<Url, GitError> {
    Url::parse(url).map_err(|_| GitError::InvalidUrl { reason: "it is not a URL" })
}

/// Converts header lines of gix to headers with this client's user agent.
fn headers_of(lines: impl IntoIterator<Item = impl AsRef<str>>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in lines {
        let Some((name, value)) = line.as_ref().split_once(": ") else { continue };
        let (Ok(name), Ok(mut value)) =
            (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value))
        else {
            continue;
        };
        if name != USER_AGENT {
            value.set_sensitive(name == "authorization");
            headers.insert(name, value);
        }
    }
    headers
}

/// Returns the only response header that gix reads, as a line.
fn lines_of(response: &Response) -> Vec<u8> {
    let content_type = response.headers().get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    [b"content-type: ", content_type, b"\n"].concat()
}

impl Http for Client {
    type Headers = BufReader<Reader>;
    type ResponseBody = BufReader<Reader>;
    type PostBody = PostBody;

    fn get(
        &mut self,
        url: &str,
        _base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> gix_error::Result<GetResponse<Self::Headers, Self::ResponseBody>> {
        let response = self.begin(url, &headers_of(headers));
        let response =
            response.map_err(|error| gix_error::Error::from_error(self.connections.keep(error)))?;
        let lines = Reader::Lines(Cursor::new(lines_of(&response)));
        let body = Reader::Body(Box::new(Body::new(Rc::clone(&self.connections), response)));
        Ok(GetResponse { headers: BufReader::new(lines), body: BufReader::with_capacity(BUFFER, body) })
    }

    fn post(
        &mut self,
        url: &str,
        _base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
        _body: PostBodyDataKind,
    ) -> gix_error::Result<PostResponse<Self::Headers, Self::ResponseBody, Self::PostBody>> {
        let unsent = Unsent { url: url.to_owned(), headers: headers_of(headers), body: Vec::new() };
        let post = Rc::new(RefCell::new(Post { unsent, response: None }));
        let later = |part| Reader::Later(Rc::clone(&self.connections), Rc::clone(&post), part);
        Ok(PostResponse {
            headers: BufReader::new(later(Part::Headers)),
            body: BufReader::with_capacity(BUFFER, later(Part::Body)),
            post_body: PostBody(post),
        })
    }

    fn configure(&mut self, _config: &dyn Any) -> gix_error::Result {
        Ok(())
    }

    fn redirected_base_url(&self) -> Option<String> {
        self.redirected.clone()
    }
}

/// POST request. gix writes it in parts, and it is sent when gix first reads the response.
#[derive(Default)]
pub(crate) struct Post {
    unsent: Unsent,
    /// Header lines and body of the response, each until it is taken.
    response: Option<(Vec<u8>, Option<Response>)>,
}

#[derive(Default)]
struct Unsent {
    url: String,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Post {
    fn send(&mut self, connections: &Connections) -> Result<&mut (Vec<u8>, Option<Response>), GitError> {
        if self.response.is_none() {
            let Unsent { url, headers, body } = std::mem::take(&mut self.unsent);
            let response = accepted(connections.send(Method::POST, &parsed(&url)?, headers, body.into())?)?;
            self.response = Some((lines_of(&response), Some(response)));
        }
        self.response.as_mut().ok_or(GitError::NotFound)
    }
}

/// Body of a POST request.
pub(crate) struct PostBody(Rc<RefCell<Post>>);

impl Write for PostBody {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().unsent.body.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Part of a response.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// Its header lines.
    Headers,
    /// Its body.
    Body,
}

/// Reader of a part of a response.
pub(crate) enum Reader {
    /// Header lines.
    Lines(Cursor<Vec<u8>>),
    /// A body.
    Body(Box<Body>),
    /// Part of the response to a request that the first read sends.
    Later(Rc<Connections>, Rc<RefCell<Post>>, Part),
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ready = match self {
            Self::Lines(lines) => return lines.read(buffer),
            Self::Body(body) => return body.read(buffer),
            Self::Later(connections, post, part) => {
                let mut post = post.borrow_mut();
                let (lines, body) = post.send(connections).map_err(|error| connections.keep(error))?;
                match part {
                    Part::Headers => Self::Lines(Cursor::new(std::mem::take(lines))),
                    Part::Body => {
                        let body = body.take().ok_or(io::ErrorKind::UnexpectedEof)?;
                        Self::Body(Box::new(Body::new(Rc::clone(connections), body)))
                    }
                }
            }
        };
        *self = ready;
        self.read(buffer)
    }
}

/// Body of a response, read on arrival.
pub(crate) struct Body {
    connections: Rc<Connections>,
    response: Response,
    chunk: Bytes,
}

impl Body {
    fn new(connections: Rc<Connections>, response: Response) -> Self {
        Self { connections, response, chunk: Bytes::new() }
    }

    /// Receives the next chunk. It is empty at the end.
    fn receive(&mut self) -> Result<(), GitError> {
        self.chunk = self.connections.wait(self.response.chunk())?.unwrap_or_default();
        self.connections.usage.count(self.chunk.len(), self.connections.reads_pack.get())
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.chunk.is_empty() {
            self.receive().map_err(|error| self.connections.keep(error))?;
        }
        let length = buffer.len().min(self.chunk.len());
        let (filled, _) = buffer.split_at_mut(length);
        self.chunk.copy_to_slice(filled);
        Ok(length)
    }
}
