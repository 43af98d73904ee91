//! Query parameters.

use std::future::{Ready, ready};
use std::ops::Deref;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use quire_domain::error::{FieldError, Reason};
use serde::de::DeserializeOwned;
use validator::Validate;

use crate::error::ApiError;

/// Validated query parameters. Unknown parameters are ignored. A parameter with several values repeats its key.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

impl<T> Deref for Query<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned + Validate> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(parse(request.query_string()).map(Self))
    }
}

fn parse<T: DeserializeOwned + Validate>(query: &str) -> Result<T, ApiError> {
    let nul: Vec<_> = query.split('&').filter(|parameter| parameter.contains("%00")).map(nul_in).collect();
    if !nul.is_empty() {
        return Err(ApiError::new(Reason::InvalidQuery).with_details(nul));
    }
    let deserializer = serde_html_form::Deserializer::from_bytes(query.as_bytes());
    let value: T = serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let message = error.inner().to_string();
        ApiError::invalid_query(super::field_at(&error.path().to_string(), "", &message), message)
    })?;
    value.validate().map_err(|errors| super::invalid_fields(Reason::InvalidQuery, &errors))?;
    Ok(value)
}

/// Returns the error for a NUL, which PostgreSQL cannot store. It is refused in unknown parameters too.
fn nul_in(parameter: &str) -> FieldError {
    let name = parameter.split('=').next().unwrap_or_default().replace("%00", "\u{fffd}");
    FieldError { field: name, message: "must not contain a NUL character".to_owned() }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use validator::Validate;

    use super::parse;

    #[derive(Debug, Deserialize, Validate)]
    struct Sample {
        #[validate(range(max = 10))]
        limit: Option<u32>,
        #[serde(default)]
        authors: Vec<String>,
    }

    #[test]
    fn repeated_keys_make_a_list_and_unknown_ones_are_ignored() {
        let sample: Sample = parse("authors=a&x=1&authors=b").unwrap();
        assert_eq!((sample.limit, sample.authors), (None, vec!["a".to_owned(), "b".to_owned()]));
    }

    #[test]
    fn a_wrong_parameter_is_named() {
        for query in ["limit=many", "limit=11", "limit=-1", "a=b&limit=%00"] {
            let error = parse::<Sample>(query).unwrap_err();
            let body = serde_json::to_value(format!("{error:?}")).unwrap().to_string();
            assert!(body.contains("limit"), "{query}: {body}");
        }
    }
}
