//! Docusaurus: MDX with colon call-outs, tabs and module imports.

use super::code::code_lines;
use super::containers::{Container, containers};
use super::{Translated, callout, jsx, translated};
use crate::limits::markdown::MAX_STATEMENT_LINES;

/// Translates a Docusaurus page: `:::note`, `<Tabs>`, `<Admonition>`. Drops imports, exports and comments; other
/// components are kept as text.
///
/// ```
/// let page = quire_markup::dialects::docusaurus(":::tip[Hurry]\nMind the *gap*.\n:::\n");
/// assert_eq!(page.text, "{% hint style=\"success\" %}\n**Hurry**\n\nMind the *gap*.\n{% endhint %}\n");
/// ```
#[must_use]
pub fn docusaurus(text: &str) -> Translated {
    translated(text, |body, left| {
        let body = without_modules(body);
        let body = jsx::components(&body, left);
        containers(&body, left, container)
    })
}

fn container(info: &str) -> Option<Container> {
    let end = info.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(info.len());
    let (name, title) = info.split_at_checked(end)?;
    let title = title.trim();
    let title = match title.strip_prefix('[').and_then(|rest| rest.rsplit_once(']')) {
        Some((label, _)) => label,
        None => title.split_once('{').map_or(title, |(title, _)| title),
    };
    let begin = match name {
        "details" => {
            return Some(Container {
                begin: callout::details_begin(title, false),
                end: "\n</details>\n",
                is_group: false,
            });
        }
        name => callout::hint_begin(callout::style(name)?, title),
    };
    Some(Container { begin, end: "{% endhint %}\n", is_group: false })
}

/// Returns a page without its module statements. A statement begins at the start of a line after an empty line, and
/// ends when its brackets are closed.
fn without_modules(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut begins_block = true;
    while let Some(line) = lines.get(at) {
        let length = match is_code.get(at) {
            Some(false) if begins_block => statement_length(lines.get(at..).unwrap_or_default()),
            _ => 0,
        };
        if length > 0 {
            at += length;
            continue;
        }
        begins_block = line.trim().is_empty();
        out.push_str(line);
        out.push('\n');
        at += 1;
    }
    out
}

/// Returns the number of lines of the statement at the start of these lines; 0 for prose.
fn statement_length(lines: &[&str]) -> usize {
    let first = lines.first().copied().unwrap_or_default();
    let is_export = ["export const ", "export let ", "export default ", "export function ", "export {"]
        .iter()
        .any(|begin| first.starts_with(begin));
    let is_import = first.starts_with("import ");
    if !is_export && !is_import {
        return 0;
    }
    let mut depth = 0_i32;
    for (index, line) in lines.iter().take(MAX_STATEMENT_LINES).enumerate() {
        for character in line.chars() {
            depth += match character {
                '{' | '(' | '[' => 1,
                '}' | ')' | ']' => -1,
                _ => 0,
            };
        }
        let is_source =
            [" from '", " from \"", "import '", "import \""].iter().any(|mark| line.contains(mark));
        let is_end = depth <= 0 && (is_export || is_source);
        if is_end {
            return index + 1;
        }
        if is_import && line.trim().is_empty() {
            return 0;
        }
    }
    0
}
