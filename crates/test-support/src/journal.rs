//! Record of requests and answers.

use std::cell::RefCell;
use std::rc::Rc;

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::web::{Bytes, BytesMut};
use futures_util::stream::StreamExt as _;
use quire_domain::ids::UserId;
use quire_server::idempotency::IDEMPOTENCY_REPLAYED;

use crate::Answer;

/// Request and its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// User. `None` without a token.
    pub user: Option<UserId>,
    /// Method of the request.
    pub method: Method,
    /// Path and query of the request.
    pub target: String,
    /// Body of the request.
    pub sent: Bytes,
    /// The answer.
    pub answer: Answer,
    /// `true` if a repetition with the same idempotency key got the stored answer. `None` for requests that only read
    /// or were refused.
    pub was_repeated: Option<bool>,
    /// Status of the same request sent before with a wrong entity tag. Only for PATCH and PUT.
    pub with_another_tag: Option<u16>,
}

/// Returns whether the answer to a repeated request is the stored one.
///
/// # Panics
/// If the answer differs from the first one.
pub(crate) fn is_repetition(first: &Answer, again: &Answer, target: &str) -> bool {
    let is_kept = again.headers.contains_key(&IDEMPOTENCY_REPLAYED);
    if is_kept {
        assert_eq!((first.status, &first.bytes), (again.status, &again.bytes), "{target}");
        for name in ["content-type", "etag", "location", "preference-applied", "cache-control"] {
            assert_eq!(first.header(name), again.header(name), "{name} of {target}");
        }
    }
    is_kept
}

/// Record of exchanges in the order of their answers, while it is open. Each write is sent with an idempotency key, and
/// repeated.
#[derive(Clone, Debug, Default)]
pub struct Journal(Rc<RefCell<Option<Vec<Exchange>>>>);

impl Journal {
    /// Starts recording.
    pub fn open(&self) {
        self.0.borrow_mut().get_or_insert_with(Vec::new);
    }

    /// Stops recording, and returns the exchanges.
    #[must_use]
    pub fn close(&self) -> Vec<Exchange> {
        self.0.borrow_mut().take().unwrap_or_default()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.0.borrow().is_some()
    }

    pub(crate) fn note(&self, exchange: Exchange) {
        if let Some(kept) = self.0.borrow_mut().as_mut() {
            kept.push(exchange);
        }
    }
}

/// Reads the whole body of a request and puts it back.
pub(crate) async fn read_again(payload: &mut Payload) -> Bytes {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        bytes.extend_from_slice(&chunk.expect("a body in memory can be read"));
    }
    let bytes = bytes.freeze();
    *payload = if bytes.is_empty() { Payload::None } else { Payload::from(bytes.clone()) };
    bytes
}
