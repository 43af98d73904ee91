//! What was said between callers and the application.

use std::cell::RefCell;
use std::rc::Rc;

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::web::{Bytes, BytesMut};
use futures_util::stream::StreamExt as _;
use quire_domain::ids::UserId;

use crate::Answer;

/// A request and what was answered.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Who asked; nobody without a token.
    pub user: Option<UserId>,
    /// The request's method.
    pub method: Method,
    /// Its path and query.
    pub target: String,
    /// Its body.
    pub sent: Bytes,
    /// What was answered.
    pub answer: Answer,
}

/// Keeps exchanges in the order in which they end, from when it is opened until it is closed.
#[derive(Clone, Debug, Default)]
pub struct Journal(Rc<RefCell<Option<Vec<Exchange>>>>);

impl Journal {
    /// From now on, everything is kept.
    pub fn open(&self) {
        self.0.borrow_mut().get_or_insert_with(Vec::new);
    }

    /// What was kept; from now on, nothing is.
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

/// The whole body of a request, which is put back.
pub(crate) async fn read_again(payload: &mut Payload) -> Bytes {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        bytes.extend_from_slice(&chunk.expect("a body in memory can be read"));
    }
    let bytes = bytes.freeze();
    *payload = if bytes.is_empty() { Payload::None } else { Payload::from(bytes.clone()) };
    bytes
}
