//! Texts with bounds: types whose content is only given out after its check.
//!
//! A body must report all of its failing fields, so reading one does not stop at the first bad text: a [`Bounded`] that
//! is deserialized may break its bounds, `validate()` reports it, and [`Bounded::into_text`] fails. There is no other way
//! to its content, so a program that forgets to validate gets an error instead of a text out of bounds.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::features::ValidationError;
use crate::text::Text;

/// Kind of a text, with its bounds.
pub trait Kind {
    /// Checks a text, with a sentence about the bound that it breaks.
    ///
    /// # Errors
    /// [`OutOfBounds`].
    fn check(text: &str) -> Result<(), OutOfBounds>;
}

/// Refusal of a text: a sentence without a subject, such as `must have at most 50 characters, has 55`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OutOfBounds(String);

impl From<ValidationError> for OutOfBounds {
    fn from(error: ValidationError) -> Self {
        Self(error.message.map_or_else(|| "is not valid".to_owned(), Into::into))
    }
}

/// A text of this kind.
pub struct Bounded<K> {
    text: String,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Bounded<K> {
    /// Checks a text.
    ///
    /// # Errors
    /// [`OutOfBounds`].
    pub fn new(text: impl Into<String>) -> Result<Self, OutOfBounds> {
        let text = text.into();
        K::check(&text)?;
        Ok(Self { text, kind: PhantomData })
    }

    /// Returns the text.
    ///
    /// # Errors
    /// [`OutOfBounds`] if it was deserialized and breaks its bounds.
    pub fn into_text(self) -> Result<String, OutOfBounds> {
        K::check(&self.text)?;
        Ok(self.text)
    }
}

impl<K: Kind> TryFrom<String> for Bounded<K> {
    type Error = OutOfBounds;

    fn try_from(text: String) -> Result<Self, OutOfBounds> {
        Self::new(text)
    }
}

/// For checks that collect the failing fields of a body.
impl<K> Text for Bounded<K> {
    fn text(&self) -> Option<&str> {
        Some(&self.text)
    }
}

impl<K> Clone for Bounded<K> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), kind: PhantomData }
    }
}

impl<K> PartialEq for Bounded<K> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<K> Eq for Bounded<K> {}

impl<K> fmt::Debug for Bounded<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl<K> Serialize for Bounded<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de, K> Deserialize<'de> for Bounded<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { text: String::deserialize(deserializer)?, kind: PhantomData })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::bounded::OutOfBounds;
    use crate::spaces::{SpaceTitle, SpaceUpdate};

    #[test]
    fn a_text_out_of_bounds_cannot_be_made() {
        assert_eq!(SpaceTitle::new("Docs").unwrap().into_text().unwrap(), "Docs");
        let refused = SpaceTitle::new("t".repeat(51)).unwrap_err();
        assert_eq!(refused.to_string(), "must have at most 50 characters, has 51");
    }

    #[test]
    fn a_text_that_was_read_is_given_out_after_its_check() {
        let title = |title: &str| {
            let body: SpaceUpdate = serde_json::from_value(json!({ "title": title })).unwrap();
            body.title.unwrap().into_text()
        };
        assert_eq!(title("Docs"), Ok("Docs".to_owned()));
        assert!(matches!(title(&"t".repeat(51)), Err(OutOfBounds(_))));
        assert!(serde_json::from_value::<SpaceUpdate>(json!({"title": 7})).is_err());
    }
}
