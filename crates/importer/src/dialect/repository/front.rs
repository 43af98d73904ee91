//! Front matter of pages, as generators read it before the pages are imported.

use quire_markup::FrontMatter;
use quire_markup::openapi::Json;

use crate::yaml;

/// Returns the properties of a page; `None` if it has none, or they cannot be read.
pub(super) fn of(text: &str) -> Option<Json> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let begin = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let end = begin.match_indices("\n---").map(|(at, _)| at).find(|at| {
        let behind = begin.get(at + 4..).unwrap_or_default();
        behind.lines().next().is_none_or(|rest| rest.trim().is_empty())
    })?;
    yaml::parse(begin.get(..end)?)
}

/// Returns a property that is a text, a number or a boolean, as text.
pub(super) fn text(properties: &Json, name: &str) -> Option<String> {
    match properties.get(name)? {
        Json::Text(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Returns a property of a page that is read, if it is a text. A slash leads to a property of a property.
pub(super) fn text_at(properties: &FrontMatter, path: &str) -> Option<String> {
    let (name, below) = path.split_once('/').unwrap_or((path, ""));
    let (_, value) = properties.extra.iter().find(|(key, _)| key == name)?;
    let value = if below.is_empty() { Some(value) } else { value.get(below) };
    value?.as_str().map(str::to_owned)
}

/// Returns a property that is a number.
pub(super) fn number(properties: &Json, name: &str) -> Option<f64> {
    text(properties, name)?.parse().ok()
}

/// Returns whether a property is set.
pub(super) fn flag(properties: &Json, name: &str) -> bool {
    text(properties, name).is_some_and(|value| value == "true")
}
