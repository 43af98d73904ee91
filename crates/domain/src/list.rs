//! Lists: the envelope and the query parameters for paging.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use serde::de::{Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use validator::{Validate, ValidationError};

use crate::bounds::{LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX};
pub use crate::cursor::{Cursor, CursorError};
use crate::text_checks;

/// Sort order by time.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Oldest first.
    Asc,
    /// Newest first.
    #[default]
    Desc,
}

/// Page of a list.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct List<T> {
    /// Cursor of the next page. Absent on the last page.
    #[schema(nullable = false)]
    pub next: Option<NextPage>,
    /// Number of items that match the filters, on all pages.
    pub count: u64,
    /// Items on this page.
    pub items: Vec<T>,
}

/// Cursor of the next page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NextPage {
    /// Value for the `page` query parameter. Opaque.
    pub page: String,
}

impl<T> List<T> {
    /// Returns the same page with converted items.
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> List<U> {
        List { next: self.next, count: self.count, items: self.items.into_iter().map(f).collect() }
    }
}

/// Query parameters of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Cursor: `next.page` of the previous page. Returns the first page if absent.
    #[validate(custom(function = "text_checks::no_nul"))]
    #[param(nullable = false)]
    pub page: Option<String>,
    /// Maximum number of items per page.
    #[serde(deserialize_with = "limit")]
    #[validate(custom(function = "limit_in_bounds"))]
    #[param(schema_with = limit_schema, required = false)]
    pub limit: Option<u64>,
}

impl PageQuery {
    /// Returns the maximum number of items: the requested limit, clamped to 1 to [`LIST_LIMIT_MAX`], or
    /// [`LIST_LIMIT_DEFAULT`]. Validation has already refused limits out of bounds.
    pub fn limit(&self) -> u16 {
        match self.limit {
            None => LIST_LIMIT_DEFAULT,
            Some(limit) => u16::try_from(limit).unwrap_or(LIST_LIMIT_MAX).clamp(1, LIST_LIMIT_MAX),
        }
    }
}

/// Checks a `limit` query parameter.
///
/// # Errors
/// A [`ValidationError`] outside 1 to [`LIST_LIMIT_MAX`].
pub fn limit_in_bounds(limit: u64) -> Result<(), ValidationError> {
    if (1..=u64::from(LIST_LIMIT_MAX)).contains(&limit) {
        return Ok(());
    }
    Err(text_checks::error("range", format!("must be 1 to {LIST_LIMIT_MAX}")))
}

/// Returns the schema of a `limit` query parameter.
pub(crate) fn limit_schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
    utoipa::openapi::ObjectBuilder::new()
        .schema_type(utoipa::openapi::Type::Integer)
        .description(Some("Maximum number of items per page."))
        .minimum(Some(1))
        .maximum(Some(i64::from(LIST_LIMIT_MAX)))
        .default(Some(LIST_LIMIT_DEFAULT.into()))
        .into()
}

/// Reads an integer or its digits, because query parameters in a flattened struct arrive as text.
///
/// # Errors
/// Other values.
pub fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    struct Limit;

    impl Visitor<'_> for Limit {
        type Value = u64;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "a whole number from 1 to {LIST_LIMIT_MAX}")
        }

        fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<u64, E> {
            Ok(value)
        }

        fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<u64, E> {
            value.parse().map_err(|_| E::invalid_value(Unexpected::Str(value), &self))
        }
    }

    deserializer.deserialize_any(Limit).map(Some)
}

/// Id that no resource has.
const NO_ID: &str = "00000000-0000-0000-0000-000000000000";

/// Reads an id to filter by. A text that is not an id matches nothing.
///
/// # Errors
/// Values other than text.
pub(crate) fn filter_id<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    id_or_no_id(&text).map(Some).map_err(serde::de::Error::custom)
}

/// Reads ids to filter by, as [`filter_id`] does.
///
/// # Errors
/// Values other than lists of text.
pub(crate) fn filter_ids<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let texts = Vec::<Cow<'de, str>>::deserialize(deserializer)?;
    texts.iter().map(|text| id_or_no_id(text)).collect::<Result<_, _>>().map_err(serde::de::Error::custom)
}

fn id_or_no_id<T: FromStr>(text: &str) -> Result<T, T::Err> {
    text.parse().or_else(|_| NO_ID.parse())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn query(json: serde_json::Value) -> PageQuery {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn the_last_page_has_no_next() {
        let mut list = List { next: None, count: 1, items: vec!["a"] };
        assert_eq!(serde_json::to_string(&list).unwrap(), r#"{"count":1,"items":["a"]}"#);
        list.next = Some(NextPage { page: "p".to_owned() });
        assert_eq!(serde_json::to_string(&list).unwrap(), r#"{"next":{"page":"p"},"count":1,"items":["a"]}"#);
    }

    #[test]
    fn limits_are_one_to_a_thousand_and_fifty_by_default() {
        assert_eq!(query(json!({})).limit(), 50);
        assert_eq!(query(json!({"limit": "7"})).limit(), 7);
        for (limit, good) in [(0, false), (1, true), (1000, true), (1001, false), (u64::MAX, false)] {
            assert_eq!(query(json!({ "limit": limit })).validate().is_ok(), good, "{limit}");
        }
        for limit in [json!("x"), json!("-1"), json!(""), json!(1.5), json!(-1)] {
            assert!(serde_json::from_value::<PageQuery>(json!({ "limit": limit })).is_err(), "{limit}");
        }
    }
}
