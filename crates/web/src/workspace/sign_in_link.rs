//! Redirect to the sign-in page.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quire_server::urls::base_path;

use crate::state::Web;

/// Characters that are escaped in a parameter.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Redirects to the sign-in page, which then redirects back to the request's page. Depends only on the address.
pub(crate) fn sign_in(request: &HttpRequest, web: &Web) -> HttpResponse {
    let prefix = base_path(web.state.urls.base());
    // The path of a request includes the path of the deployment.
    let next = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let url = format!("{prefix}/~/sign-in?next={}", utf8_percent_encode(next, ESCAPED));
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, url))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish()
}

/// Redirects to the account page, which explains the requirement of an organization.
pub(crate) fn account(web: &Web) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, format!("{}/~/account", base_path(web.state.urls.base()))))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish()
}
