//! Styles of parameters and form fields: serialization of lists and objects as text (RFC 6570, OpenAPI 3).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::super::json::Json;

/// Maximum number of items of a list or object in an example. Later ones are left out.
const MAX_ITEMS: usize = 50;

/// Maximum number of characters of a value in an example. A longer value is truncated.
const MAX_VALUE_CHARS: usize = 200;

/// Characters to encode within a value in a URL.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Characters to encode within a value that may contain reserved characters.
const ENCODED_UNRESERVED: &AsciiSet = &ENCODED
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'#')
    .remove(b'[')
    .remove(b']')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// Encoding of a value's characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// No encoding, for headers, cookies and values that are encoded later.
    Plain,
    /// Percent-encoding of all but unreserved characters.
    Percent,
    /// Percent-encoding of all but unreserved and reserved characters (`allowReserved`).
    Reserved,
}

impl Encoding {
    /// Encodes a text.
    #[must_use]
    pub fn of(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Percent => utf8_percent_encode(text, ENCODED).to_string(),
            Self::Reserved => utf8_percent_encode(text, ENCODED_UNRESERVED).to_string(),
        }
    }
}

/// Style of a parameter or form field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style<'s> {
    name: &'s str,
    is_exploded: bool,
    encoding: Encoding,
}

impl<'s> Style<'s> {
    /// Returns the style that a parameter or the encoding of a form field declares. The location determines the
    /// encoding of values.
    #[must_use]
    pub fn of(declared: &'s Json, location: &str) -> Self {
        let default = if matches!(location, "query" | "cookie" | "form") { "form" } else { "simple" };
        let name = declared.str("style").unwrap_or(default);
        let is_exploded = match declared.get("explode") {
            Some(Json::Bool(explode)) => *explode,
            _ => matches!(name, "form" | "deepObject" | "cookie"),
        };
        let encoding = match location {
            "query" | "path" if declared.flag("allowReserved") => Encoding::Reserved,
            "query" | "path" => Encoding::Percent,
            _ => Encoding::Plain,
        };
        Self { name, is_exploded, encoding }
    }

    /// Returns the value in a path or header, in the style `simple`, `label` or `matrix`.
    #[must_use]
    pub fn segment(self, name: &str, value: &Json) -> String {
        let words = |value: &Json| self.encoding.of(&scalar(value));
        let encoded_name = self.encoding.of(name);
        let (prefix, exploded) = match self.name {
            "label" => (".", "."),
            "matrix" => (";", ";"),
            _ => ("", ","),
        };
        let is_matrix = self.name == "matrix";
        let named = |value: String| match (is_matrix, value.is_empty()) {
            (true, true) => encoded_name.clone(),
            (true, false) => format!("{encoded_name}={value}"),
            (false, _) => value,
        };
        let content = match value {
            Json::List(items) if self.is_exploded => {
                items.iter().take(MAX_ITEMS).map(|item| named(words(item))).collect::<Vec<_>>().join(exploded)
            }
            Json::Object(entries) if self.is_exploded => {
                let pairs = entries
                    .iter()
                    .take(MAX_ITEMS)
                    .map(|(key, value)| format!("{}={}", self.encoding.of(key), words(value)));
                pairs.collect::<Vec<_>>().join(exploded)
            }
            value => named(self.joined(value, ",")),
        };
        format!("{prefix}{content}")
    }

    /// Returns the name-value pairs in a query, cookie or form, in the style `form`, `spaceDelimited`, `pipeDelimited`
    /// or `deepObject`.
    #[must_use]
    pub fn pairs(self, name: &str, value: &Json) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        if self.name == "deepObject" && matches!(value, Json::Object(_)) {
            self.deep(name, value, &mut pairs);
            return pairs;
        }
        let pair = |name: &str, value: &Json| (self.encoding.of(name), self.encoding.of(&scalar(value)));
        let separator = match self.name {
            "spaceDelimited" => " ",
            "pipeDelimited" => "|",
            _ => ",",
        };
        let separator = if separator == "," { separator.to_owned() } else { self.encoding.of(separator) };
        match value {
            Json::List(items) if self.is_exploded => {
                pairs.extend(items.iter().take(MAX_ITEMS).map(|item| pair(name, item)));
            }
            Json::Object(entries) if self.is_exploded => {
                pairs.extend(entries.iter().take(MAX_ITEMS).map(|(key, value)| pair(key, value)));
            }
            Json::List(items) if items.is_empty() => {}
            value => pairs.push((self.encoding.of(name), self.joined(value, &separator))),
        }
        pairs
    }

    /// Adds the pairs of an object, with its keys in brackets.
    fn deep(self, name: &str, value: &Json, pairs: &mut Vec<(String, String)>) {
        if pairs.len() >= MAX_ITEMS {
            return;
        }
        match value {
            Json::Object(entries) => {
                entries.iter().for_each(|(key, value)| self.deep(&format!("{name}[{key}]"), value, pairs));
            }
            Json::List(items) => {
                items
                    .iter()
                    .take(MAX_ITEMS)
                    .for_each(|item| self.deep(name, &Json::Text(scalar(item)), pairs));
            }
            value => pairs.push((self.encoding.of(name), self.encoding.of(&scalar(value)))),
        }
    }

    fn joined(self, value: &Json, separator: &str) -> String {
        let words = |text: &str| self.encoding.of(text);
        match value {
            Json::List(items) => {
                let items = items.iter().take(MAX_ITEMS).map(|item| words(&scalar(item)));
                items.collect::<Vec<_>>().join(separator)
            }
            Json::Object(entries) => {
                let items = entries
                    .iter()
                    .take(MAX_ITEMS)
                    .flat_map(|(key, value)| [words(key), words(&scalar(value))]);
                items.collect::<Vec<_>>().join(separator)
            }
            value => words(&scalar(value)),
        }
    }
}

/// Returns a value as text: a string without quotes, other values as JSON.
#[must_use]
pub fn scalar(value: &Json) -> String {
    match value {
        Json::Text(text) => text.chars().take(MAX_VALUE_CHARS).collect(),
        Json::Null => String::new(),
        other => other.to_line_within(MAX_VALUE_CHARS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    fn query(style: &str, value: &str) -> String {
        let declared = json(style);
        let pairs = Style::of(&declared, "query").pairs("color", &json(value));
        pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    }

    /// Table of examples in the OpenAPI specification.
    #[test]
    fn queries_have_the_style_of_their_parameter() {
        let (list, object) = (r#"["blue","black"]"#, r#"{"R":100,"G":200}"#);
        for (style, value, expected) in [
            ("{}", r#""a b&c""#, "color=a%20b%26c"),
            ("{}", list, "color=blue&color=black"),
            ("{}", object, "R=100&G=200"),
            (r#"{"explode": false}"#, list, "color=blue,black"),
            (r#"{"explode": false}"#, object, "color=R,100,G,200"),
            (r#"{"explode": false}"#, "[]", ""),
            (r#"{"style": "spaceDelimited"}"#, list, "color=blue%20black"),
            (r#"{"style": "spaceDelimited", "explode": true}"#, list, "color=blue&color=black"),
            (r#"{"style": "pipeDelimited"}"#, list, "color=blue%7Cblack"),
            (r#"{"style": "pipeDelimited"}"#, object, "color=R%7C100%7CG%7C200"),
            (r#"{"style": "deepObject"}"#, object, "color%5BR%5D=100&color%5BG%5D=200"),
            (
                r#"{"style": "deepObject"}"#,
                r#"{"a":{"b":[1,2]}}"#,
                "color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2",
            ),
            (r#"{"allowReserved": true}"#, r#""a/b?c d""#, "color=a/b?c%20d"),
        ] {
            assert_eq!(query(style, value), expected, "{style} {value}");
        }
    }

    #[test]
    fn segments_have_the_style_of_their_parameter() {
        let (list, object) = (r#"["blue","a/b"]"#, r#"{"R":100,"G":200}"#);
        for (style, value, expected) in [
            ("{}", list, "blue,a%2Fb"),
            ("{}", object, "R,100,G,200"),
            (r#"{"explode": true}"#, object, "R=100,G=200"),
            (r#"{"style": "label"}"#, r#""blue""#, ".blue"),
            (r#"{"style": "label"}"#, list, ".blue,a%2Fb"),
            (r#"{"style": "label", "explode": true}"#, list, ".blue.a%2Fb"),
            (r#"{"style": "label", "explode": true}"#, object, ".R=100.G=200"),
            (r#"{"style": "matrix"}"#, r#""""#, ";color"),
            (r#"{"style": "matrix"}"#, list, ";color=blue,a%2Fb"),
            (r#"{"style": "matrix", "explode": true}"#, list, ";color=blue;color=a%2Fb"),
            (r#"{"style": "matrix"}"#, object, ";color=R,100,G,200"),
            (r#"{"style": "matrix", "explode": true}"#, object, ";R=100;G=200"),
        ] {
            let declared = json(style);
            assert_eq!(
                Style::of(&declared, "path").segment("color", &json(value)),
                expected,
                "{style} {value}"
            );
        }
        assert_eq!(Style::of(&Json::Null, "header").segment("X-A", &json(r#"["a b","c"]"#)), "a b,c");
    }
}
