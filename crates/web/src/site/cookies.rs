//! Cookies of a request.

use actix_web::HttpRequest;
use actix_web::http::header;

/// Returns the names and values of the cookies of a request.
pub(super) fn cookies(request: &HttpRequest) -> impl Iterator<Item = (&str, &str)> {
    let values = request.headers().get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// Returns the value of a cookie.
pub(super) fn cookie(request: &HttpRequest, name: &str) -> Option<String> {
    cookies(request).find(|(found, _)| *found == name).map(|(_, value)| value.to_owned())
}
