//! Stable names for values that differ between runs: ids, derived names, times, tokens and signatures.

use std::collections::{BTreeMap, HashMap};

use quire_domain::clock::Timestamp;
use serde_json::{Map, Value};

/// Values that differ between runs, in a whole world.
pub struct Names {
    start: Timestamp,
    /// Objects with a name of their own, by id or address.
    known: BTreeMap<String, String>,
    /// Kind of object that each id belongs to.
    kinds: HashMap<String, String>,
}

/// Names within one file. Objects without a name of their own are numbered in order of appearance.
pub struct FileNames<'a> {
    names: &'a Names,
    given: HashMap<String, String>,
    counts: HashMap<String, usize>,
}

impl Names {
    /// Creates names. Times are written relative to `start`; `known` maps ids to names.
    pub fn new(start: Timestamp, known: BTreeMap<String, String>) -> Self {
        Self { start, known, kinds: HashMap::new() }
    }

    /// Records the kind of object that an id belongs to, unless it is known.
    pub fn learn(&mut self, kind: &str, id: &str) {
        if is_uuid(id) {
            self.kinds.entry(id.to_owned()).or_insert_with(|| kind.to_owned());
        }
    }

    /// Returns the names for one file.
    pub fn file(&self) -> FileNames<'_> {
        FileNames { names: self, given: HashMap::new(), counts: HashMap::new() }
    }
}

impl FileNames<'_> {
    /// Returns a value with names in all its texts.
    pub fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(fields) => self.object(fields),
            other => other.clone(),
        }
    }

    fn object(&mut self, fields: &Map<String, Value>) -> Value {
        let named = fields.iter().map(|(key, value)| match (key.as_str(), value) {
            ("next", Value::Object(next)) if next.len() == 1 && next.contains_key("page") => {
                (key.clone(), serde_json::json!({"page": "<cursor>"}))
            }
            // Scores change when the index drops deleted pages, so they differ between runs.
            ("score", Value::Number(_)) => (key.clone(), Value::String("<score>".to_owned())),
            ("code", Value::String(code))
                if code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                (key.clone(), Value::String("<code of the moment>".to_owned()))
            }
            ("privateKey", Value::String(_)) => (key.clone(), Value::String("<visitor key>".to_owned())),
            _ => (self.text(key), self.value(value)),
        });
        Value::Object(named.collect())
    }

    /// Returns a text with names in it.
    pub fn text(&mut self, text: &str) -> String {
        let mut named = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (length, name) = self.prefix(&named, rest);
            named.push_str(&name);
            rest = &rest[length..];
        }
        named
    }

    /// Returns the length of the prefix that a name replaces, and the name. A character without a name is kept.
    fn prefix(&mut self, before: &str, text: &str) -> (usize, String) {
        if let Some((known, name)) = self.names.known.iter().find(|(known, _)| text.starts_with(*known)) {
            return (known.len(), format!("<{name}>"));
        }
        if let Some(id) = text.get(..36).filter(|id| is_uuid(id)) {
            let kind = self.names.kinds.get(id).map_or("id", String::as_str);
            return (36, self.counted(kind, id));
        }
        if let Some(time) = text.get(..24).filter(|time| time.ends_with('Z'))
            && let Ok(time) = time.parse::<Timestamp>()
        {
            return (24, self.time(time.millis()));
        }
        let starts_word = !before.ends_with(|c: char| c.is_ascii_alphanumeric());
        let word = text
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-')
            .next()
            .unwrap_or_default();
        if starts_word && word.len() == 32 && word.chars().all(is_hex) {
            return (32, self.counted("name", word));
        }
        if before.ends_with("expires=") {
            return (word.len(), self.time(word.parse().unwrap()));
        }
        if before.ends_with("token=") && !word.is_empty() {
            return (word.len(), "<signature>".to_owned());
        }
        if let Some((length, kind)) = starts_word.then(|| secret(text, word)).flatten() {
            return (length, self.counted(kind, &text[..length]));
        }
        if before.ends_with("127.0.0.1:") && word.len() == 5 {
            return (5, "<port>".to_owned());
        }
        if before.ends_with("shareKey=")
            || starts_word && word.len() == 40 && word.chars().all(char::is_alphanumeric)
        {
            return (word.len(), self.counted("share key", word));
        }
        // Hash of a document, which depends on the ids of its link targets.
        if starts_word && word.len() == 43 {
            return (43, self.counted("document", word));
        }
        let first = text.chars().next().unwrap();
        (first.len_utf8(), first.to_string())
    }

    /// Formats a time relative to the start. Times more than 100 days away are written unchanged.
    fn time(&self, millis: i64) -> String {
        let since = millis - self.names.start.millis();
        match (since % 1_000, since / 1_000) {
            (_, seconds) if seconds.abs() > 100 * 86_400 => {
                Timestamp::from_millis(millis).unwrap().to_string()
            }
            (0, 0) => "<start>".to_owned(),
            (0, seconds) => format!("<start{seconds:+}s>"),
            _ => format!("<start{since:+}ms>"),
        }
    }

    fn counted(&mut self, kind: &str, id: &str) -> String {
        if let Some(given) = self.given.get(id) {
            return given.clone();
        }
        let count = self.counts.entry(kind.to_owned()).or_default();
        *count += 1;
        let name = format!("<{kind} {count}>");
        self.given.insert(id.to_owned(), name.clone());
        name
    }
}

/// Returns the length and kind of a secret at the start of a text. `word` is its first word.
fn secret(text: &str, word: &str) -> Option<(usize, &'static str)> {
    if word.starts_with("eyJ") && text[word.len()..].starts_with('.') {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !"_-.".contains(c));
        return Some((end.unwrap_or(text.len()), "visitor token"));
    }
    if word.starts_with("eyJ") && word.len() > 100 {
        return Some((word.len(), "client data"));
    }
    // DER signature: two integers of 31 to 33 bytes each.
    if word.len() > 90 && word.starts_with("ME") {
        return Some((word.len(), "signature"));
    }
    if word.starts_with("preview-") && word.len() > 100 {
        return Some((word.len(), "preview"));
    }
    let is_key = |c: char| matches!(c, 'A'..='Z' | '2'..='7');
    if word.len() == 32 && word.chars().all(is_key) {
        return Some((word.len(), "authenticator key"));
    }
    if word.len() == 19 && word.split('-').all(|group| group.len() == 4) {
        return Some((word.len(), "recovery code"));
    }
    (["whsec_", "qr_", "qp_", "qi_"].iter().any(|prefix| word.starts_with(prefix)))
        .then_some((word.len(), "secret"))
}

fn is_hex(c: char) -> bool {
    matches!(c, '0'..='9' | 'a'..='f')
}

/// Returns whether a text is an id in the form of the service.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.chars().enumerate().all(|(at, c)| match at {
            8 | 13 | 18 | 23 => c == '-',
            _ => is_hex(c),
        })
}
