//! A record of requests and answers.

use std::cell::RefCell;
use std::rc::Rc;

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::web::{Bytes, BytesMut};
use futures_util::stream::StreamExt as _;
use quire_domain::ids::UserId;

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
}

/// Records exchanges in the order in which they end, while it is open.
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
