//! Reading of YAML as JSON. Values that the OpenAPI specification declares as text keep their spelling, such as
//! `version: 1.10` and `title: 2026`, which YAML's own rules read as numbers.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

use super::json::{Entries, Json};

/// Properties that are text in all objects of a specification.
const TEXTS: [&str; 21] = [
    "openapi",
    "swagger",
    "title",
    "version",
    "summary",
    "description",
    "termsOfService",
    "name",
    "url",
    "email",
    "identifier",
    "operationId",
    "in",
    "style",
    "format",
    "pattern",
    "contentType",
    "host",
    "x-page-title",
    "x-page-description",
    "x-displayName",
];

/// Properties whose values are maps by name.
const NAMES: [&str; 19] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "definitions",
    "$defs",
    "schemas",
    "paths",
    "webhooks",
    "x-webhooks",
    "pathItems",
    "responses",
    "parameters",
    "requestBodies",
    "headers",
    "content",
    "encoding",
    "securitySchemes",
    "links",
    "callbacks",
];

/// Properties with values of any type.
const DATA: [&str; 6] = ["example", "default", "const", "enum", "value", "dataValue"];

/// Reads a specification from its source.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D, source: &str) -> Result<Json, D::Error> {
    Node { source, context: Context::Object }.deserialize(deserializer)
}

/// Kind of value in a specification.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// An object whose properties the OpenAPI specification declares, or a list of such objects.
    Object,
    /// Objects by name.
    Names,
    /// Examples by name, or a list of values of any type.
    Examples,
    /// Variables of a server by name.
    Variables,
    /// A variable of a server.
    Variable,
    /// A list of texts.
    Texts,
    /// A value of any type.
    Data,
}

impl Context {
    /// Returns the context of the value at a key; `None` if it is text.
    fn below(self, key: &str) -> Option<Self> {
        let is_data = DATA.contains(&key) || key.starts_with("x-");
        Some(match self {
            Self::Data | Self::Texts => Self::Data,
            Self::Names | Self::Examples => Self::Object,
            Self::Variables => Self::Variable,
            Self::Object | Self::Variable if TEXTS.contains(&key) => return None,
            Self::Variable if key == "default" => return None,
            Self::Variable if key == "enum" => Self::Texts,
            Self::Object if NAMES.contains(&key) => Self::Names,
            Self::Object if key == "examples" => Self::Examples,
            Self::Object if key == "variables" => Self::Variables,
            Self::Object if matches!(key, "tags" | "required") => Self::Texts,
            Self::Object | Self::Variable if is_data => Self::Data,
            Self::Object | Self::Variable => Self::Object,
        })
    }

    /// Returns the context of an item of a list.
    fn item(self) -> Self {
        match self {
            Self::Data | Self::Examples => Self::Data,
            Self::Texts => Self::Texts,
            _ => Self::Object,
        }
    }
}

#[derive(Clone, Copy)]
struct Node<'s> {
    source: &'s str,
    context: Context,
}

impl Node<'_> {
    /// Returns the source text of a value that YAML reads as a number or a boolean.
    fn spelled(self, read: Spanned<Json>) -> Json {
        if !matches!(read.value, Json::Number(_) | Json::Bool(_)) {
            return read.value;
        }
        let span = read.defined.span();
        let number = |offset: Option<u64>| offset.and_then(|offset| usize::try_from(offset).ok());
        let (start, length) = (number(span.byte_offset()), number(span.byte_len()));
        let spelling = start.zip(length).and_then(|(start, length)| {
            let spelling = self.source.get(start..start.saturating_add(length))?.trim();
            (!spelling.is_empty()).then(|| spelling.to_owned())
        });
        Json::Text(spelling.unwrap_or_else(|| read.value.to_line()))
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_none<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        self.deserialize(deserializer)
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
        let inner = Node { context: self.context.item(), ..self };
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(inner)? {
            items.push(match item {
                // Floating-point tags of operations aside, their numbers have one spelling.
                Json::Number(number) if self.context == Context::Texts => Json::Text(number.to_string()),
                item => item,
            });
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        // The items of the root's `tags` are objects, unlike those of operations.
        let context = if self.context == Context::Texts { Context::Object } else { self.context };
        let mut entries = Entries::new();
        while let Some(key) = access.next_key::<String>()? {
            let value = match context.below(&key) {
                Some(context) => access.next_value_seed(Node { context, ..self })?,
                None => self.spelled(access.next_value()?),
            };
            entries.set(key, value);
        }
        Ok(Json::Object(entries.into_entries()))
    }
}
