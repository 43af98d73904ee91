//! Abbreviation of long responses.

use std::collections::BTreeSet;

use serde_json::Value;

/// Maximum length of a list that is written in full.
const LONG_LIST: usize = 8;
/// Maximum length of a text that is written in full, in characters.
const LONG_TEXT: usize = 2_000;

/// Returns a value in which long lists keep the first two items, and each item with something new.
pub fn brief(value: &Value) -> Value {
    match value {
        Value::Array(items) if items.len() > LONG_LIST => Value::Array(brief_list(items)),
        Value::Array(items) => items.iter().map(brief).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), brief(value))).collect())
        }
        Value::String(text) if text.chars().count() > LONG_TEXT => {
            let start: String = text.chars().take(100).collect();
            format!("{start}<and {} more characters>", text.chars().count() - 100).into()
        }
        other => other.clone(),
    }
}

fn brief_list(items: &[Value]) -> Vec<Value> {
    let (mut known, mut kept, mut left_out) = (BTreeSet::new(), Vec::new(), 0_usize);
    for (at, item) in items.iter().enumerate() {
        let item = brief(item);
        let before = known.len();
        note(&item, "", &mut known);
        if at < 2 || known.len() > before {
            tell(&mut kept, &mut left_out);
            kept.push(item);
        } else {
            left_out += 1;
        }
    }
    tell(&mut kept, &mut left_out);
    kept
}

fn tell(kept: &mut Vec<Value>, left_out: &mut usize) {
    if *left_out > 0 {
        kept.push(format!("<and {left_out} more like those>").into());
        *left_out = 0;
    }
}

/// Returns the paths in a value, and the values that distinguish variants.
fn note(value: &Value, path: &str, known: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            note(value, &format!("{path}.{key}"), known);
            if matches!(key.as_str(), "type" | "kind" | "status" | "object") {
                known.insert(format!("{path}.{key}={value}"));
            }
        }),
        Value::Array(items) => items.iter().for_each(|item| note(item, &format!("{path}[]"), known)),
        _ => {}
    }
    known.insert(format!("{path}{}", if super::schema::says_something(value) { "" } else { "=" }));
}
