//! Slugs of specifications.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::bounds::SPEC_SLUG_MAX;

/// Pattern of the slug of a specification.
const PATTERN: &str = "^[a-z0-9]+(?:-[a-z0-9]+)*$";

/// Slug of a specification: words of lowercase letters and digits, joined with `-`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct SpecSlug(String);

/// Text that is not a slug of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {SPEC_SLUG_MAX} characters: words of lowercase letters and digits, joined by `-`")]
pub struct InvalidSpecSlug;

impl SpecSlug {
    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SpecSlug {
    type Err = InvalidSpecSlug;

    fn from_str(text: &str) -> Result<Self, InvalidSpecSlug> {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        let fits = u64::try_from(text.len()).is_ok_and(|length| length <= SPEC_SLUG_MAX);
        if fits && text.split('-').all(is_word) { Ok(Self(text.to_owned())) } else { Err(InvalidSpecSlug) }
    }
}

impl fmt::Display for SpecSlug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for SpecSlug {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for SpecSlug {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Slug of an OpenAPI specification."))
            .min_length(Some(1))
            .max_length(usize::try_from(SPEC_SLUG_MAX).ok())
            .pattern(Some(PATTERN))
            .into()
    }
}

impl ToSchema for SpecSlug {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("OpenAPISpecSlug")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_words_joined_by_hyphens() {
        let longest = "a".repeat(100);
        for good in ["a", "0", "pets", "pets-v2", "a-b-c", &longest] {
            assert_eq!(good.parse::<SpecSlug>().unwrap().as_str(), good);
        }
        let longer = "a".repeat(101);
        for bad in ["", "-", "a-", "-a", "a--b", "A", "ä", "a_b", "a b", "a\0", &longer] {
            assert_eq!(bad.parse::<SpecSlug>(), Err(InvalidSpecSlug), "{bad}");
        }
    }
}
