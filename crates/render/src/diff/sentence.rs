//! Sentences about differing attributes.

use quire_revision::AttributeDifference;
use serde_json::Value;

/// Maximum length in characters of a value in a sentence.
const MOST_CHARACTERS: usize = 80;

/// Returns a sentence for each attribute, such as "Style: info → warning".
pub(super) fn all(attributes: &[AttributeDifference]) -> impl Iterator<Item = String> {
    attributes.iter().map(sentence)
}

fn sentence(attribute: &AttributeDifference) -> String {
    let name = title(&attribute.name);
    match (&attribute.before, &attribute.after) {
        (None, Some(after)) if attribute.name == "column" => format!("Column added: {}", quoted(after)),
        (Some(before), None) if attribute.name == "column" => format!("Column removed: {}", quoted(before)),
        (before, after)
            if [before, after].into_iter().flatten().any(|value| value.is_object() || value.is_array()) =>
        {
            format!("{name} changed")
        }
        (before, after) => {
            let words = |value: &Option<Value>| value.as_ref().map_or_else(|| "none".to_owned(), quoted);
            format!("{name}: {} → {}", words(before), words(after))
        }
    }
}

/// Returns the name of a member as words: `fullWidth` is "Full width".
fn title(name: &str) -> String {
    let mut title = String::with_capacity(name.len().saturating_add(2));
    for (index, character) in name.chars().enumerate() {
        match (index, character.is_uppercase()) {
            (0, _) => title.extend(character.to_uppercase()),
            (_, true) => {
                title.push(' ');
                title.extend(character.to_lowercase());
            }
            _ => title.push(character),
        }
    }
    match title.as_str() {
        "Ref" => "Target".to_owned(),
        _ => title,
    }
}

fn quoted(value: &Value) -> String {
    let text = match value {
        Value::String(text) if text.is_empty() => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => other.to_string(),
    };
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
