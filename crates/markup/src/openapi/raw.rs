//! Objects with unparsed values, which make it cheap to split a large specification.

use std::collections::HashMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::SpecError;
use super::json::{Entries, Json, escape};

/// Object with unparsed JSON values in order. Keys are distinct: the last value of repeated keys is kept.
#[derive(Debug, Default)]
pub(super) struct RawObject<'a>(pub(super) Vec<(String, &'a RawValue)>);

impl<'a> RawObject<'a> {
    /// Reads the keys of an object.
    pub(super) fn read(pointer: &str, text: &'a str) -> Result<Self, SpecError> {
        serde_json::from_str(text).map_err(|error| malformed(pointer, &error))
    }

    /// Returns the value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// Returns the object at a key; an empty one if the key is absent.
    pub(super) fn object(&self, key: &str) -> Result<Self, SpecError> {
        self.get(key)
            .map_or_else(|| Ok(Self::default()), |raw| Self::read(&format!("/{}", escape(key)), raw.get()))
    }

    /// Returns the parsed value of a key; null if the key is absent.
    pub(super) fn json(&self, key: &str) -> Result<Json, SpecError> {
        self.get(key).map_or(Ok(Json::Null), |raw| read(&format!("/{}", escape(key)), raw))
    }

    /// Returns the text of a key; for a number, its source text.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        let raw = self.get(key)?.get();
        match Json::parse(raw).ok()? {
            Json::Text(text) => Some(text),
            Json::Number(_) | Json::Bool(_) => Some(raw.trim().to_owned()),
            _ => None,
        }
    }

    /// Returns the values by key.
    pub(super) fn into_map(self) -> HashMap<String, &'a RawValue> {
        self.0.into_iter().collect()
    }
}

/// Parses a value.
pub(super) fn read(pointer: &str, raw: &RawValue) -> Result<Json, SpecError> {
    Json::parse(raw.get()).map_err(|error| malformed(pointer, &error))
}

pub(super) fn malformed(pointer: &str, error: &serde_json::Error) -> SpecError {
    SpecError::Malformed { pointer: pointer.to_owned(), message: format!("can't be read: {error}") }
}

impl<'de: 'a, 'a> Deserialize<'de> for RawObject<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values;

        impl<'de> Visitor<'de> for Values {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut entries = Entries::new();
                while let Some((key, value)) = access.next_entry()? {
                    entries.set(key, value);
                }
                Ok(entries.into_entries())
            }
        }

        deserializer.deserialize_map(Values).map(Self)
    }
}
