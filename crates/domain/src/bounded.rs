//! Bounded text types, which give their content only after a check. [`crate::texts`] declares one for each meaning.
//!
//! A body must report all of its failing fields, so deserialization does not stop at the first invalid text: a
//! deserialized [`Bounded`] may break its bounds, `validate()` reports it, and [`Bounded::into_text`] fails. There is
//! no other access to the content, so a program that forgets to validate gets an error instead of a text out of bounds.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use validator::ValidationError;

use crate::error::{Failure, Reason, Refusal};
use crate::patch::Patch;
use crate::text_checks::{self, Text};

/// Kind of text, with its bounds.
pub trait Kind {
    /// Name of the type in the API description.
    const NAME: &'static str;
    /// Description of the type in the API description.
    const DESCRIPTION: &'static str;
    /// Minimum number of Unicode scalar values.
    const MIN: u64;
    /// Maximum number of Unicode scalar values.
    const MAX: u64;

    /// Checks a text. The error is a sentence about the broken bound.
    ///
    /// # Errors
    /// [`OutOfBounds`] if the text breaks a bound.
    fn check(text: &str) -> Result<(), OutOfBounds>;

    /// Returns the form in which a text is stored and compared.
    fn canonical(text: String) -> String {
        text
    }
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

/// Fallback for texts of bodies that were not validated: `validate()` refuses them first and names their fields.
impl From<OutOfBounds> for Refusal {
    fn from(OutOfBounds(sentence): OutOfBounds) -> Self {
        Self::new(Reason::InvalidBody).with_message(format!("The text {sentence}."))
    }
}

impl From<OutOfBounds> for Failure {
    fn from(error: OutOfBounds) -> Self {
        Self::Refused(error.into())
    }
}

/// Text of one kind.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Bounded<K> {
    text: String,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Bounded<K> {
    /// Checks a text and wraps it.
    ///
    /// # Errors
    /// [`OutOfBounds`] if the text breaks a bound.
    pub fn new(text: impl Into<String>) -> Result<Self, OutOfBounds> {
        let text = text.into();
        K::check(&text)?;
        Ok(Self { text, kind: PhantomData })
    }

    /// Wraps a text without a check, like deserialization. For bodies that code assembles and then validates.
    pub fn unchecked(text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: PhantomData }
    }

    /// Returns the text in its canonical form.
    ///
    /// # Errors
    /// [`OutOfBounds`] if it was deserialized and breaks its bounds.
    pub fn into_text(self) -> Result<String, OutOfBounds> {
        K::check(&self.text)?;
        Ok(K::canonical(self.text))
    }

    /// Returns the text as it was given, by reference.
    ///
    /// # Errors
    /// [`OutOfBounds`] if it was deserialized and breaks its bounds.
    pub fn as_text(&self) -> Result<&str, OutOfBounds> {
        K::check(&self.text)?;
        Ok(&self.text)
    }

    /// Checks the text of a field, if present, for `#[validate(custom(function = "…"))]`.
    pub(crate) fn check(value: &(impl Text + ?Sized)) -> Result<(), ValidationError> {
        let Some(text) = value.text() else { return Ok(()) };
        K::check(text).map_err(|OutOfBounds(sentence)| text_checks::error("text", sentence))
    }

    /// Checks that a list has `MIN` to `MAX` texts and that each is within its bounds.
    pub(crate) fn check_list<const MIN: u64, const MAX: u64>(
        values: &[impl Text],
    ) -> Result<(), ValidationError> {
        text_checks::count::<MIN, MAX, _>(values)?;
        values.iter().try_for_each(Self::check)
    }
}

/// Fields of bodies that hold bounded texts: required, optional, list or key of a PATCH body.
pub trait IntoText {
    /// The field with plain texts.
    type Text;

    /// Returns the field with plain texts.
    ///
    /// # Errors
    /// [`OutOfBounds`] if one was deserialized and breaks its bounds.
    fn into_text(self) -> Result<Self::Text, OutOfBounds>;
}

impl<K: Kind> IntoText for Bounded<K> {
    type Text = String;

    fn into_text(self) -> Result<String, OutOfBounds> {
        Self::into_text(self)
    }
}

impl<T: IntoText> IntoText for Option<T> {
    type Text = Option<T::Text>;

    fn into_text(self) -> Result<Self::Text, OutOfBounds> {
        self.map(T::into_text).transpose()
    }
}

impl<T: IntoText> IntoText for Vec<T> {
    type Text = Vec<T::Text>;

    fn into_text(self) -> Result<Self::Text, OutOfBounds> {
        self.into_iter().map(T::into_text).collect()
    }
}

impl<T: IntoText> IntoText for Patch<T> {
    type Text = Patch<T::Text>;

    fn into_text(self) -> Result<Self::Text, OutOfBounds> {
        Ok(match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(value.into_text()?),
        })
    }
}

impl<K: Kind> TryFrom<String> for Bounded<K> {
    type Error = OutOfBounds;

    fn try_from(text: String) -> Result<Self, OutOfBounds> {
        Self::new(text)
    }
}

/// Access to the text for checks that collect the failing fields of a body.
impl<K> Text for Bounded<K> {
    fn text(&self) -> Option<&str> {
        Some(&self.text)
    }
}

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
    use crate::spaces::SpaceUpdate;
    use crate::texts::SpaceTitle;

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
