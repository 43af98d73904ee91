//! Samples of bodies in the form of their media type.

use super::super::json::Json;
use super::direction::Direction;
use super::example::example_of;
use super::resolve::Parts;
use super::style::{Style, scalar};
use super::xml;
use crate::limits::openapi::{MAX_EXAMPLE_BYTES, MAX_EXAMPLES, MAX_FIELDS};

/// Sample of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Title from the specification; empty if it has none.
    pub title: String,
    /// Content.
    pub content: Content,
}

/// Content of a sample.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// JSON.
    Json(Json),
    /// Text in the named syntax.
    Text(&'static str, String),
    /// Fields of `application/x-www-form-urlencoded`, not encoded yet.
    Form(Vec<(String, String)>),
    /// Fields of `multipart/form-data` and other multipart types.
    Multipart(Vec<Field>),
    /// A file.
    Binary,
}

/// Field of a multipart body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name.
    pub name: String,
    /// Text; `None` for a file.
    pub text: Option<String>,
    /// Content type, if it differs from the default.
    pub media: Option<String>,
}

impl Field {
    /// Returns a name for the file of the field.
    #[must_use]
    pub fn file_name(&self) -> &'static str {
        match self.media.as_deref().and_then(|media| media.split([';', ',']).next()).map(str::trim) {
            Some("image/png") => "file.png",
            Some("image/jpeg") => "file.jpg",
            Some("application/pdf") => "file.pdf",
            Some("application/json") => "file.json",
            Some("text/csv") => "file.csv",
            Some("text/plain") => "file.txt",
            _ => "file",
        }
    }
}

impl Content {
    /// Returns the syntax of a listing of the content.
    #[must_use]
    pub fn syntax(&self) -> &'static str {
        match self {
            Self::Json(_) => "json",
            Self::Text(syntax, _) => syntax,
            Self::Form(_) | Self::Multipart(_) | Self::Binary => "text",
        }
    }

    /// Returns the content as lines of a listing, truncated to this many bytes; `None` for a file.
    #[must_use]
    pub fn lines_within(&self, bytes: usize) -> Option<String> {
        let cut = |text: String| if text.len() > bytes { text.chars().take(bytes).collect() } else { text };
        match self {
            Self::Json(json) => Some(json.to_lines_within(bytes)),
            Self::Text(_, text) => Some(cut(text.clone())),
            Self::Form(fields) => {
                let fields = fields.iter().map(|(name, value)| format!("{name}={value}"));
                Some(cut(fields.collect::<Vec<_>>().join("\n")))
            }
            Self::Multipart(fields) => {
                let shown = |field: &Field| {
                    let value = field.text.clone().unwrap_or_else(|| format!("@{}", field.file_name()));
                    let media = field.media.as_ref().map(|media| format!(" ({media})"));
                    format!("{}: {value}{}", field.name, media.unwrap_or_default())
                };
                Some(cut(fields.iter().map(shown).collect::<Vec<_>>().join("\n")))
            }
            Self::Binary => None,
        }
    }
}

/// Form of the content of a media type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    JsonLines,
    UrlEncoded,
    Multipart,
    Xml,
    Text(&'static str),
    Other,
}

impl Form {
    fn of(media: &str) -> Self {
        let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match media.as_str() {
            "*/*" | "application/*" => Self::Json,
            "application/x-www-form-urlencoded" => Self::UrlEncoded,
            media if media.starts_with("multipart/") => Self::Multipart,
            media if media.ends_with("xml") => Self::Xml,
            media
                if ["ndjson", "jsonl", "json-lines", "jsonlines", "json-seq"]
                    .iter()
                    .any(|end| media.ends_with(end)) =>
            {
                Self::JsonLines
            }
            media if media.contains("json") => Self::Json,
            media if media.contains("yaml") => Self::Text("yaml"),
            "text/html" => Self::Text("html"),
            "application/graphql" => Self::Text("graphql"),
            media if media.starts_with("text/") => Self::Text("text"),
            _ => Self::Other,
        }
    }
}

/// Returns the samples of a media type of a body: the examples in the specification, otherwise one generated from the
/// schema.
#[must_use]
pub fn samples_of(media: &str, typed: &Json, parts: &Parts<'_>, direction: Direction) -> Vec<Sample> {
    let mut samples = Vec::new();
    let schema = typed.get("schema").unwrap_or(&Json::Null);
    let content = |value: &Json| content(Form::of(media), value, typed, parts, direction);
    if let Some(example) = typed.get("example") {
        samples.push(Sample { title: String::new(), content: content(parts.follow(example)) });
    }
    for (name, example) in typed.entries_of("examples").iter().take(MAX_EXAMPLES) {
        let example = parts.follow(example);
        let title = parts.text(example.str("summary")).unwrap_or(name).to_owned();
        // `dataValue` and `serializedValue` are new in OpenAPI 3.2.
        let value = ["value", "dataValue", "serializedValue"].into_iter().find_map(|key| example.get(key));
        samples.extend(value.map(|value| Sample { title, content: content(value) }));
    }
    if samples.is_empty() {
        let made = if Form::of(media) == Form::Other && (schema == &Json::Null || is_file(schema, parts)) {
            Some(Content::Binary)
        } else {
            example_of(schema, parts, direction).map(|value| content(&value))
        };
        samples.extend(made.map(|content| Sample { title: String::new(), content }));
    }
    samples
}

fn content(form: Form, value: &Json, typed: &Json, parts: &Parts<'_>, direction: Direction) -> Content {
    let schema = typed.get("schema").unwrap_or(&Json::Null);
    let bounded = |text: &str| text.chars().take(MAX_EXAMPLE_BYTES).collect();
    match (form, value) {
        (Form::Json, value) => Content::Json(value.clone()),
        (Form::UrlEncoded, Json::Object(fields)) => Content::Form(form_fields(fields, typed)),
        (Form::Multipart, Json::Object(fields)) => {
            Content::Multipart(multipart(fields, typed, schema, parts, direction))
        }
        (Form::Xml, Json::Text(text)) if text.trim_start().starts_with('<') => {
            Content::Text("xml", bounded(text))
        }
        (Form::Xml, value) => Content::Text("xml", xml::document(value, schema, parts)),
        (Form::JsonLines, Json::List(items)) => {
            let lines = items.iter().take(MAX_FIELDS).map(|item| item.to_line_within(MAX_EXAMPLE_BYTES));
            Content::Text("json", bounded(&lines.collect::<Vec<_>>().join("\n")))
        }
        (Form::JsonLines, Json::Text(text)) => Content::Text("json", bounded(text)),
        (Form::JsonLines, value) => Content::Text("json", value.to_line_within(MAX_EXAMPLE_BYTES)),
        (Form::Text(syntax), Json::Text(text)) => Content::Text(syntax, bounded(text)),
        (_, Json::Text(text)) => Content::Text("text", bounded(text)),
        (_, Json::Object(_) | Json::List(_)) => Content::Json(value.clone()),
        (_, value) => Content::Text("text", value.to_line_within(MAX_EXAMPLE_BYTES)),
    }
}

/// Returns the encoding of a form field that the specification declares.
fn encoding_of<'j>(typed: &'j Json, name: &str) -> &'j Json {
    typed.get("encoding").and_then(|encoding| encoding.get(name)).unwrap_or(&Json::Null)
}

/// Returns the name-value pairs of form fields. Without a declared style, an object is written as JSON, and a list as a
/// pair for each item.
fn form_fields(fields: &[(String, Json)], typed: &Json) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (name, value) in fields.iter().take(MAX_FIELDS) {
        let encoding = encoding_of(typed, name);
        let is_styled = ["style", "explode", "allowReserved"].iter().any(|key| encoding.get(key).is_some());
        match value {
            Json::Object(_) if !is_styled => pairs.push((name.clone(), scalar(value))),
            value => pairs.extend(Style::of(encoding, "form").pairs(name, value)),
        }
    }
    pairs.truncate(MAX_FIELDS);
    pairs
}

fn multipart(
    fields: &[(String, Json)],
    typed: &Json,
    schema: &Json,
    parts: &Parts<'_>,
    direction: Direction,
) -> Vec<Field> {
    let mut found = Vec::new();
    for (name, value) in fields.iter().take(MAX_FIELDS) {
        let property = xml::property_of(schema, name, parts, 0);
        if property.is_some_and(|property| !direction.has(property, parts)) {
            continue;
        }
        let media = encoding_of(typed, name).str("contentType").map(str::to_owned);
        let property = property.map_or(&Json::Null, |property| parts.follow(property));
        let item = property.get("items").unwrap_or(property);
        let text = |value: &Json| (!is_file(item, parts)).then(|| scalar(value));
        match value {
            Json::List(items) => found.extend(items.iter().map(|item| Field {
                name: name.clone(),
                text: text(item),
                media: media.clone(),
            })),
            Json::Object(_) => found.push(Field {
                name: name.clone(),
                text: text(value),
                media: media.or_else(|| Some("application/json".to_owned())),
            }),
            value => found.push(Field { name: name.clone(), text: text(value), media }),
        }
    }
    found.truncate(MAX_FIELDS);
    found
}

/// Returns whether a schema describes a file, which has binary content.
fn is_file(schema: &Json, parts: &Parts<'_>) -> bool {
    let schema = parts.follow(schema);
    let kind = schema.str("type");
    let is_binary = schema.str("format") == Some("binary");
    let is_typed = schema.str("contentMediaType").is_some() && schema.str("contentEncoding").is_none();
    kind == Some("file") || is_binary || (is_typed && matches!(kind, None | Some("string")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn samples(media: &str, typed: &str) -> Vec<Content> {
        let typed = Json::parse(typed).unwrap();
        let parts = HashMap::new();
        let parts = Parts::new(&parts, &|_| None);
        samples_of(media, &typed, &parts, Direction::Request)
            .into_iter()
            .map(|sample| sample.content)
            .collect()
    }

    #[test]
    fn forms_have_pairs() {
        let typed = r#"{"schema": {"properties": {"id": {"readOnly": true, "type": "string"}, "name": {"example": "a b"},
            "tags": {"type": "array", "items": {"example": "x"}}, "joined": {"example": [1, 2]},
            "place": {"properties": {"x": {"example": 1}}}}},
            "encoding": {"joined": {"style": "pipeDelimited"}}}"#;
        let pairs = [("name", "a b"), ("tags", "x"), ("joined", "1|2"), ("place", r#"{"x":1}"#)];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        for media in ["application/x-www-form-urlencoded", "Application/X-WWW-Form-urlencoded; charset=utf-8"]
        {
            assert_eq!(samples(media, typed), [Content::Form(pairs.clone())]);
        }
    }

    #[test]
    fn multipart_bodies_have_files() {
        let typed = r#"{"schema": {"properties": {"meta": {"properties": {"a": {"example": 1}}},
            "files": {"type": "array", "items": {"type": "string", "format": "binary"}}, "icon": {"type": "string",
            "contentMediaType": "image/png"}, "age": {"type": "integer"}}}, "encoding": {"icon": {"contentType": "image/png"}}}"#;
        let found = samples("multipart/form-data", typed);
        let text = found[0].lines_within(999).unwrap();
        assert_eq!(
            text,
            "meta: {\"a\":1} (application/json)\nfiles: @file\nicon: @file.png (image/png)\nage: 0"
        );
    }

    #[test]
    fn media_types_have_their_own_form() {
        let typed = r#"{"schema": {"type": "array", "items": {"properties": {"a": {"example": 1}}}}}"#;
        let json = || Content::Json(Json::parse(r#"[{"a":1}]"#).unwrap());
        for media in ["application/json", "application/problem+json", "*/*", "application/vnd.own"] {
            assert_eq!(samples(media, typed), [json()], "{media}");
        }
        assert_eq!(samples("application/x-ndjson", typed), [Content::Text("json", "{\"a\":1}".to_owned())]);
        let xml =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root>\n  <root>\n    <a>1</a>\n  </root>\n</root>";
        for media in ["application/xml", "text/xml", "application/atom+xml"] {
            assert_eq!(samples(media, typed), [Content::Text("xml", xml.to_owned())], "{media}");
        }
        let file = r#"{"schema": {"type": "string", "format": "binary"}}"#;
        for (media, typed) in [("application/octet-stream", file), ("image/png", "{}")] {
            assert_eq!(samples(media, typed), [Content::Binary]);
        }
        assert_eq!(samples("text/csv", r#"{"example": "a,b"}"#), [Content::Text("text", "a,b".to_owned())]);
    }
}
