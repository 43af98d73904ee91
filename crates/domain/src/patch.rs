//! Keys of a PATCH body: an absent key keeps the value, `null` clears it, another value replaces it.

use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use validator::{Validate, ValidationErrors};

/// Change of an optional field.
///
/// Fields of this type need `#[serde(default)]`, so that an absent key is [`Patch::Keep`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub enum Patch<T> {
    /// The key is absent: the value is kept.
    #[default]
    Keep,
    /// The key is `null`: the value is removed.
    Clear,
    /// The key has a value, which replaces the previous one.
    Set(T),
}

impl<T> Patch<T> {
    /// Returns whether the key is absent.
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// Returns the new value, if present.
    pub const fn set(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// Returns the field after the change, given its previous value.
    pub fn apply(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Keep => before,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// Returns the change for a changeset: `None` keeps, `Some(None)` clears, `Some(Some(_))` sets.
    pub fn into_option(self) -> Option<Option<T>> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(None),
            Self::Set(value) => Some(Some(value)),
        }
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    /// [`Patch::Keep`] has no wire form. Omit the key with `#[serde(skip_serializing_if = "Patch::is_keep")]`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.set().serialize(serializer)
    }
}

impl<T: Validate> Validate for Patch<T> {
    fn validate(&self) -> Result<(), ValidationErrors> {
        self.set().map_or(Ok(()), Validate::validate)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

/// Reads an optional key that cannot be null: absent is `None` (with `#[serde(default)]`), and null is refused as a
/// value of the wrong type.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads a required key that may be null: an absent key (without `#[serde(default)]`) is refused as missing.
pub(crate) fn nullable<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// Reads an optional text. An empty text clears the value, as null does.
pub(crate) fn empty_clears<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Patch<T>, D::Error> {
    match Patch::<String>::deserialize(deserializer)? {
        Patch::Set(text) if !text.is_empty() => T::deserialize(text.into_deserializer()).map(Patch::Set),
        Patch::Set(_) | Patch::Clear => Ok(Patch::Clear),
        Patch::Keep => Ok(Patch::Keep),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_with::skip_serializing_none;

    use super::*;

    #[skip_serializing_none]
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Body {
        #[serde(skip_serializing_if = "Patch::is_keep")]
        level: Patch<u8>,
        #[serde(deserialize_with = "present")]
        title: Option<String>,
        #[serde(deserialize_with = "empty_clears", skip_serializing_if = "Patch::is_keep")]
        emoji: Patch<String>,
    }

    impl Default for Body {
        fn default() -> Self {
            Self { level: Patch::Keep, title: None, emoji: Patch::Keep }
        }
    }

    fn read(json: serde_json::Value) -> serde_json::Result<Body> {
        serde_json::from_value(json)
    }

    #[test]
    fn absent_keeps_null_clears_and_a_value_sets() {
        assert_eq!(read(json!({})).unwrap().level, Patch::Keep);
        assert_eq!(read(json!({"level": null})).unwrap().level, Patch::Clear);
        assert_eq!(read(json!({"level": 3})).unwrap().level, Patch::Set(3));
        assert!(read(json!({"level": "3"})).is_err());
    }

    #[test]
    fn a_key_that_cannot_be_empty_refuses_null() {
        assert_eq!(read(json!({"title": "a"})).unwrap().title.as_deref(), Some("a"));
        assert!(read(json!({"title": null})).is_err());
    }

    #[test]
    fn an_empty_text_clears_where_the_field_says_so() {
        assert_eq!(read(json!({"emoji": ""})).unwrap().emoji, Patch::Clear);
        assert_eq!(read(json!({"emoji": null})).unwrap().emoji, Patch::Clear);
        assert_eq!(read(json!({"emoji": "🚀"})).unwrap().emoji, Patch::Set("🚀".to_owned()));
    }

    #[test]
    fn writes_what_it_reads() {
        for json in [json!({}), json!({"level": null}), json!({"level": 3})] {
            assert_eq!(serde_json::to_value(read(json.clone()).unwrap()).unwrap(), json);
        }
    }

    #[test]
    fn applies_to_what_was_there() {
        assert_eq!(Patch::Keep.apply(Some(1)), Some(1));
        assert_eq!(Patch::Clear.apply(Some(1)), None);
        assert_eq!(Patch::Set(2).apply(Some(1)), Some(2));
        assert_eq!(Patch::<u8>::Keep.into_option(), None);
        assert_eq!(Patch::<u8>::Clear.into_option(), Some(None));
        assert_eq!(Patch::Set(2).into_option(), Some(Some(2)));
    }
}
