//! Roles of MyST: `` {name}`text` `` and `` {name}`text <target>` ``.

use crate::limits::markdown::{MAX_ROLE_CONTENT, MAX_ROLE_NAME};
use crate::markdown::escaped;

/// Converts the roles of a line to Markdown.
pub(super) fn line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        let in_code = before.ends_with('`');
        match if in_code { None } else { role(behind) } {
            Some((text, after)) => {
                out.push_str(&text);
                rest = after;
            }
            None => {
                out.push('{');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Splits a role at the start of a text into its Markdown and the rest.
fn role(text: &str) -> Option<(String, &str)> {
    let end = text.bytes().take(MAX_ROLE_NAME).position(|byte| byte == b'}')?;
    let (name, behind) = text.split_at_checked(end)?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '+');
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let behind = behind.strip_prefix("}`")?;
    let end = behind.bytes().take(MAX_ROLE_CONTENT).position(|byte| byte == b'`')?;
    let (inside, after) = behind.split_at_checked(end)?;
    let after = after.strip_prefix('`')?;
    let (words, target) = match inside.strip_suffix('>').and_then(|inside| inside.rsplit_once('<')) {
        Some((words, target)) => (words.trim(), Some(target)),
        None => (inside, None),
    };
    let link = |address: &str| format!("[{}](<{address}>)", escaped(words));
    let markdown = match name.rsplit(':').next().unwrap_or(name) {
        "doc" | "download" => link(target.unwrap_or(inside)),
        "ref" | "numref" | "any" => link(&format!("project:#{}", target.unwrap_or(inside))),
        "term" | "abbr" | "guilabel" | "menuselection" => escaped(words),
        "kbd" => format!("<kbd>{words}</kbd>"),
        "sub" | "subscript" => format!("<sub>{words}</sub>"),
        "sup" | "superscript" => format!("<sup>{words}</sup>"),
        "math" => format!("$${inside}$$"),
        "strong" => format!("**{words}**"),
        "emphasis" => format!("*{words}*"),
        _ => format!("`{inside}`"),
    };
    Some((markdown, after))
}

/// The anchor that gives a heading the id of a target.
pub(super) fn anchor(label: &str) -> String {
    if is_id(label) { format!(" <a href=\"#{label}\" id=\"{label}\"></a>") } else { String::new() }
}

/// The anchor of a target that is no heading.
pub(super) fn target(label: &str) -> String {
    if is_id(label) { format!("<a id=\"{label}\"></a>") } else { String::new() }
}

fn is_id(label: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '+');
    !label.is_empty() && label.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn roles_become_links_marks_and_code() {
        for (text, expected) in [
            ("See {doc}`the guide <../guide>`.", "See [the guide](<../guide>)."),
            ("{doc}`/install`", "[\\/install](</install>)"),
            ("{ref}`there <my-label>`", "[there](<project:#my-label>)"),
            ("{py:func}`os.walk` and {kbd}`Ctrl`", "`os.walk` and <kbd>Ctrl</kbd>"),
            ("{math}`x^2`", "$$x^2$$"),
            ("`{doc}` and {name} and {doc}`open", "`{doc}` and {name} and {doc}`open"),
        ] {
            assert_eq!(line(text), expected);
        }
    }
}
