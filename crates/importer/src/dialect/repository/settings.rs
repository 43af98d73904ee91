//! Settings files in YAML, TOML or JSON.

use quire_markup::openapi::Json;

use crate::path;
use crate::tree::SourceTree;
use crate::yaml;

/// Returns the settings in a file; `None` if it is missing, or cannot be read.
pub(super) fn read(tree: &SourceTree, file: &str) -> Option<Json> {
    let text = tree.text(file)?;
    match path::extension(file).as_str() {
        "toml" => {
            let table: toml::Table = toml::from_str(&text).ok()?;
            Json::parse(&serde_json::to_string(&table).ok()?).ok()
        }
        // JSON is YAML.
        _ => yaml::parse(&text),
    }
}

/// Returns the value of a key, which may be spelled with other letter case.
pub(super) fn get<'s>(settings: &'s Json, name: &str) -> Option<&'s Json> {
    settings.entries().iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Returns a text, number or boolean as text.
pub(super) fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::Text(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}
