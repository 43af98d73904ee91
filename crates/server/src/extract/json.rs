//! JSON bodies.

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::BytesMut;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest};
use quire_domain::error::path::split_path;
use quire_domain::error::{FieldError, Reason};
use quire_storage::lookup::Credentials;
use serde::de::DeserializeOwned;
use serde_json::Value;
use validator::Validate;

use super::{BodyDeadline, credentials};
use crate::body_budget::BodyReservation;
use crate::error::{ApiError, ApiResult};
use crate::state::State;

/// Maximum nesting of a body: a document inside a content write (body, changes, change, document).
const MAX_DEPTH: usize = quire_domain::bounds::DOCUMENT_DEPTH_MAX + 4;
/// Maximum number of bytes that are read before the token is verified. It bounds the memory that clients without a
/// valid token can use.
const MAX_UNVOUCHED: usize = 64 << 10;
/// Bounds on the number of reported problems and the length of path segments, so that a hostile body cannot inflate the
/// error response.
const MAX_PROBLEMS: usize = 50;
const MAX_PART: usize = 100;

/// Validated body. Every failing field is reported with its path. Unknown keys are ignored.
#[derive(Clone, Debug)]
pub struct Json<T>(pub T);

/// Body whose keys are all optional. A missing body is the default value.
#[derive(Clone, Debug)]
pub struct OptionalJson<T>(pub T);

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Deref for OptionalJson<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

type Extraction<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

impl<T: DeserializeOwned + Validate + 'static> FromRequest for Json<T> {
    type Error = ApiError;
    type Future = Extraction<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = read(request, payload.take());
        Box::pin(async move {
            let body = body.await?;
            if body.is_empty() {
                return Err(ApiError::new(Reason::InvalidBody).with_message("A JSON body is required."));
            }
            Ok(Self(parse(&body)?))
        })
    }
}

impl<T: DeserializeOwned + Validate + Default + 'static> FromRequest for OptionalJson<T> {
    type Error = ApiError;
    type Future = Extraction<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = read(request, payload.take());
        Box::pin(async move {
            let body = body.await?;
            Ok(Self(if body.is_empty() { T::default() } else { parse(&body)? }))
        })
    }
}

/// Reads a body within the bounds on size, time and memory. The memory is reserved until the request ends, because the
/// parsed value lives that long.
fn read(
    request: &HttpRequest,
    mut payload: Payload,
) -> impl Future<Output = Result<BytesMut, ApiError>> + use<> {
    let request = request.clone();
    async move {
        let state = request.app_data::<State>().cloned();
        let state = state.ok_or_else(|| ApiError::internal(anyhow::anyhow!("there is no state")))?;
        let limit = state.settings.max_body;
        let arrival = BodyDeadline::of(&state.settings, u64::try_from(limit).unwrap_or(u64::MAX));
        let mut admission = Admission::new(&request, &state);
        let mut body = BytesMut::new();
        admission.expect(declared_length(&request).unwrap_or_default()).await?;
        while let Some(chunk) = arrival.next(&mut payload).await? {
            let chunk = chunk.map_err(|error| {
                ApiError::new(Reason::InvalidBody)
                    .with_message(format!("The body could not be read: {error}."))
            })?;
            admission.expect(body.len().saturating_add(chunk.len())).await?;
            admission.take(chunk.len()).await?;
            body.extend_from_slice(&chunk);
        }
        if !body.is_empty() && !is_json(&request) {
            return Err(ApiError::new(Reason::UnsupportedMediaType)
                .with_message("Request bodies require `Content-Type: application/json`."));
        }
        request.extensions_mut().insert(admission.reservation);
        Ok(body)
    }
}

/// Admission control of one body: how much of it may be read.
struct Admission<'a> {
    state: &'a State,
    credentials: Option<Credentials>,
    is_vouched: bool,
    reservation: BodyReservation,
}

impl<'a> Admission<'a> {
    fn new(request: &HttpRequest, state: &'a State) -> Self {
        let reservation = state.bodies.of_unvouched_body();
        Self { state, credentials: credentials(request), is_vouched: false, reservation }
    }

    /// Checks that a body of `length` bytes may be read: 413 if it is too large, also for a request without a token;
    /// 401 if the token is not valid.
    async fn expect(&mut self, length: usize) -> ApiResult<()> {
        let limit = self.state.settings.max_body;
        if length > limit {
            return Err(ApiError::new(Reason::PayloadTooLarge)
                .with_message(format!("The body is larger than {limit} bytes.")));
        }
        match self.credentials {
            _ if length <= MAX_UNVOUCHED => Ok(()),
            // Routes that require a token have already refused the request.
            None => Err(ApiError::new(Reason::PayloadTooLarge).with_message(format!(
                "The body is larger than {MAX_UNVOUCHED} bytes, the limit for requests without an API token."
            ))),
            Some(_) => self.vouch().await,
        }
    }

    /// Reserves memory for a chunk. If no memory for unverified bodies is left, it verifies the token: 401, or access
    /// to all of the memory.
    async fn take(&mut self, bytes: usize) -> ApiResult<()> {
        match self.reservation.take(bytes) {
            Err(_) if self.credentials.is_some() => {
                self.vouch().await?;
                Ok(self.reservation.take(bytes)?)
            }
            taken => Ok(taken?),
        }
    }

    /// Verifies the token, at most once per body.
    async fn vouch(&mut self) -> ApiResult<()> {
        if !self.is_vouched {
            let credentials = self.credentials.ok_or_else(|| ApiError::new(Reason::Unauthenticated))?;
            self.state.check_token(credentials).await?;
            self.is_vouched = true;
            self.reservation.vouch();
        }
        Ok(())
    }
}

fn declared_length(request: &HttpRequest) -> Option<usize> {
    request.headers().get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Returns whether the media type is `application/json` or has the suffix `+json`.
fn is_json(request: &HttpRequest) -> bool {
    let essence = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence =
        essence.and_then(|value| value.split(';').next()).unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn parse<T: DeserializeOwned + Validate>(body: &[u8]) -> Result<T, ApiError> {
    let value: T = serde_path_to_error::deserialize(object(body)?).map_err(invalid)?;
    value.validate().map_err(|errors| super::invalid_fields(Reason::InvalidBody, &errors))?;
    Ok(value)
}

/// Reads a JSON object that PostgreSQL can store.
fn object(body: &[u8]) -> Result<Value, ApiError> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        ApiError::new(Reason::InvalidJson).with_message(format!("The body is not valid JSON: {error}."))
    })?;
    if !value.is_object() {
        return Err(ApiError::new(Reason::InvalidBody).with_message("The body must be a JSON object."));
    }
    let mut problems = Vec::new();
    check(&value, &mut Vec::new(), &mut problems);
    if problems.is_empty() {
        Ok(value)
    } else {
        Err(ApiError::new(Reason::InvalidBody).with_details(problems))
    }
}

fn invalid(error: serde_path_to_error::Error<serde_json::Error>) -> ApiError {
    let message = error.inner().to_string();
    let (inner, message) = split_path(&message);
    ApiError::invalid_field(field_at(&error.path().to_string(), inner, message), message)
}

/// Returns the path of the failing field. `inner` is relative to `path`. For a missing field both end at its parent.
/// For an invalid map key `path` ends in `?`. In these two cases only the message names the field.
pub(super) fn field_at(path: &str, inner: &str, message: &str) -> String {
    let named = |prefix| message.strip_prefix(prefix).and_then(|rest: &str| rest.split('`').next());
    let joined = |parts: [&str; 2]| {
        parts.into_iter().filter(|part| !matches!(*part, "" | ".")).collect::<Vec<_>>().join(".")
    };
    let path = joined([path, inner]);
    match path.strip_suffix('?') {
        Some(map) => joined([map.trim_end_matches('.'), named("unknown variant `").unwrap_or_default()]),
        None => joined([&path, named("missing field `").unwrap_or_default()]),
    }
}

/// Checks all values, including values of unknown keys: no NUL characters, which PostgreSQL cannot store, and bounded
/// nesting.
fn check(value: &Value, path: &mut Vec<String>, problems: &mut Vec<FieldError>) {
    const NUL: &str = "must not contain a NUL character";
    if problems.len() >= MAX_PROBLEMS {
        return;
    }
    if path.len() > MAX_DEPTH {
        problems.push(FieldError {
            field: joined(path),
            message: format!("must not nest deeper than {MAX_DEPTH} levels"),
        });
        return;
    }
    match value {
        Value::String(text) if text.contains('\0') => {
            problems.push(FieldError { field: joined(path), message: NUL.to_owned() });
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(format!("[{index}]"));
                check(item, path, problems);
                path.pop();
            }
        }
        Value::Object(entries) => {
            for (key, item) in entries {
                let (shown, _) = key.split_at(key.floor_char_boundary(MAX_PART));
                path.push(shown.replace('\0', "\u{fffd}"));
                if key.contains('\0') {
                    problems.push(FieldError { field: joined(path), message: NUL.to_owned() });
                }
                check(item, path, problems);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Returns a path in the form of error details, such as `changes[0].title`.
fn joined(path: &[String]) -> String {
    let mut joined = String::new();
    for part in path.iter().take(MAX_DEPTH) {
        if !joined.is_empty() && !part.starts_with('[') {
            joined.push('.');
        }
        joined.push_str(part);
    }
    joined
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use validator::Validate;

    use super::parse;

    #[derive(Debug, serde::Deserialize, Validate)]
    struct Sample {
        #[validate(length(max = 3))]
        title: Option<String>,
    }

    fn refusal(body: &str) -> String {
        format!("{:?}", parse::<Sample>(body.as_bytes()).unwrap_err())
    }

    #[test]
    fn good_bodies_pass_and_unknown_keys_are_ignored() {
        assert_eq!(
            parse::<Sample>(br#"{"title": "abc", "new": [1]}"#).unwrap().title.as_deref(),
            Some("abc")
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(refusal("{\"title\": ").contains("line 1 column 10"));
        assert!(refusal(r#"{"title": 7}"#).contains(r#"field: "title""#));
        assert!(refusal(r#"{"title": "abcd"}"#).contains(r#"field: "title""#));
        assert!(refusal(r#"{"x": [{"y": "a\u0000"}]}"#).contains(r#"field: "x[0].y""#));
        let deep = format!("{}1{}", "[".repeat(126), "]".repeat(126));
        assert!(refusal(&format!(r#"{{"title": {deep}}}"#)).contains("nest deeper"));
        assert!(refusal("[]").contains("JSON object"));
        let deeper = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        assert!(refusal(&deeper).contains("recursion limit"));
    }

    #[test]
    fn a_missing_field_is_named_with_its_path() {
        assert_eq!(super::field_at(".", "", "missing field `url`"), "url");
        assert_eq!(super::field_at("changes[1]", "", "missing field `page`"), "changes[1].page");
        assert_eq!(
            super::field_at("changes[1]", "files[0]", "missing field `name`"),
            "changes[1].files[0].name"
        );
        assert_eq!(super::field_at("title.?", "", "unknown variant `xx`, expected `de`"), "title.xx");
        assert_eq!(super::field_at("members.?", "", "invalid id"), "members");
        assert_eq!(super::field_at("title", "", "invalid type"), "title");
        assert_eq!(super::field_at(".", "", "invalid type"), "");
    }

    #[test]
    fn a_body_with_many_errors_has_a_bounded_answer() {
        let key = "k".repeat(100_000);
        let body = format!(r#"{{"{key}": [{}"\u0000"]}}"#, r#""\u0000","#.repeat(1_000));
        let refusal = refusal(&body);
        assert!(
            refusal.contains("[49]") && !refusal.contains("[50]") && refusal.len() < 20_000,
            "{}",
            refusal.len()
        );
    }

    #[test]
    fn a_backslash_before_an_escape_is_no_nul() {
        assert!(parse::<Sample>(br#"{"x": "\\u0000"}"#).is_ok());
        assert!(serde_json::from_str::<Value>(r#""\\u0000""#).is_ok());
    }
}
