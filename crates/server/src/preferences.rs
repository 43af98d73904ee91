//! `Prefer`: preferences for the response (RFC 7240).

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::HeaderName;
use actix_web::{FromRequest, HttpRequest};

/// Header with the applied preferences.
pub const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
/// Preference for an asynchronous response.
pub const RESPOND_ASYNC: &str = "respond-async";

/// Supported preferences of a request. Unknown preferences are ignored, as RFC 7240 requires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefer {
    /// Asynchronous response (RFC 7240, 4.1).
    pub respond_async: bool,
    /// Response with the complete resource (RFC 7240, 4.2).
    pub representation: bool,
}

impl FromRequest for Prefer {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let values = request.headers().get_all(HeaderName::from_static("prefer"));
        ready(Ok(Self::of(values.filter_map(|value| value.to_str().ok()))))
    }
}

impl Prefer {
    /// Parses a list of case-insensitive preferences, each with an optional value and parameters.
    fn of<'v>(values: impl Iterator<Item = &'v str>) -> Self {
        let mut prefer = Self::default();
        for preference in values.flat_map(|value| value.split(',')) {
            let preference = preference.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            let (name, value) = preference.split_once('=').unwrap_or((&preference, ""));
            match (name.trim(), value.trim().trim_matches('"')) {
                (RESPOND_ASYNC, _) => prefer.respond_async = true,
                ("return", "representation") => prefer.representation = true,
                _ => {}
            }
        }
        prefer
    }
}

#[cfg(test)]
mod tests {
    use super::Prefer;

    #[test]
    fn preferences_are_found_among_others() {
        for (values, respond_async, representation) in [
            (&["respond-async"][..], true, false),
            (&["Respond-Async, wait=10"], true, false),
            (&["wait=10", "return=minimal; x=1 , respond-async;y"], true, false),
            (&["return=respond-async"], false, false),
            (&["respond-asynchronously"], false, false),
            (&["respond-async", "Return = \"representation\""], true, true),
            (&["return=representation"], false, true),
            (&["representation"], false, false),
            (&[""], false, false),
            (&[], false, false),
        ] {
            let found = Prefer::of(values.iter().copied());
            assert_eq!(found, Prefer { respond_async, representation }, "{values:?}");
        }
    }
}
