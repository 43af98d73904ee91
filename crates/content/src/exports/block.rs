//! Placeholders of computed pages in a table of contents. Each is a list item with a fenced block of YAML.

use std::fmt::Write as _;

use quire_revision::PageNode;
use serde_json::{Map, Value};

/// Keys of a source in their usual order. Other keys follow by name.
const ORDER: [&str; 3] = ["type", "props", "dependencies"];
/// Words that some version of YAML does not read as text.
const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// Writes a placeholder. Omits values that an import assumes: the name of the specification as title, and its id as
/// seed.
pub(super) fn print(page: &PageNode, source: &Value, seed: &str, depth: usize) -> String {
    let mut block = source.as_object().cloned().unwrap_or_default();
    let name = source.pointer("/dependencies/spec/ref/spec").and_then(Value::as_str);
    let title = Some(page.title.as_str()).filter(|title| Some(*title) != name);
    let seed = Some(seed).filter(|seed| *seed != page.id.to_string());
    let own =
        [("title", title), ("icon", page.icon.as_deref()), ("emoji", page.emoji.as_deref()), ("seed", seed)];
    for (key, text) in own.into_iter().filter_map(|(key, text)| Some((key, text?))) {
        block.insert(key.to_owned(), text.into());
    }
    if page.hidden {
        block.insert("hidden".to_owned(), true.into());
    }
    let mut out = format!("{}* ```yaml\n", "  ".repeat(depth));
    entries(&block, depth + 1, &mut out);
    out.push_str(&format!("{}```\n", "  ".repeat(depth + 1)));
    out
}

/// Writes the entries of an object, one per line, each followed by the entries of its inner object.
fn entries(object: &Map<String, Value>, depth: usize, out: &mut String) {
    let place = |key: &str| ORDER.iter().position(|known| *known == key).unwrap_or(ORDER.len());
    let mut sorted: Vec<(&String, &Value)> = object.iter().collect();
    sorted.sort_by_key(|(key, _)| (place(key), *key));
    for (key, value) in sorted {
        let _ = write!(out, "{}{}:", "  ".repeat(depth), text(key));
        match value {
            Value::Object(inner) if !inner.is_empty() => {
                out.push('\n');
                entries(inner, depth + 1, out);
            }
            Value::String(words) => {
                let _ = writeln!(out, " {}", text(words));
            }
            // JSON notation of other values is valid YAML.
            other => {
                let _ = writeln!(out, " {}", without_comments(&other.to_string()));
            }
        }
    }
}

/// Returns a text as a plain scalar if all versions of YAML read it as text, and otherwise as JSON.
fn text(words: &str) -> String {
    let is_plain = words.starts_with(|first: char| first.is_ascii_alphabetic())
        && words.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        || words == "builtin:openapi";
    if is_plain && !WORDS.contains(&words.to_ascii_lowercase().as_str()) {
        return words.to_owned();
    }
    without_comments(&Value::from(words).to_string())
}

/// Escapes the start of HTML comments in JSON, because an import removes comments from a table of contents.
fn without_comments(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use quire_domain::ids::PageId;
    use quire_revision::{PageKind, Position};
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_placeholder_is_written_as_existing_repositories_have_it() {
        let source = json!({
            "type": "builtin:openapi", "props": {"models": true, "grouping": "by-tag"},
            "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "pets"}}},
        });
        let id = PageId::from_uuid(Uuid::from_u128(1));
        let kind = PageKind::Computed { source: source.clone(), seed: id.to_string() };
        let mut page = PageNode::new(id, None, Position::first(), kind, "pets".to_owned(), String::new());
        let expected = [
            "  * ```yaml",
            "    type: builtin:openapi",
            "    props:",
            "      grouping: by-tag",
            "      models: true",
            "    dependencies:",
            "      spec:",
            "        ref:",
            "          kind: openapi",
            "          spec: pets",
            "    ```\n",
        ];
        assert_eq!(print(&page, &source, &id.to_string(), 1), expected.join("\n"));
        page.title = "The \"API\": <!-- now --> 2".to_owned();
        page.hidden = true;
        let written = print(&page, &source, "yes", 0);
        assert!(written.ends_with(
            "\n  hidden: true\n  seed: \"yes\"\n  title: \"The \\\"API\\\": \\u003c!-- now --> 2\"\n  ```\n"
        ), "{written}");
    }
}
