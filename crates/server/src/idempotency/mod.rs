//! `Idempotency-Key`: a repeated request takes effect once and gets the same response.
//!
//! A request with a key is looked up before its handler runs. If the key is new, the handler runs as usual, but its
//! transaction is committed only when the response is ready, together with the key and the response
//! ([`ServerState::transact`](crate::ServerState::transact)). Requests without a key are not affected. [Decision
//! 19](../../../../docs/adr/0019-idempotency.md) has the reasons.

mod answer;
mod body;
pub(crate) mod keyed;
mod repeat;

use std::sync::Arc;

use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, ResponseError as _};
use futures_util::StreamExt as _;
use quire_domain::error::{FieldError, Reason};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::operations::idempotency::{KeptOutcome, NamedRequest};
use sha2::{Digest as _, Sha256};

use self::body::SharedDigest;
use self::keyed::{Keyed, Stage};
use crate::error::{ApiError, ApiResult};
use crate::extract::credentials;
use crate::middleware::scope::RequestScope;
use crate::state::State;

/// Header with the idempotency key of a request.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Header of a replayed response.
pub const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// Maximum length of a key in characters.
pub const KEY_MAX: usize = 255;

/// Returns whether a request has an unsafe method and an `Idempotency-Key`.
pub(crate) fn has_key(request: &ServiceRequest) -> bool {
    !request.method().is_safe() && request.headers().contains_key(IDEMPOTENCY_KEY)
}

/// Responds to a request with a key: with `handler`, or with the stored response of an earlier request with the same
/// key.
pub(crate) async fn answer<H: Future<Output = ServiceResponse>>(
    mut request: ServiceRequest,
    handler: impl FnOnce(ServiceRequest) -> H,
) -> ServiceResponse {
    // A key belongs to a user, so it is ignored without a token.
    let caller = credentials(request.request()).zip(request.app_data::<State>().cloned());
    let Some((caller, state)) = caller else { return handler(request).await };
    let digest = SharedDigest::of(request.request());
    watch(&mut request, &digest);
    match find(&state, caller, request.request()).await {
        Ok((named, None)) => first(&state, caller, named, request, digest, handler).await,
        Ok((named, Some(kept))) => {
            let mut payload = request.take_payload();
            let response = repeat::read(&state, &mut payload, &digest, &kept).await;
            let response = match response {
                Ok(()) => repeated(&state, caller, (&named, &kept), &digest).await,
                Err(error) => Err(error),
            };
            request.into_response(response.unwrap_or_else(|error| error.error_response()))
        }
        // The handler decides whether it requires a valid token.
        Err(error) if error.reason() == Reason::Unauthenticated => handler(request).await,
        Err(error) => request.into_response(error.error_response()),
    }
}

/// Computes the digest of the payload of a request while it is read.
fn watch(request: &mut ServiceRequest, digest: &SharedDigest) {
    let digest = digest.clone();
    let payload = request.take_payload();
    let chunks = payload.map(Some).chain(futures_util::stream::iter([None]));
    let watched = chunks.filter_map(move |chunk| {
        match &chunk {
            Some(Ok(bytes)) => digest.update(bytes),
            Some(Err(_)) => {}
            None => digest.end(),
        }
        std::future::ready(chunk)
    });
    request.set_payload(Payload::Stream { payload: Box::pin(watched) });
}

/// Looks up the caller, and the outcome of an earlier request with the key.
async fn find(
    state: &State,
    caller: Credentials,
    request: &HttpRequest,
) -> ApiResult<(NamedRequest, Option<KeptOutcome>)> {
    let key = key_of(request)?;
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let hash = Sha256::digest(format!("{} {path}", request.method())).into();
    state
        .read(caller, move |reader: &mut Reader<'_>| {
            let actor = reader.own_actor()?;
            let kept = reader.kept_outcome(actor, &key)?;
            Ok((NamedRequest { user: actor.user, token: actor.token, key: key.clone(), request: hash }, kept))
        })
        .await
}

/// Returns the key of a request.
fn key_of(request: &HttpRequest) -> ApiResult<String> {
    let invalid = |message: String| {
        let field = "Idempotency-Key".to_owned();
        ApiError::new(Reason::InvalidHeader).with_details(vec![FieldError { field, message }])
    };
    let mut values = request.headers().get_all(IDEMPOTENCY_KEY);
    let key = values.next().map(|value| value.as_bytes()).unwrap_or_default();
    if values.next().is_some() {
        return Err(invalid("must be sent once".to_owned()));
    }
    if !(1..=KEY_MAX).contains(&key.len()) {
        return Err(invalid(format!("must have 1 to {KEY_MAX} characters, has {}", key.len())));
    }
    if !key.iter().all(u8::is_ascii_graphic) {
        return Err(invalid("must have only visible ASCII characters without spaces".to_owned()));
    }
    Ok(String::from_utf8_lossy(key).into_owned())
}

/// Runs the handler of a request whose key is new, and commits its transaction with the response.
async fn first<H: Future<Output = ServiceResponse>>(
    state: &State,
    caller: Credentials,
    named: NamedRequest,
    request: ServiceRequest,
    digest: SharedDigest,
    handler: impl FnOnce(ServiceRequest) -> H,
) -> ServiceResponse {
    let keyed = Arc::new(Keyed::new(named, digest));
    RequestScope::current().set_keyed(Arc::clone(&keyed));
    // The guard also runs when this future is dropped because the client disconnected.
    let _end = keyed.rolled_back_on_drop();
    let response = handler(request).await;
    let status = response.status();
    let concluded = match keyed.take() {
        // The request had no effect: it only read, or a concurrent request with the same key was committed first.
        Stage::Open if status.is_client_error() => overtaken(state, caller, &keyed).await,
        Stage::Open => Ok(None),
        // Dropping the transaction rolls it back.
        Stage::Held(held) if !status.is_success() => {
            drop(held);
            Ok(None)
        }
        stage => return conclude(state, caller, &keyed, stage, response).await,
    };
    match concluded {
        Ok(None) => response,
        Ok(Some(other)) => response.into_response(other),
        Err(error) => response.into_response(error.error_response()),
    }
}

/// Stores the response of a request, commits its transaction, and returns the response.
async fn conclude(
    state: &State,
    caller: Credentials,
    keyed: &Keyed,
    stage: Stage,
    response: ServiceResponse,
) -> ServiceResponse {
    let is_success = response.status().is_success();
    let (request, response) = response.into_parts();
    let (response, sealed) = answer::seal(&state.answer_seal, keyed.request(), response);
    let written = match (stage, sealed) {
        (Stage::Held(held), answer) => held.commit(keyed.outcome(answer)).await,
        (Stage::Committed, Some(answer)) if is_success => {
            let named = keyed.request().clone();
            state.transact_apart(move |tx| tx.complete_outcome(&named, &answer)).await
        }
        (Stage::Open | Stage::Committed, _) => Ok(()),
    };
    let response = match written.map_err(ApiError::from) {
        Ok(()) => response,
        Err(error) if error.reason() == Reason::IdempotencyKeyInUse => {
            match overtaken(state, caller, keyed).await {
                Ok(Some(other)) => other,
                Ok(None) => error.error_response(),
                Err(error) => error.error_response(),
            }
        }
        Err(error) => error.error_response(),
    };
    ServiceResponse::new(request, response)
}

/// Returns the response of a concurrent request with the same key that was committed first.
async fn overtaken(state: &State, caller: Credentials, keyed: &Keyed) -> ApiResult<Option<HttpResponse>> {
    let named = keyed.request().clone();
    let look = move |reader: &mut Reader<'_>| {
        let actor = reader.own_actor()?;
        Ok(reader.kept_outcome(actor, &named.key)?)
    };
    match state.read(caller, look).await? {
        None => Ok(None),
        Some(kept) => repeated(state, caller, (keyed.request(), &kept), keyed.digest()).await.map(Some),
    }
}

/// Returns the stored response if it belongs to the same request.
async fn repeated(
    state: &State,
    caller: Credentials,
    (named, kept): (&NamedRequest, &KeptOutcome),
    digest: &SharedDigest,
) -> ApiResult<HttpResponse> {
    let reused = || ApiError::new(Reason::IdempotencyKeyReused);
    let is_same_body = kept.outcome.body.is_none_or(|body| digest.finished() == Some(body));
    if kept.request != named.request || !is_same_body {
        return Err(reused());
    }
    if kept.token != named.token {
        let look = move |reader: &mut Reader<'_>| {
            let actor = reader.own_actor()?;
            let limits = reader.token_limits(actor)?;
            Ok(limits.read_only || limits.organizations)
        };
        // A restricted token must not reveal the response to another token.
        if state.read(caller, look).await? {
            return Err(reused().with_message("The `Idempotency-Key` was already used with another token."));
        }
    }
    let (user, roles) = (named.user, kept.roles.clone());
    state.read(caller, move |reader: &mut Reader<'_>| Ok(reader.require_roles(user, &roles)?)).await?;
    let sealed = kept.outcome.answer.as_ref().ok_or_else(|| ApiError::new(Reason::AnswerNotKept))?;
    let mut response = answer::open(&state.answer_seal, named, sealed)?;
    response.headers_mut().insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}
