//! JSON that keeps the order of keys, as readers of a specification expect.

use std::collections::HashMap;
use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;

/// JSON value whose objects keep the order of their keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// Null.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// An object with distinct keys. The last value of repeated keys is kept.
    Object(Vec<(String, Self)>),
}

impl Json {
    /// Reads JSON.
    ///
    /// # Errors
    /// If the text is not JSON, or nests deeper than 128 levels.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Returns the value of a key of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Returns the string value of a key of an object.
    #[must_use]
    pub fn str(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// Returns whether a key of an object is `true`.
    #[must_use]
    pub fn flag(&self, key: &str) -> bool {
        self.get(key) == Some(&Self::Bool(true))
    }

    /// Returns the value if it is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the entries of an object; empty for other values.
    #[must_use]
    pub fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Object(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the entries of the object at a key.
    #[must_use]
    pub fn entries_of(&self, key: &str) -> &[(String, Self)] {
        self.get(key).map_or(&[], Self::entries)
    }

    /// Returns the items of a list; empty for other values.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the items of the list at a key.
    #[must_use]
    pub fn items_of(&self, key: &str) -> &[Self] {
        self.get(key).map_or(&[], Self::items)
    }

    /// Returns the value at a JSON pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        let Some(rest) = pointer.strip_prefix('/') else { return pointer.is_empty().then_some(self) };
        rest.split('/').try_fold(self, |value, token| match value {
            Self::List(items) => items.get(token.parse::<usize>().ok()?),
            value => value.get(&unescape(token)),
        })
    }

    /// Returns an object with these entries.
    #[must_use]
    pub fn object<const N: usize>(entries: [(&str, Self); N]) -> Self {
        Self::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Returns a text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Returns a floating-point number. JSON has no infinities and NaN: YAML's become strings.
    pub(super) fn of_float(value: f64) -> Self {
        Number::from_f64(value).map_or_else(|| Self::text(value.to_string()), Self::Number)
    }

    /// Returns the value as JSON on one line.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the value as JSON on one line, truncated to this many bytes.
    #[must_use]
    pub fn to_line_within(&self, bytes: usize) -> String {
        let mut out = Cut { bytes: Vec::new(), longest: bytes };
        // The only possible error is the truncation.
        let _ = serde_json::to_writer(&mut out, self);
        out.into_text()
    }

    /// Returns the value as indented JSON, truncated to this many bytes.
    #[must_use]
    pub fn to_lines_within(&self, bytes: usize) -> String {
        let mut out = Cut { bytes: Vec::new(), longest: bytes };
        let _ = serde_json::to_writer_pretty(&mut out, self);
        out.into_text()
    }

    /// Returns the approximate size in bytes. Counting stops at the bound.
    pub(super) fn weight(&self, bound: usize) -> usize {
        let mut weight: usize = 0;
        let mut rest = vec![self];
        while let Some(json) = rest.pop().filter(|_| weight <= bound) {
            weight = weight.saturating_add(8);
            match json {
                Self::Null | Self::Bool(_) | Self::Number(_) => {}
                Self::Text(text) => weight = weight.saturating_add(text.len()),
                Self::List(items) => rest.extend(items),
                Self::Object(entries) => {
                    for (key, value) in entries {
                        weight = weight.saturating_add(key.len());
                        rest.push(value);
                    }
                }
            }
        }
        weight
    }
}

/// Writer that accepts bytes up to a bound and refuses the rest.
struct Cut {
    bytes: Vec<u8>,
    longest: usize,
}

impl Cut {
    fn into_text(self) -> String {
        String::from_utf8(self.bytes).unwrap_or_else(|error| {
            // The text was truncated in the middle of a character.
            let end = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            bytes.truncate(end);
            String::from_utf8(bytes).unwrap_or_default()
        })
    }
}

impl std::io::Write for Cut {
    /// Writes as many bytes as fit. Writing 0 bytes ends the output.
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let taken = bytes.get(..self.longest.saturating_sub(self.bytes.len()).min(bytes.len()));
        self.bytes.extend_from_slice(taken.unwrap_or_default());
        Ok(taken.map_or(0, <[u8]>::len))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Entries of an object with distinct keys, in order of first occurrence.
pub(super) struct Entries<T> {
    entries: Vec<(String, T)>,
    indexes: HashMap<String, usize>,
}

impl<T> Entries<T> {
    pub(super) fn new() -> Self {
        Self { entries: Vec::new(), indexes: HashMap::new() }
    }

    /// Sets the value of a key. The last value of a repeated key is kept.
    pub(super) fn set(&mut self, key: String, value: T) {
        match self.indexes.get(&key).and_then(|index| self.entries.get_mut(*index)) {
            Some((_, known)) => *known = value,
            None => {
                self.indexes.insert(key.clone(), self.entries.len());
                self.entries.push((key, value));
            }
        }
    }

    pub(super) fn into_entries(self) -> Vec<(String, T)> {
        self.entries
    }
}

/// Returns a key as a token of a JSON pointer.
pub(super) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Returns the key of a JSON pointer token. Tokens in references may be percent-encoded too.
pub(super) fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => items.serialize(serializer),
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_none<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        Json::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::of_float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::text(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut entries = Entries::new();
        while let Some(key) = access.next_key::<String>()? {
            entries.set(key, access.next_value()?);
        }
        Ok(Json::Object(entries.into_entries()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_keep_their_order() {
        let text = r#"{"b":1,"a":[true,null,1.5,"x"],"c":{"z":-1,"y":{}}}"#;
        assert_eq!(Json::parse(text).unwrap().to_line(), text);
    }

    #[test]
    fn repeated_keys_keep_the_last_value() {
        let json = Json::parse(r#"{"a": 1, "b": 2, "a": 3}"#).unwrap();
        assert_eq!(json.to_line(), r#"{"a":3,"b":2}"#);
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        let json = Json::parse(r#"["äöü", [1]]"#).unwrap();
        assert_eq!(json.to_line_within(5), "[\"ä");
        assert_eq!(json.to_line_within(99), json.to_line());
        assert_eq!(json.to_lines_within(4), "[\n  ");
        assert!(json.weight(10) > 10);
    }

    #[test]
    fn pointers_lead_through_objects_and_lists() {
        let json = Json::parse(r#"{"a/b": [{"c~d": 1}]}"#).unwrap();
        assert_eq!(json.pointer("/a~1b/0/c~0d"), Some(&Json::Number(1.into())));
        assert_eq!(json.pointer(""), Some(&json));
        assert_eq!(json.pointer("/a~1b/1"), None);
        assert_eq!(json.pointer("a"), None);
        assert_eq!(escape("/a~b"), "~1a~0b");
    }
}
