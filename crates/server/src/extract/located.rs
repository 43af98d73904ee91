//! Deserialization of JSON values that names the value that fails.
//!
//! Types are compiled once for this deserializer. A wrapper around that of [`Value`] would compile each of them for
//! both.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, IntoDeserializer as _,
    MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

/// Reads a value.
pub(super) fn deserialize<T: DeserializeOwned>(value: Value) -> Result<T, PathError> {
    T::deserialize(Located(value))
}

/// Error of [`deserialize`], with the path of the value that failed.
#[derive(Debug)]
pub(super) struct PathError(Box<Failure>);

#[derive(Debug)]
struct Failure {
    /// From the value that failed to the root.
    path: Vec<Segment>,
    error: serde_json::Error,
}

#[derive(Debug)]
enum Segment {
    /// Key of an object, or variant of an enum.
    Key(String),
    Index(usize),
}

impl PathError {
    fn new(error: serde_json::Error) -> Self {
        Self(Box::new(Failure { path: Vec::new(), error }))
    }

    fn below_key(mut self, key: &str) -> Self {
        self.0.path.push(Segment::Key(key.to_owned()));
        self
    }

    fn below_index(mut self, index: usize) -> Self {
        self.0.path.push(Segment::Index(index));
        self
    }

    /// The error without its path.
    pub(super) fn inner(&self) -> &serde_json::Error {
        &self.0.error
    }

    /// Returns the path from the root, such as `changes[0].title`; empty for the root.
    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        for segment in self.0.path.iter().rev() {
            match segment {
                Segment::Index(index) => path.push_str(&format!("[{index}]")),
                Segment::Key(key) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(key);
                }
            }
        }
        path
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.error.fmt(f)
    }
}

impl std::error::Error for PathError {}

/// With the words of `serde_json`.
impl serde::de::Error for PathError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(serde_json::Error::custom(message))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(serde_json::Error::invalid_type(found, expected))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(serde_json::Error::invalid_value(found, expected))
    }
}

fn unexpected(value: &Value) -> Unexpected<'_> {
    match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(value) => Unexpected::Bool(*value),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Unexpected::Unsigned(number),
            (None, Some(number)) => Unexpected::Signed(number),
            (None, None) => Unexpected::Float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    }
}

/// A value below a path that its caller knows.
struct Located(Value);

impl<'de> Deserializer<'de> for Located {
    type Error = PathError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Value::String(text) => visitor.visit_string(text),
            Value::Array(items) => visit_array(items, visitor),
            Value::Object(members) => visit_object(members, visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, PathError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PathError> {
        let (name, value) = match self.0 {
            Value::String(name) => (name, None),
            Value::Object(members) => {
                let mut members = members.into_iter();
                match (members.next(), members.next()) {
                    (Some((name, value)), None) => (name, Some(value)),
                    _ => return Err(PathError::invalid_value(Unexpected::Map, &"map with a single key")),
                }
            }
            other => return Err(PathError::invalid_type(unexpected(&other), &"string or map")),
        };
        visitor.visit_enum(Variant { name, value })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        visitor.visit_unit()
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            other => Err(PathError::invalid_type(unexpected(&other), &visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        self.deserialize_str(visitor)
    }

    /// Names of variants and fields are no numbers, although their visitors take them for indexes.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        match self.0 {
            Value::Array(items) => visit_array(items, visitor),
            other => Err(PathError::invalid_type(unexpected(&other), &visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, PathError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, PathError> {
        self.deserialize_seq(visitor)
    }

    /// Visitors of maps of values take null for an empty map.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        match self.0 {
            Value::Object(members) => visit_object(members, visitor),
            other => Err(PathError::invalid_type(unexpected(&other), &visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PathError> {
        match self.0 {
            Value::Array(items) => visit_array(items, visitor),
            Value::Object(members) => visit_object(members, visitor),
            other => Err(PathError::invalid_type(unexpected(&other), &visitor)),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 bytes byte_buf unit unit_struct
    }
}

fn visit_array<'de, V: Visitor<'de>>(items: Vec<Value>, visitor: V) -> Result<V::Value, PathError> {
    let length = items.len();
    let mut items = Items { items: items.into_iter(), index: 0 };
    let value = visitor.visit_seq(&mut items)?;
    match items.items.len() {
        0 => Ok(value),
        _ => Err(PathError::invalid_length(length, &"fewer elements in array")),
    }
}

fn visit_object<'de, V: Visitor<'de>>(
    members: Map<String, Value>,
    visitor: V,
) -> Result<V::Value, PathError> {
    let length = members.len();
    let mut members = Members { members: members.into_iter(), key: String::new(), value: Value::Null };
    let value = visitor.visit_map(&mut members)?;
    match members.members.len() {
        0 => Ok(value),
        _ => Err(PathError::invalid_length(length, &"fewer elements in map")),
    }
}

struct Items {
    items: std::vec::IntoIter<Value>,
    /// Index of the next item.
    index: usize,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = PathError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, PathError> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.index;
        self.index = index.saturating_add(1);
        match seed.deserialize(Located(item)) {
            Ok(item) => Ok(Some(item)),
            Err(error) => Err(error.below_index(index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Members {
    members: serde_json::map::IntoIter,
    /// Key of the last member.
    key: String,
    /// Its value, until it is read.
    value: Value,
}

impl<'de> MapAccess<'de> for Members {
    type Error = PathError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, PathError> {
        let Some((key, value)) = self.members.next() else { return Ok(None) };
        (self.key, self.value) = (key, value);
        match seed.deserialize(Name(&self.key)) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.below_key(&self.key)),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, PathError> {
        let value = self.value.take();
        match seed.deserialize(Located(value)) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.below_key(&self.key)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// Name of a member or of a variant.
struct Name<'a>(&'a str);

impl<'de> Deserializer<'de> for Name<'_> {
    type Error = PathError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        visitor.visit_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PathError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, PathError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PathError> {
        let text: StrDeserializer<'_, PathError> = self.0.into_deserializer();
        text.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// A variant of an enum; without a value if it is only its name.
struct Variant {
    name: String,
    value: Option<Value>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = PathError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), PathError> {
        let variant = seed.deserialize(Name(&self.name))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = PathError;

    fn unit_variant(self) -> Result<(), PathError> {
        match self.value {
            None | Some(Value::Null) => Ok(()),
            Some(other) => Err(PathError::invalid_type(unexpected(&other), &"unit").below_key(&self.name)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, PathError> {
        let read = match self.value {
            Some(value) => seed.deserialize(Located(value)),
            None => Err(PathError::invalid_type(Unexpected::UnitVariant, &"newtype variant")),
        };
        read.map_err(|error| error.below_key(&self.name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, PathError> {
        let read = match self.value {
            Some(Value::Array(items)) if items.is_empty() => visitor.visit_unit(),
            Some(Value::Array(items)) => visit_array(items, visitor),
            other => Err(not_a(other.as_ref(), &"tuple variant")),
        };
        read.map_err(|error| error.below_key(&self.name))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PathError> {
        let read = match self.value {
            Some(Value::Object(members)) => visit_object(members, visitor),
            other => Err(not_a(other.as_ref(), &"struct variant")),
        };
        read.map_err(|error| error.below_key(&self.name))
    }
}

fn not_a(value: Option<&Value>, expected: &dyn Expected) -> PathError {
    PathError::invalid_type(value.map_or(Unexpected::UnitVariant, unexpected), expected)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Sample {
        title: String,
        #[serde(default)]
        count: Option<u8>,
        #[serde(default)]
        ratio: f64,
        #[serde(default)]
        letter: Option<char>,
        #[serde(default)]
        changes: Vec<Change>,
        #[serde(default)]
        names: BTreeMap<String, (bool, i16)>,
        #[serde(default)]
        tagged: Option<Tagged>,
        #[serde(default)]
        kind: Kind,
        #[serde(default)]
        rest: Value,
        #[serde(default)]
        object: serde_json::Map<String, Value>,
        #[serde(default)]
        nothing: (),
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Name(String);

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Change {
        Remove,
        Insert(Name),
        Move(u8, u8),
        Edit { title: String, position: i64 },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(tag = "type", rename_all = "lowercase")]
    enum Tagged {
        Page { id: u32 },
        Link { url: String },
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        #[default]
        One,
        Two,
    }

    fn read(value: Value) -> Result<Sample, (String, String)> {
        deserialize(value).map_err(|error| (error.path(), error.inner().to_string()))
    }

    fn read_by_wrapper(value: Value) -> Result<Sample, (String, String)> {
        serde_path_to_error::deserialize(value).map_err(
            |error: serde_path_to_error::Error<serde_json::Error>| {
                let path = error.path().to_string();
                (if path == "." { String::new() } else { path }, error.inner().to_string())
            },
        )
    }

    /// Values that are put in turn at each key of an object, and at each index of an array.
    fn values() -> Vec<Value> {
        vec![
            json!(null),
            json!(true),
            json!(7),
            json!(-7),
            json!(700),
            json!(1.5),
            json!(u64::MAX),
            json!("é"),
            json!("remove"),
            json!("two"),
            json!([]),
            json!([1, 2]),
            json!([true, -3, 4]),
            json!({}),
            json!({"type": "page", "id": 1}),
            json!({"type": "page", "id": -1}),
            json!({"type": "other"}),
            json!({"title": "x", "position": 1}),
            json!({"title": "x", "position": 1, "more": 1}),
            json!({"insert": "a"}),
            json!({"insert": 1}),
            json!({"remove": null}),
            json!({"remove": 1}),
            json!({"move": [1, 2]}),
            json!({"move": [1, 2, 3]}),
            json!({"move": [1]}),
            json!({"move": []}),
            json!({"move": {"a": 1}}),
            json!({"edit": {"title": "t", "position": "p"}}),
            json!({"edit": []}),
            json!({"edit": {}, "move": []}),
            json!({"a": [true, 1], "b": [false, 70_000]}),
        ]
    }

    #[test]
    fn values_and_errors_are_those_of_serde_json_with_the_paths_of_serde_path_to_error() {
        let keys = [
            "title", "count", "ratio", "letter", "changes", "names", "tagged", "kind", "rest", "nothing",
            "unknown",
        ];
        let mut compared = [0_u32; 2];
        let mut compare = |value: Value| {
            let (ours, theirs) = (read(value.clone()), read_by_wrapper(value.clone()));
            assert_eq!(ours, theirs, "{value}");
            compared[usize::from(ours.is_ok())] += 1;
        };
        for value in values() {
            compare(value.clone());
            for key in keys {
                compare(json!({"title": "t", key: value}));
                compare(json!({"title": "t", key: [value]}));
                compare(json!({"title": "t", key: {"key": value}}));
            }
            compare(json!({"title": "t", "changes": ["remove", value, 3]}));
        }
        let [errors, read] = compared;
        assert!(errors > 500 && read > 100, "{compared:?}");
    }
}
