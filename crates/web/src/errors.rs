//! Responses for paths without a site, and for failures.

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, ResponseError as _};
use maud::{DOCTYPE, Markup, html};
use quire_server::ApiError;

/// Content security policy of error pages, which load nothing.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/// Responds with 404. The response is the same for a missing site, an unpublished one, and one that the visitor may not
/// see.
pub(crate) fn not_found() -> HttpResponse {
    HttpResponse::NotFound()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .content_type("text/html; charset=utf-8")
        .body(page("Page not found", "There is no page at this address."))
}

/// Responds to a link to a preview that expired or that another deployment made.
pub(crate) fn expired() -> HttpResponse {
    gone("This preview has expired", "Preview links work for an hour. Ask for a new one.")
}

/// Responds to a link that no longer works.
pub(crate) fn gone(title: &str, sentence: &str) -> HttpResponse {
    refused(StatusCode::GONE, title, sentence)
}

/// Responds with a status and a page that explains it.
pub(crate) fn refused(status: StatusCode, title: &str, sentence: &str) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .content_type("text/html; charset=utf-8")
        .body(page(title, sentence))
}

/// Responds to an invalid visitor token with a link to the service that issues tokens. Clears the token cookie.
pub(crate) fn not_signed_in(problem: &str, sign_in: &str, forget: &str) -> HttpResponse {
    let content = html! {
        p { "The visitor token " (problem) "." }
        p { a href=(sign_in) rel="noreferrer" { "Sign in again" } }
    };
    HttpResponse::Forbidden()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::SET_COOKIE, forget))
        .content_type("text/html; charset=utf-8")
        .body(page_with("You are not signed in", &content))
}

/// Responds with 405 to a POST request for a read-only path.
pub(crate) fn read_only() -> HttpResponse {
    HttpResponse::MethodNotAllowed().insert_header((header::ALLOW, "GET, HEAD")).finish()
}

/// Responds with 405 to a GET request for a service that accepts only messages.
pub(crate) fn message_only() -> HttpResponse {
    HttpResponse::MethodNotAllowed().insert_header((header::ALLOW, "POST")).finish()
}

/// Responds to a failure with the same status as the API, and a page with an explanation.
pub(crate) fn failed(error: &ApiError) -> HttpResponse {
    if error.status_code() == StatusCode::NOT_FOUND {
        return not_found();
    }
    let text = if error.status_code().is_server_error() {
        page("This page is not available", "Try again in a moment.")
    } else {
        page("This page can't be shown", &error.to_string())
    };
    let mut response = error.error_response().set_body(BoxBody::new(text));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn page(title: &str, sentence: &str) -> String {
    page_with(title, &html! { p { (sentence) } })
}

fn page_with(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (title) }
            }
            body { main { h1 { (title) } (content) } }
        }
    };
    page.into_string()
}
