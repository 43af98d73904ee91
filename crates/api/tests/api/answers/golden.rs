//! Golden file of an operation: a minimal set of exchanges that shows all response fields and all request keys.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use super::fixture::Kept;
use super::names::{FileNames, Names, is_uuid};

/// Maximum length of a value on one line.
const WIDTH: usize = 140;

/// Returns the text of an operation's file.
pub fn golden(kept: &[&Kept], names: &Names) -> String {
    let (mut names, mut written) = (names.file(), BTreeMap::new());
    let exchanges = selected(kept).into_iter().map(|kept| exchange(kept, &mut names, &mut written));
    exchanges.collect::<Vec<_>>().join("\n\n")
}

/// Selects exchanges greedily: each time the one that shows the most fields that no selected one shows, or of several
/// the one with the most fields. The result is in chronological order.
fn selected<'a>(kept: &[&'a Kept]) -> Vec<&'a Kept> {
    let all: Vec<BTreeSet<String>> = kept.iter().map(|kept| shown(kept)).collect();
    let (mut known, mut chosen) = (BTreeSet::new(), BTreeSet::new());
    loop {
        let new = |shown: &BTreeSet<String>| shown.difference(&known).count();
        // Of equals the first: `max_by_key` returns the last, so the order is reversed.
        let best = all.iter().enumerate().rev().max_by_key(|(_, shown)| (new(shown), shown.len()));
        let Some((at, shown)) = best.filter(|(_, shown)| new(shown) > 0) else { break };
        known.extend(shown.iter().cloned());
        chosen.insert(at);
    }
    chosen.into_iter().map(|at| kept[at]).collect()
}

fn shown(kept: &Kept) -> BTreeSet<String> {
    let sent = kept.used.iter().map(|key| format!("> {key}"));
    let all = kept.answered.iter().chain(&kept.chosen).cloned().chain(sent);
    all.chain([kept.status.to_string()]).collect()
}

fn exchange(kept: &Kept, names: &mut FileNames, written: &mut BTreeMap<String, String>) -> String {
    let request = request_line(kept, names);
    let mut text = request.clone();
    match kept.sent.as_ref() {
        Some(Value::String(sent)) => {
            let _ = write!(text, "\n{}", names.text(sent).replace('\r', ""));
        }
        Some(sent) => {
            let _ = write!(text, "\n{}", pretty(&names.value(sent), 0));
        }
        None => {}
    }
    let answer = names.value(&kept.answer);
    let whole = format!("{} {answer}", kept.status);
    let _ = match written.get(&whole) {
        Some(first) => write!(text, "\n{}, as {first}", kept.status),
        None if answer.is_null() => write!(text, "\n{}", kept.status),
        None => {
            written.insert(whole, request);
            write!(text, "\n{}\n{}", kept.status, pretty(&once(answer, written), 0))
        }
    };
    text
}

fn request_line(kept: &Kept, names: &mut FileNames) -> String {
    let mut line = format!("{} {}", kept.method, names.text(&kept.path));
    for (at, (name, value)) in kept.query.iter().enumerate() {
        // The name of the parameter identifies the kind of its value, such as a signature or a key.
        let pair = match name == "page" && !is_uuid(value) {
            true => format!("{name}=<cursor>"),
            false => names.text(&format!("{name}={value}")),
        };
        let _ = write!(line, "{}{pair}", if at == 0 { '?' } else { '&' });
    }
    let who = if kept.user.is_empty() { "an anonymous caller".to_owned() } else { names.text(&kept.user) };
    format!("{line} as {who}")
}

/// Replaces long objects with an id by that id if they were written before. Equal whole responses are handled by the
/// caller.
fn once(value: Value, written: &mut BTreeMap<String, String>) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(|item| within(item, written)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(key, value)| (key, within(value, written))).collect())
        }
        other => other,
    }
}

fn within(value: Value, written: &mut BTreeMap<String, String>) -> Value {
    let text = value.to_string();
    match value.get("id").and_then(Value::as_str) {
        Some(id) if text.len() > WIDTH => {
            if let Some(name) = written.get(&text) {
                return format!("{name} as above").into();
            }
            written.insert(text, id.to_owned());
        }
        _ => {}
    }
    once(value, written)
}

/// Formats JSON. Values that fit into a line are on one line.
fn pretty(value: &Value, depth: usize) -> String {
    let line = value.to_string();
    if line.len() + 2 * depth <= WIDTH {
        return line;
    }
    let within = " ".repeat(2 * (depth + 1));
    let lines = |parts: Vec<String>, [open, close]: [char; 2]| {
        format!("{open}\n{within}{}\n{}{close}", parts.join(&format!(",\n{within}")), " ".repeat(2 * depth))
    };
    match value {
        Value::Array(items) => lines(items.iter().map(|item| pretty(item, depth + 1)).collect(), ['[', ']']),
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::String(key.clone()), pretty(value, depth + 1))
            };
            lines(fields.iter().map(field).collect(), ['{', '}'])
        }
        _ => line,
    }
}
