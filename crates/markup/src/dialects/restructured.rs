//! reStructuredText within MyST pages: admonitions, listings, and objects that an extension documents.

use super::callout;
use super::list_table::list_table;
use super::{dedented, indent};
use crate::limits::markdown::MAX_DIALECT_DEPTH;

/// Converts lines of reStructuredText to Markdown. Documentation that Sphinx extracts from source code is replaced by
/// the name of the object; options are left out.
pub(super) fn paragraphs(lines: &[&str], depth: usize) -> String {
    let mut out = String::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let columns = indent(line);
        let rest = lines.get(at + 1..).unwrap_or_default();
        let is_inside = |line: &&&str| line.trim().is_empty() || indent(line) > columns;
        let length = rest.iter().take_while(is_inside).count();
        let Some((name, argument)) = directive(line.trim()).filter(|_| depth < MAX_DIALECT_DEPTH) else {
            out.push_str(&in_line(line));
            out.push('\n');
            at += 1;
            continue;
        };
        let is_option = |line: &&&str| line.trim().starts_with(':');
        let inside = rest.get(..length).unwrap_or_default();
        let count = inside.iter().take_while(is_option).count();
        let options = inside.get(..count).unwrap_or_default();
        let inside = inside.get(count..).unwrap_or_default();
        let inner = inside.iter().find(|line| !line.trim().is_empty()).map_or(0, |line| indent(line));
        let body: Vec<&str> = inside.iter().map(|line| dedented(line, inner)).collect();
        out.push_str(&match (name, callout::style(name)) {
            ("code-block" | "code" | "sourcecode" | "parsed-literal", _) => {
                format!("```{argument}\n{}\n```\n", body.join("\n").trim_matches('\n'))
            }
            ("list-table", _) => {
                let rows = options.iter().find_map(|line| line.trim().strip_prefix(":header-rows:"));
                let has_header = rows.is_some_and(|count| count.trim() != "0");
                let lines = |lines: &[&str]| {
                    lines.iter().map(|line| in_line(line)).collect::<Vec<String>>().join("\n")
                };
                let table = list_table(&in_line(argument), has_header, &body, lines);
                table.unwrap_or_else(|| lines(&body) + "\n")
            }
            ("image", _) => format!("![](<{argument}>)\n"),
            // The caption is the text below a figure.
            ("figure", _) => format!("![](<{argument}>)\n\n{}", paragraphs(&body, depth + 1)),
            (_, Some(style)) => {
                callout::hint(style, "", &format!("{}\n{}", in_line(argument), paragraphs(&body, depth + 1)))
            }
            (name, None) => format!("{}{}", object(name, argument), documented(name, &body, depth)),
        });
        out.push('\n');
        at += 1 + length;
    }
    out
}

/// Returns the name of an object whose documentation is included. Directives that only set a context have no output.
pub(super) fn object(name: &str, argument: &str) -> String {
    let is_context =
        matches!(name, "module" | "currentmodule" | "automodule" | "contents" | "toctree" | "index");
    if is_context || argument.is_empty() { String::new() } else { format!("`{argument}`\n") }
}

/// Returns the content of a directive that documents an object. The content of others, such as lists of names, is data.
fn documented(name: &str, body: &[&str], depth: usize) -> String {
    let kind = name.rsplit(':').next().unwrap_or_default();
    // The page's own text is added to the extracted documentation.
    let kind = kind.strip_prefix("auto").unwrap_or(kind);
    let is_text = matches!(kind, "module" | "class" | "function" | "method" | "attribute" | "data");
    let has_words = body.iter().any(|line| !line.trim().is_empty());
    if is_text && has_words { format!("\n{}", paragraphs(body, depth + 1)) } else { String::new() }
}

/// Returns the name and the argument of a line that begins a directive.
fn directive(line: &str) -> Option<(&str, &str)> {
    let (name, argument) = line.strip_prefix(".. ")?.split_once("::")?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_:.".contains(c);
    (!name.is_empty() && name.chars().all(is_name)).then_some((name, argument.trim()))
}

/// Converts the roles and literals of a line to code, and its links to Markdown.
fn in_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('`') {
        let marks = if behind.starts_with('`') { "``" } else { "`" };
        let behind = behind.strip_prefix('`').unwrap_or(behind);
        let Some((inside, after)) = behind.split_once(marks) else {
            out.push_str(before);
            out.push_str(marks);
            rest = behind;
            continue;
        };
        // The name of a role is between colons.
        let role = before.strip_suffix(':').and_then(|before| before.rsplit_once(':'));
        let is_role = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
        out.push_str(role.filter(|(_, name)| is_role(name)).map_or(before, |(before, _)| before));
        let link = inside.strip_suffix('>').and_then(|inside| inside.rsplit_once('<'));
        match (link, after.strip_prefix('_')) {
            (Some((words, address)), Some(after)) => {
                out.push_str(&format!("[{}](<{address}>)", words.trim()));
                rest = after.strip_prefix('_').unwrap_or(after);
            }
            _ => {
                out.push_str(&format!("`{inside}`"));
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::paragraphs;

    #[test]
    fn directives_become_blocks_or_names() {
        for (source, expected) in [
            (".. module:: a.b\n\n.. autoclass:: Hub\n   :members:", "\n`Hub`\n\n"),
            (
                ".. autoclass:: Hub\n   :members:\n\n   .. attribute:: name\n\n      Its name.",
                "`Hub`\n\n\n`name`\n\n\nIts name.\n\n\n",
            ),
            (
                ".. note:: Mind ``x``.\n\n   Well.",
                "{% hint style=\"info\" %}\nMind `x`.\n\nWell.\n{% endhint %}\n\n",
            ),
            (
                ".. list-table:: Title\n\n  * - A\n    - ``b``\n  * - c",
                "**Title**\n\n|  |  |\n| --- | --- |\n| A | `b` |\n| c |  |\n\n",
            ),
            (
                ".. code-block:: sh\n\n   ls\n\nSee :class:`A` and `b <c>`__.",
                "```sh\nls\n```\n\nSee `A` and [b](<c>).\n",
            ),
        ] {
            let lines: Vec<&str> = source.lines().collect();
            assert_eq!(paragraphs(&lines, 0), expected, "{source}");
        }
    }
}
