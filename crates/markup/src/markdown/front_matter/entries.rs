//! Parsing of front matter into names and values.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy};
use serde_saphyr::{Spanned, budget, options};

use super::fences::{Fenced, Notation};
use crate::limits::markdown::{
    MAX_FRONT_MATTER_BYTES, MAX_FRONT_MATTER_LEVELS, MAX_FRONT_MATTER_NODES, MAX_REASON_CHARS,
};

/// Property of a front matter.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) value: Value,
    /// Source text of a number or a boolean: `1.10` is a version, not a fraction.
    pub(super) written: Option<String>,
}

/// Returns the properties in order; `None` for a text that is not a mapping.
///
/// # Errors
/// The reason for a text that cannot be parsed.
pub(super) fn read(fenced: &Fenced<'_>) -> Result<Option<Vec<Entry>>, String> {
    if fenced.source.len() > MAX_FRONT_MATTER_BYTES {
        return Err(format!("it has more than {MAX_FRONT_MATTER_BYTES} bytes"));
    }
    match fenced.notation {
        Notation::Yaml => of_yaml(fenced.source),
        Notation::Toml => of_toml(fenced.source).map(Some),
    }
}

fn of_yaml(source: &str) -> Result<Option<Vec<Entry>>, String> {
    let options = options! {
        budget: budget! {
            max_depth: MAX_FRONT_MATTER_LEVELS,
            flow_nesting_limit: MAX_FRONT_MATTER_LEVELS,
            max_nodes: MAX_FRONT_MATTER_NODES,
            max_events: MAX_FRONT_MATTER_NODES.saturating_mul(2),
            max_total_scalar_bytes: MAX_FRONT_MATTER_BYTES,
        },
        // Duplicate names are reported later.
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        strict_booleans: true,
        with_snippet: false,
    };
    let read: Yaml = serde_saphyr::from_str_with_options(source, options).map_err(|error| reason(&error))?;
    let Some(entries) = read.0 else { return Ok(None) };
    let entry = |(name, value): (String, Spanned<Value>)| {
        let written = written(source, &value);
        Entry { name, value: value.value, written }
    };
    Ok(Some(entries.into_iter().map(entry).collect()))
}

/// Returns the source of a number, a boolean or a block scalar.
fn written(source: &str, value: &Spanned<Value>) -> Option<String> {
    let span = value.defined.span();
    let from = usize::try_from(span.byte_offset()?).ok()?;
    let to = from.checked_add(usize::try_from(span.byte_len()?).ok()?)?;
    let text = source.get(from..to)?.trim();
    let is_scalar = matches!(value.value, Value::Number(_) | Value::Bool(_));
    (is_scalar && !text.is_empty() && !text.contains('\n')).then(|| text.to_owned())
}

fn of_toml(source: &str) -> Result<Vec<Entry>, String> {
    let table: toml::Table = toml::from_str(source).map_err(|error| reason(&error.message()))?;
    let entry = |(name, value)| Entry { name, value: json(value), written: None };
    Ok(table.into_iter().map(entry).collect())
}

fn json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => {
            Number::from_f64(number).map_or_else(|| Value::String(number.to_string()), Value::Number)
        }
        toml::Value::Boolean(flag) => Value::Bool(flag),
        toml::Value::Datetime(time) => Value::String(time.to_string()),
        toml::Value::Array(items) => Value::Array(items.into_iter().map(json).collect()),
        toml::Value::Table(entries) => {
            Value::Object(entries.into_iter().map(|(name, value)| (name, json(value))).collect::<Map<_, _>>())
        }
    }
}

/// Returns the first line of a parser's message, without the final full stop.
fn reason(error: &dyn fmt::Display) -> String {
    let message = error.to_string();
    let line = message.lines().next().unwrap_or_default().trim_end_matches('.');
    line.chars().take(MAX_REASON_CHARS).collect()
}

/// Entries of a mapping; `None` for another value.
struct Yaml(Option<Vec<(String, Spanned<Value>)>>);

impl<'de> Deserialize<'de> for Yaml {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(YamlVisitor)
    }
}

struct YamlVisitor;

impl<'de> Visitor<'de> for YamlVisitor {
    type Value = Yaml;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a mapping")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Yaml, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Yaml(Some(entries)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Yaml, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Yaml(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Yaml, E> {
        Ok(Yaml(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Yaml, E> {
        Ok(Yaml(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Yaml, E> {
        Ok(Yaml(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Yaml, E> {
        Ok(Yaml(None))
    }

    fn visit_str<E>(self, _: &str) -> Result<Yaml, E> {
        Ok(Yaml(None))
    }

    fn visit_unit<E>(self) -> Result<Yaml, E> {
        Ok(Yaml(None))
    }

    fn visit_none<E>(self) -> Result<Yaml, E> {
        Ok(Yaml(None))
    }
}
