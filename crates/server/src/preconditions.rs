//! `If-Match`: changes that only happen to what the caller has seen.

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

/// The entity tags that the caller accepts; `None` without the header.
#[derive(Clone, Debug)]
pub struct IfMatch(Option<Vec<String>>);

impl FromRequest for IfMatch {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        // Tags may have bytes beyond ASCII (RFC 9110, 8.8.3). None of ours has: such a tag matches nothing, but is a
        // condition.
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
    /// Passes when the caller set no condition, or has seen the resource as it is now.
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

    /// Passes when the caller set no condition: none holds for a resource that isn't there (RFC 9110, 13.1.1).
    ///
    /// # Errors
    /// 412 otherwise.
    pub fn check_absent(&self) -> ApiResult<()> {
        if self.0.is_none() { Ok(()) } else { Err(ApiError::new(Reason::PreconditionFailed)) }
    }

    /// Passes when the caller set no condition, or any: for what is there, but is never answered by itself, so that
    /// nobody can have seen a tag
    /// of it.
    ///
    /// # Errors
    /// 412 otherwise.
    pub fn check_untagged(&self) -> ApiResult<()> {
        self.accept(|_| false)
    }

    /// As [`IfMatch::check`], for a resource that is only read when the caller set a condition.
    ///
    /// # Errors
    /// 412, and what `current` says.
    pub fn check_with<T: Serialize>(&self, current: impl FnOnce() -> ApiResult<T>) -> ApiResult<()> {
        if self.0.is_none() { Ok(()) } else { self.check(&current()?) }
    }

    /// Passes when the caller set no condition, or has seen this revision in any of its representations.
    ///
    /// # Errors
    /// 412 otherwise.
    pub fn check_revision(&self, current: RevisionId) -> ApiResult<()> {
        let current = current.to_string();
        self.accept(|tag| tag.trim_matches('"').split('.').next() == Some(current.as_str()))
    }

    /// The revisions of which the caller has seen one, when it set a condition that any content but some may fail: for
    /// work that is done
    /// later. Tags that name no revision match none.
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
