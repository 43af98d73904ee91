//! Request parameters, and list cursors.

use actix_web::HttpRequest;
use quire_domain::error::{FieldError, Reason};
use quire_domain::list::Cursor;
use quire_server::{ApiError, ApiResult};
use quire_storage::list::Slice;
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::form_urlencoded;

/// Returns a parameter of a form-encoded query. A value with NUL is ignored.
pub(super) fn parameter(request: &HttpRequest, name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(request.query_string().as_bytes());
    let value = pairs.find(|(found, _)| found == name)?.1.into_owned();
    Some(value).filter(|value| !value.contains('\0'))
}

/// Returns the position after which the requested page of a list starts.
///
/// # Errors
/// 400 for a cursor of another list.
pub(super) fn position<K: DeserializeOwned>(request: &HttpRequest, list: &str) -> ApiResult<Option<K>> {
    cursor(request, "page", list)
}

/// Returns the position in a list from the parameter of this name, for pages with several lists.
///
/// # Errors
/// 400 for a cursor of another list.
pub(super) fn cursor<K: DeserializeOwned>(
    request: &HttpRequest,
    name: &str,
    list: &str,
) -> ApiResult<Option<K>> {
    let Some(cursor) = parameter(request, name) else { return Ok(None) };
    Cursor::open(list, &cursor).map(Some).map_err(|_| {
        let message = "is not a cursor of this list".to_owned();
        let details = vec![FieldError { field: name.to_owned(), message }];
        ApiError::new(Reason::InvalidCursor).with_details(details)
    })
}

/// Returns the cursor of the next page. `None` for the last page.
///
/// # Errors
/// If the key cannot be serialized.
pub(super) fn next<T, K: Serialize>(
    slice: &Slice<T>,
    list: &str,
    key: impl Fn(&T) -> K,
) -> ApiResult<Option<String>> {
    let last = slice.items.last().filter(|_| slice.has_more);
    last.map(|last| Cursor::seal(list, &key(last))).transpose().map_err(ApiError::internal)
}
