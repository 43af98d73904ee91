//! A record of requests and answers.

use std::cell::RefCell;
use std::rc::Rc;

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::web::{Bytes, BytesMut};
use futures_util::stream::StreamExt as _;
use quire_domain::ids::UserId;
use quire_server::idempotency::IDEMPOTENCY_REPLAYED;

use crate::Answer;

/// A request and its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The user; `None` without a token.
    pub user: Option<UserId>,
    /// The request's method.
    pub method: Method,
    /// Its path and query.
    pub target: String,
    /// Its body.
    pub sent: Bytes,
    /// The answer.
    pub answer: Answer,
    /// `true` if the request, sent again with its idempotency key, got the kept answer; `None` for requests
    /// that only read or were refused.
    pub was_repeated: Option<bool>,
    /// The status of the same request with an entity tag that nothing has, sent before: only of PATCH and PUT.
    pub with_another_tag: Option<u16>,
}

/// Returns whether the answer to a request that was sent again is the kept one.
///
/// # Panics
/// If it got another answer than the first time.
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

/// Records exchanges in the order in which they end, while it is open. Each write is then sent with an idempotency key,
/// and sent again.
#[derive(Clone, Debug, Default)]
pub struct Journal(Rc<RefCell<Option<Vec<Exchange>>>>);

impl Journal {
    /// Starts recording.
    pub fn open(&self) {
        self.0.borrow_mut().get_or_insert_with(Vec::new);
    }

    /// Stops recording and returns the record.
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
