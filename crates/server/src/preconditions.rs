//! `If-Match`: conditional changes, refused if the resource has changed since the caller read it.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest};
use quire_domain::error::Reason;
use quire_domain::ids::RevisionId;
use serde::Serialize;

use crate::error::{ApiError, ApiResult};
use crate::respond::tag_of;

/// Entity tags of `If-Match`; `None` without the header.
#[derive(Clone, Debug)]
pub struct IfMatch(Option<Vec<String>>);

impl FromRequest for IfMatch {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        // Tags may have bytes beyond ASCII (RFC 9110, 8.8.3). Such a tag matches nothing, but is still a condition.
        let tags: Vec<String> = request
            .headers()
            .get_all(header::IF_MATCH)
            .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
            .map(|tag| String::from_utf8_lossy(tag).trim().to_owned())
            .collect();
        ready(Ok(Self((!tags.is_empty()).then_some(tags))))
    }
}

impl IfMatch {
    /// Passes without a condition, or if the resource matches it.
    ///
    /// # Errors
    /// 412 otherwise.
    pub fn check<T: Serialize>(&self, current: &T) -> ApiResult<()> {
        if self.0.is_none() {
            return Ok(());
        }
        let body = serde_json::to_vec(current).map_err(ApiError::internal)?;
        self.accept(|tag| tag == tag_of(&body))
    }

    /// Passes only without a condition, because no condition holds for a missing resource (RFC 9110, 13.1.1).
    ///
    /// # Errors
    /// 412 otherwise.
    pub fn check_absent(&self) -> ApiResult<()> {
        if self.0.is_none() { Ok(()) } else { Err(ApiError::new(Reason::PreconditionFailed)) }
    }

    /// For resources without a GET of their own, and so without an ETag: only an absent `If-Match` or `*` passes.
    ///
    /// # Errors
    /// 412 otherwise.
    pub fn check_untagged(&self) -> ApiResult<()> {
        self.accept(|_| false)
    }

    /// Like [`IfMatch::check`], for a resource that is read only if there is a condition.
    ///
    /// # Errors
    /// 412, and errors of `current`.
    pub fn check_with<T: Serialize>(&self, current: impl FnOnce() -> ApiResult<T>) -> ApiResult<()> {
        if self.0.is_none() { Ok(()) } else { self.check(&current()?) }
    }

    /// Returns the revision ids in `If-Match`, for checks by a background job; `None` without a condition and for `*`.
    /// Tags without a revision match nothing.
    #[must_use]
    pub fn revisions(&self) -> Option<Vec<RevisionId>> {
        let tags = self.0.as_ref().filter(|tags| !tags.iter().any(|tag| tag == "*"))?;
        let revision = |tag: &String| tag.trim_matches('"').split('.').next()?.parse().ok();
        Some(tags.iter().filter_map(revision).collect())
    }

    fn accept(&self, matches: impl Fn(&str) -> bool) -> ApiResult<()> {
        match &self.0 {
            Some(tags) if !tags.iter().any(|tag| tag == "*" || matches(tag)) => {
                Err(ApiError::new(Reason::PreconditionFailed))
            }
            _ => Ok(()),
        }
    }
}
