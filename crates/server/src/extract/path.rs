//! Path parameters.

use std::future::{Ready, ready};
use std::ops::Deref;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// Path parameters. A malformed id is answered like an unknown one: 404, without a query.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<T> Deref for Path<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Path<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let path = web::Path::<T>::from_request(request, payload).into_inner();
        ready(path.map(|path| Self(path.into_inner())).map_err(|_| ApiError::not_found()))
    }
}
