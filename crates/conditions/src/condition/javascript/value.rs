//! Values of expressions and their conversions, by the abstract operations of ECMAScript
//! (<https://tc39.es/ecma262/#sec-type-conversion>).

use std::borrow::Cow;
use std::cmp::Ordering;
use std::rc::Rc;

use serde_json::Value as Json;

/// Value. Lists and objects are equal only to themselves.
#[derive(Clone, Debug)]
pub(in super::super) enum Value<'v> {
    Undefined,
    Null,
    Boolean(bool),
    Number(f64),
    Text(Cow<'v, str>),
    List(Rc<[Value<'v>]>),
    /// List or object of the claims.
    Claims(&'v Json),
}

impl<'v> From<&'v Json> for Value<'v> {
    fn from(json: &'v Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(is) => Self::Boolean(*is),
            Json::Number(number) => Self::Number(number.as_f64().unwrap_or(f64::NAN)),
            Json::String(text) => Self::Text(Cow::Borrowed(text)),
            Json::Array(_) | Json::Object(_) => Self::Claims(json),
        }
    }
}

impl<'v> Value<'v> {
    pub(in super::super) fn is_truthy(&self) -> bool {
        match self {
            Self::Undefined | Self::Null => false,
            Self::Boolean(is) => *is,
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::Text(text) => !text.is_empty(),
            Self::List(_) | Self::Claims(_) => true,
        }
    }

    pub(super) fn is_nullish(&self) -> bool {
        matches!(self, Self::Undefined | Self::Null)
    }

    /// Returns the text of a text, a number or a boolean.
    pub(in super::super) fn text(&self) -> Option<Cow<'v, str>> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Number(number) => Some(number_text(*number).into()),
            Self::Boolean(is) => Some(if *is { "true" } else { "false" }.into()),
            Self::Undefined | Self::Null | Self::List(_) | Self::Claims(_) => None,
        }
    }

    /// Converts a primitive value to text; `None` for lists and objects.
    pub(super) fn to_text(&self) -> Option<Cow<'v, str>> {
        match self {
            Self::Undefined => Some("undefined".into()),
            Self::Null => Some("null".into()),
            other => other.text(),
        }
    }

    /// Converts to a number. Lists and objects are NaN.
    pub(super) fn to_number(&self) -> f64 {
        match self {
            Self::Undefined | Self::List(_) | Self::Claims(_) => f64::NAN,
            Self::Null => 0.0,
            Self::Boolean(is) => f64::from(u8::from(*is)),
            Self::Number(number) => *number,
            Self::Text(text) => text_number(text),
        }
    }

    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Undefined => "undefined",
            Self::Boolean(_) => "boolean",
            Self::Number(_) => "number",
            Self::Text(_) => "string",
            Self::Null | Self::List(_) | Self::Claims(_) => "object",
        }
    }

    /// Returns the items of a list.
    pub(super) fn items(&self) -> Option<Box<dyn Iterator<Item = Self> + '_>> {
        match self {
            Self::List(items) => Some(Box::new(items.iter().cloned())),
            Self::Claims(claims) => {
                let claims: &'v Json = claims;
                Some(Box::new(claims.as_array()?.iter().map(Self::from)))
            }
            _ => None,
        }
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self, Self::List(_) | Self::Claims(Json::Array(_)))
    }

    /// Returns a member, or undefined if the value has none with this key.
    pub(super) fn member(&self, key: &Self) -> Self {
        let Some(name) = key.to_text() else { return Self::Undefined };
        let found = match self {
            Self::Claims(claims) => {
                let claims: &'v Json = claims;
                match claims {
                    Json::Object(members) => members.get(name.as_ref()).map(Self::from),
                    Json::Array(items) if name == "length" => Some(length(items.len())),
                    _ => index(&name).and_then(|index| claims.get(index)).map(Self::from),
                }
            }
            Self::List(items) if name == "length" => Some(length(items.len())),
            Self::List(items) => index(&name).and_then(|index| items.get(index)).cloned(),
            Self::Text(text) if name == "length" => Some(length(text.encode_utf16().count())),
            Self::Text(text) => {
                let unit = index(&name).and_then(|index| text.encode_utf16().nth(index));
                unit.map(|unit| Self::Text(String::from_utf16_lossy(&[unit]).into()))
            }
            _ => None,
        };
        found.unwrap_or(Self::Undefined)
    }

    /// `===`.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Undefined, Self::Undefined) | (Self::Null, Self::Null) => true,
            (Self::Boolean(left), Self::Boolean(right)) => left == right,
            (Self::Number(left), Self::Number(right)) => left == right,
            (Self::Text(left), Self::Text(right)) => left == right,
            (Self::List(left), Self::List(right)) => Rc::ptr_eq(left, right),
            (Self::Claims(left), Self::Claims(right)) => std::ptr::eq(*left, *right),
            _ => false,
        }
    }

    /// `==`: undefined equals null, and numbers, texts and booleans are compared as numbers.
    pub(super) fn equals(&self, other: &Self) -> bool {
        let is_primitive = |value: &Self| matches!(value, Self::Boolean(_) | Self::Number(_) | Self::Text(_));
        match (self, other) {
            _ if self.is_nullish() || other.is_nullish() => self.is_nullish() && other.is_nullish(),
            (Self::Text(left), Self::Text(right)) => left == right,
            _ if is_primitive(self) && is_primitive(other) => self.to_number() == other.to_number(),
            _ => self.is(other),
        }
    }

    /// Equality as in `includes`, where NaN equals NaN.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) if left.is_nan() => right.is_nan(),
            _ => self.is(other),
        }
    }

    /// Order of `<`, `<=`, `>` and `>=`: texts by their UTF-16 code units, all other values as numbers.
    pub(super) fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Text(left), Self::Text(right)) => Some(left.encode_utf16().cmp(right.encode_utf16())),
            _ => self.to_number().partial_cmp(&other.to_number()),
        }
    }

    /// Returns the bytes that a comparison reads.
    pub(super) fn size(&self) -> usize {
        if let Self::Text(text) = self { text.len() } else { 0 }
    }
}

fn length<'v>(length: usize) -> Value<'v> {
    Value::Number(u32::try_from(length).map_or(f64::INFINITY, f64::from))
}

/// Returns the index that a member name denotes, as in `list[0]` and `list["0"]`.
fn index(name: &str) -> Option<usize> {
    let is_canonical = name == "0" || !name.starts_with(['0', '+']);
    name.parse().ok().filter(|_| is_canonical)
}

/// Converts a number to text as JavaScript does (<https://tc39.es/ecma262/#sec-numeric-types-number-tostring>).
fn number_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number < 0.0 { "-Infinity" } else { "Infinity" }.to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&number.abs()) {
        return number.to_string();
    }
    let text = format!("{number:e}");
    if text.contains("e-") { text } else { text.replace('e', "e+") }
}

/// Converts a text to a number (<https://tc39.es/ecma262/#sec-stringtonumber>).
fn text_number(text: &str) -> f64 {
    let text = text.trim();
    if text.is_empty() {
        return 0.0;
    }
    for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return whole(digits, radix);
        }
    }
    match text.strip_prefix(['+', '-']).unwrap_or(text) {
        "Infinity" if text.starts_with('-') => f64::NEG_INFINITY,
        "Infinity" => f64::INFINITY,
        digits if digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') => {
            text.parse().unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}

/// Parses digits of a radix. Returns NaN for an invalid digit or no digits.
fn whole(digits: &str, radix: u32) -> f64 {
    if digits.is_empty() {
        return f64::NAN;
    }
    digits
        .chars()
        .try_fold(0.0, |number, digit| {
            digit.to_digit(radix).map(|digit| number * f64::from(radix) + f64::from(digit))
        })
        .unwrap_or(f64::NAN)
}
