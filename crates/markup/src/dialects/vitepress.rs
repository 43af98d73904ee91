//! VitePress and VuePress: colon containers, groups of listings, tabs, and Vue syntax.

use super::callout;
use super::code::code_lines;
use super::containers::{Container, Tabs, containers, split_attributes};
use super::inline::{formulas, outside_code, replace_between};
use super::templates::expressions;
use super::{Left, Translated, translated};

/// Translates a page of VitePress or VuePress: `::: tip`, `::: details`, `::: code-group`, `::: tabs`. Drops scripts,
/// styles and `[[toc]]`. With `has_math`, a single dollar sign begins a formula.
///
/// ```
/// let page = quire_markup::dialects::vitepress("::: danger STOP\nMind the *gap*.\n:::\n", false);
/// assert_eq!(page.text, "{% hint style=\"danger\" %}\n**STOP**\n\nMind the *gap*.\n{% endhint %}\n");
/// ```
#[must_use]
pub fn vitepress(text: &str, has_math: bool) -> Translated {
    translated(text, |body, left| {
        let body = with_heading_ids(&without_vue(body, left));
        let body = if has_math { formulas(&body) } else { body };
        let body = super::mdx::elements(&body, left);
        super::listing::all_cleaned(&containers(&body, left, container))
    })
}

fn container(info: &str) -> Option<Container> {
    let (name, title) = info.split_once(char::is_whitespace).unwrap_or((info, ""));
    // Attributes follow the title.
    let (title, attributes) = split_attributes(title);
    let of = |begin, end| Some(Container { begin, end, tabs: Tabs::Never });
    let tabs = |tabs| Some(Container { begin: "{% tabs %}\n".to_owned(), end: "{% endtabs %}\n", tabs });
    match name {
        "details" => {
            let title = if title.trim().is_empty() { "Details" } else { title };
            of(
                callout::details_begin(&super::inline::html(title), attributes.starts_with("open")),
                "\n</details>\n",
            )
        }
        "code-group" => tabs(Tabs::ByListing),
        // The name may have an id: `::: tabs#shell`.
        name if matches!(name.split('#').next(), Some("tabs" | "code-tabs")) => tabs(Tabs::ByMark),
        // Alignment and demonstrations are layout.
        "raw" | "v-pre" | "center" | "left" | "right" | "justify" | "preview" | "normal-demo"
            if title.trim().is_empty() =>
        {
            of(String::new(), "")
        }
        name => of(callout::hint_begin(callout::style(name)?, title), "{% endhint %}\n"),
    }
}

/// Removes scripts, styles and expressions from a page, and converts badges to text.
fn without_vue(text: &str, left: &mut Left) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    let mut hidden: Option<&str> = None;
    let mut is_literal = false;
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
            None if line.trim_start().starts_with(":::") => {
                is_literal = line.contains("v-pre");
                out.push_str(&prose(line, left));
            }
            None if !is_literal && !line.contains("v-pre") => {
                out.push_str(&prose(&expressions(line, &|_| false, left), left));
            }
            None => out.push_str(&prose(line, left)),
        }
        out.push('\n');
    }
    out
}

fn prose(line: &str, left: &mut Left) -> String {
    if line.trim_start().starts_with("<<< ") {
        left.add("<<< file");
    }
    // Strikethrough requires two tildes.
    if !line.contains('~') {
        return line.to_owned();
    }
    outside_code(line, |piece, out| {
        let mut rest = piece;
        while let Some(at) = rest.find('~') {
            let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            out.push_str(before);
            let marks = from.len() - from.trim_start_matches('~').len();
            let is_single = marks == 1 && !before.ends_with(['\\', '/']);
            out.push_str(if is_single { "\\~" } else { from.get(..marks).unwrap_or_default() });
            rest = from.get(marks..).unwrap_or_default();
        }
        out.push_str(rest);
    })
}

/// Sets explicit ids on headings with badges, derived from their text without the badges.
fn with_heading_ids(text: &str) -> String {
    if !text.contains("<Badge") && !text.contains("data-text") {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    for (line, is_code) in lines.iter().zip(is_code) {
        out.push_str(line);
        let has_id = line.trim_end().ends_with('}') && line.contains("{#");
        let words = line.trim_start_matches('#');
        if !is_code && !has_id && line.starts_with('#') && words.starts_with(' ') && words.contains('<') {
            let words = replace_between(words, "<", ">", |_| Some(String::new()));
            out.push_str(&format!(" {{#{}}}", crate::anchors::heading_slug(&words)));
        }
        out.push('\n');
    }
    out
}
