//! VitePress: colon containers, groups of listings, and Vue syntax.

use super::callout;
use super::code::code_lines;
use super::containers::{Container, containers};
use super::inline::{escaped, outside_code, replace_between};
use super::{Left, Translated, translated};

/// Translates a VitePress page: `::: tip`, `::: details`, `::: code-group`. Drops scripts, styles and `[[toc]]`.
///
/// ```
/// let page = quire_markup::dialects::vitepress("::: danger STOP\nMind the *gap*.\n:::\n");
/// assert_eq!(page.text, "{% hint style=\"danger\" %}\n**STOP**\n\nMind the *gap*.\n{% endhint %}\n");
/// ```
#[must_use]
pub fn vitepress(text: &str) -> Translated {
    translated(text, |body, left| {
        let body = without_vue(body, left);
        containers(&body, left, container)
    })
}

fn container(info: &str) -> Option<Container> {
    let (name, title) = info.split_once(char::is_whitespace).unwrap_or((info, ""));
    // Attributes follow the title.
    let (title, attributes) = title.split_once('{').unwrap_or((title, ""));
    let of = |begin, end| Some(Container { begin, end, is_group: false });
    match name {
        "details" => {
            let title = if title.trim().is_empty() { "Details" } else { title };
            of(callout::details_begin(title, attributes.starts_with("open")), "\n</details>\n")
        }
        "code-group" => {
            Some(Container { begin: "{% tabs %}\n".to_owned(), end: "{% endtabs %}\n", is_group: true })
        }
        "raw" | "v-pre" => of(String::new(), ""),
        name => of(callout::hint_begin(callout::style(name)?, title), "{% endhint %}\n"),
    }
}

/// Returns a page without scripts and styles, with badges as text.
fn without_vue(text: &str, left: &mut Left) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    let mut hidden: Option<&str> = None;
    for (line, is_code) in lines.iter().zip(is_code) {
        if let Some(end) = hidden {
            if line.trim_start().starts_with(end) {
                hidden = None;
            }
            continue;
        }
        hidden = [("<script", "</script>"), ("<style", "</style>")]
            .into_iter()
            .find(|(begin, _)| !is_code && line.starts_with(begin))
            .map(|(_, end)| end);
        match hidden {
            Some(end) => {
                if line.contains(end) {
                    hidden = None;
                }
                continue;
            }
            None if !is_code && line.trim().eq_ignore_ascii_case("[[toc]]") => {}
            None if is_code => out.push_str(line),
            None => out.push_str(&prose(line, left)),
        }
        out.push('\n');
    }
    out
}

fn prose(line: &str, left: &mut Left) -> String {
    if line.starts_with("<<< ") {
        left.add("<<< file");
    }
    outside_code(line, |piece, out| {
        let piece = replace_between(piece, "<Badge", "/>", |inside| {
            let (_, text) = inside.split_once(" text=\"")?;
            text.split_once('"').map(|(text, _)| escaped(text))
        });
        out.push_str(&piece);
    })
}
