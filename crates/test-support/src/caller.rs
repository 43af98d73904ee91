//! Callers and answers.

use std::fmt::Debug;
use std::rc::Rc;

use actix_web::body::{MessageBody, to_bytes};
use actix_web::dev::{Payload, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::{Method, StatusCode, header::HeaderMap};
use actix_web::test::TestRequest;
use actix_web::web::Bytes;
use futures_util::Stream;
use futures_util::future::LocalBoxFuture;
use quire_domain::ids::UserId;
use quire_storage::lookup::Credentials;
use serde_json::Value;

/// Answers a request of a user. A payload, if given, replaces the body of the request.
pub(crate) type Service =
    Rc<dyn Fn(TestRequest, Option<Payload>, Option<UserId>) -> LocalBoxFuture<'static, Answer>>;

/// Client of the application: a user, or anonymous.
#[derive(Clone)]
pub struct Caller {
    service: Service,
    token: Option<String>,
    user: Option<UserId>,
}

/// Response of the application.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub bytes: Bytes,
    /// The body as JSON; null if it is not JSON.
    pub json: Value,
}

impl Caller {
    pub(crate) fn new(service: Service, token: Option<String>, user: Option<UserId>) -> Self {
        Self { service, token, user }
    }

    /// Returns the user.
    ///
    /// # Panics
    /// If the caller is anonymous.
    #[must_use]
    pub fn user(&self) -> UserId {
        self.user.expect("an anonymous caller has no user")
    }

    /// Returns the token or the session secret.
    ///
    /// # Panics
    /// If the caller is anonymous.
    #[must_use]
    pub fn token(&self) -> &str {
        self.token.as_deref().expect("an anonymous caller has no token")
    }

    /// Returns the token as credentials for lookups.
    ///
    /// # Panics
    /// If the caller is anonymous.
    #[must_use]
    pub fn credentials(&self) -> Credentials {
        let token = self.token();
        let credentials = Credentials::from_token(token).or_else(|| Credentials::from_session(token));
        credentials.expect("callers have well-formed tokens")
    }

    /// Returns the same user with another token or session secret.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// Returns the same caller as a client of another node.
    pub(crate) fn on(&self, service: Service) -> Self {
        Self { service, ..self.clone() }
    }

    /// Sends a custom request with the token added.
    ///
    /// # Panics
    /// If the body of the response cannot be read.
    pub async fn send(&self, request: TestRequest) -> Answer {
        self.exchange(request, None).await
    }

    /// Sends a request whose body arrives in parts or stalls.
    ///
    /// # Panics
    /// If the body of the response cannot be read.
    pub async fn send_streamed(
        &self,
        request: TestRequest,
        body: impl Stream<Item = Result<Bytes, PayloadError>> + 'static,
    ) -> Answer {
        self.exchange(request, Some(Payload::Stream { payload: Box::pin(body) })).await
    }

    async fn exchange(&self, request: TestRequest, body: Option<Payload>) -> Answer {
        let request = match &self.token {
            // A browser sends these headers from a page of the application.
            Some(secret) if secret.starts_with(Credentials::SESSION_PREFIX) => request
                .insert_header(("Cookie", format!("quire={secret}")))
                .insert_header(("Sec-Fetch-Site", "same-origin")),
            Some(token) => request.insert_header(("Authorization", format!("Bearer {token}"))),
            None => request,
        };
        (self.service)(request, body, self.user).await
    }

    /// Sends a GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(TestRequest::get().uri(path)).await
    }

    /// Sends a POST with a JSON body.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(TestRequest::post().uri(path).set_json(body)).await
    }

    /// Sends a POST without a body.
    pub async fn post_empty(&self, path: &str) -> Answer {
        self.send(TestRequest::post().uri(path)).await
    }

    /// Sends a PATCH with a JSON body.
    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(TestRequest::patch().uri(path).set_json(body)).await
    }

    /// Sends a PUT with a JSON body.
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(TestRequest::put().uri(path).set_json(body)).await
    }

    /// Sends a DELETE.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(TestRequest::delete().uri(path)).await
    }

    /// Sends a request without a body.
    pub async fn call(&self, method: Method, path: &str) -> Answer {
        self.send(TestRequest::with_uri(path).method(method)).await
    }
}

impl Answer {
    /// Reads a response to its end.
    ///
    /// # Panics
    /// If its body cannot be read.
    pub(crate) async fn of<B>(response: ServiceResponse<B>) -> Self
    where
        B: MessageBody,
        B::Error: Debug,
    {
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = to_bytes(response.into_body()).await.expect("the answer has a body");
        let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Self { status, headers, bytes, json }
    }

    /// Returns the answer after checking its status.
    ///
    /// # Panics
    /// If it has another status. The message contains the body.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        let body = String::from_utf8_lossy(&self.bytes);
        assert_eq!(self.status.as_u16(), status, "the body is {body}");
        self
    }

    /// Returns the value at a JSON pointer in the body, such as `/items/0/id`.
    ///
    /// # Panics
    /// If there is no such value.
    #[must_use]
    #[track_caller]
    pub fn at(&self, pointer: &str) -> &Value {
        self.json.pointer(pointer).unwrap_or_else(|| panic!("{} has no {pointer}", self.json))
    }

    /// Returns the string at a JSON pointer.
    ///
    /// # Panics
    /// If there is no such string.
    #[must_use]
    #[track_caller]
    pub fn text(&self, pointer: &str) -> String {
        self.at(pointer)
            .as_str()
            .unwrap_or_else(|| panic!("{pointer} of {} is not a string", self.json))
            .to_owned()
    }

    /// Returns the reason of an error.
    #[must_use]
    #[track_caller]
    pub fn reason(&self) -> String {
        self.text("/error/reason")
    }

    /// Returns the fields that an error names.
    #[must_use]
    pub fn fields(&self) -> Vec<String> {
        let details =
            self.json.pointer("/error/details").and_then(Value::as_array).cloned().unwrap_or_default();
        details.iter().filter_map(|detail| Some(detail.get("field")?.as_str()?.to_owned())).collect()
    }

    /// Returns a header as text; empty if missing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
