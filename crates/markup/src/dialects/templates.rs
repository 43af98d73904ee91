//! Template languages in Markdown: shortcodes of Hugo, tags of Liquid (Jekyll) and Nunjucks (GitBook before 2018), and
//! expressions between double braces.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::code::code_lines;
use super::inline::{escaped, outside_code, replace_between};
use super::{Left, callout, indent, push_indented};
use crate::markdown::starts_with_block_tag;
use crate::markdown_html::escape;

/// Tags of Liquid and Nunjucks that are dropped on a line of their own. Others may be text about templates.
const STATEMENTS: [&str; 20] = [
    "assign",
    "block",
    "break",
    "capture",
    "case",
    "comment",
    "cycle",
    "else",
    "elsif",
    "extends",
    "for",
    "import",
    "include",
    "increment",
    "macro",
    "raw",
    "set",
    "tablerow",
    "unless",
    "when",
];

/// Bytes of a shortcode, a tag or an expression.
const MAX_CALL_BYTES: usize = 2_000;

/// Lines of a statement that is not closed in its first line.
const MAX_STATEMENT_LINES: usize = 50;

/// Returns a text with its shortcodes and tags as Markdown. What has no equivalent is dropped on lines of its own, and
/// otherwise kept as text.
pub(super) fn templates(text: &str, left: &mut Left) -> String {
    if !["{{<", "{{%", "{%", "{:"].iter().any(|mark| text.contains(mark)) {
        return text.to_owned();
    }
    let text = &*single_lines(text);
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let prose = lines.iter().enumerate().zip(&is_code).filter(|(_, is_code)| !**is_code);
    let calls = prose.map(|((at, line), _)| (at, *line));
    let ends = calls.filter_map(|(at, line)| Some((Call::whole(line)?, at))).filter(|(call, _)| call.is_end);
    let ends: BTreeMap<&str, usize> = ends.map(|(call, at)| (call.name, at)).collect();
    let mut translator = Translator { ends, has_sample: false, shows_listings: false };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let is_code = is_code.get(at - 1).copied().unwrap_or_default();
        let call = if is_code { None } else { Call::whole(line) };
        let Some(call) = call else {
            let is_attributes = !is_code && is_attribute_list(line);
            match line {
                _ if is_code => out.push_str(line),
                line if is_attributes => left.add(line),
                line => out.push_str(&in_line(line, left)),
            }
            out.push('\n');
            continue;
        };
        let is_tab = call.name == "tab" && translator.has_listings(&call);
        let is_listing = (matches!(call.name, "highlight" | "codesnippet") || is_tab) && !call.is_end;
        if is_listing && translator.ends.get(call.name).is_some_and(|end| *end >= at) {
            let rest = lines.get(at..).unwrap_or_default();
            let ends =
                |line: &&str| Call::whole(line).is_some_and(|other| other.is_end && other.name == call.name);
            if let Some(length) = rest.iter().position(ends) {
                let inside = rest.get(..length).unwrap_or_default();
                let mut listing = call.listing(inside);
                if is_tab {
                    let title = call.get(&["header", "title", "name"]).or_else(|| call.positional(0));
                    listing = format!(
                        "{}{listing}\n{{% endtab %}}\n",
                        callout::tab_begin(title.unwrap_or_default())
                    );
                }
                push_indented(&mut out, &listing, indent(line));
                at += length + 1;
                continue;
            }
        }
        match translator.block(&call, left) {
            Some(block) => push_indented(&mut out, &block, indent(line)),
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// Returns a text in which a shortcode of several lines takes one.
fn single_lines(text: &str) -> Cow<'_, str> {
    let is_open = |line: &str| {
        let mark = ["{{<", "{{%"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        mark.is_some_and(|_| !line.contains("}}") && !line.contains('`'))
    };
    if !text.lines().any(is_open) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        out.push_str(line);
        at += 1;
        if is_open(line) && !is_code.get(at - 1).copied().unwrap_or_default() {
            let rest = lines.get(at..).unwrap_or_default().iter().take(MAX_STATEMENT_LINES);
            let length = rest.clone().position(|line| line.contains("}}")).map_or(0, |last| last + 1);
            for line in rest.take(length) {
                out.push(' ');
                out.push_str(line.trim());
            }
            at += length;
        }
        out.push('\n');
    }
    Cow::Owned(out)
}

/// Returns a text of a generator that runs templates: without statements, bodies of loops and expressions.
pub(super) fn without_templates(text: &str, left: &mut Left) -> String {
    if !text.contains("{%") {
        return without_expressions(text, left);
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    let (mut loops, mut is_raw, mut at) = (0_usize, false, 0);
    while let Some(line) = lines.get(at) {
        let from = at;
        at += 1;
        if is_code.get(from).copied().unwrap_or_default() {
            if loops == 0 {
                out.push_str(line);
                out.push('\n');
            }
            continue;
        }
        let (logical, taken) = logical_line(lines.get(from..).unwrap_or_default());
        at = from + taken;
        let mut rest = logical.as_str();
        let mut kept = String::new();
        while let Some((before, behind)) = rest.split_once("{%") {
            let Some((statement, after)) = behind.split_once("%}") else { break };
            let name = statement.trim_matches(['-', ' ']).split_whitespace().next().unwrap_or_default();
            if loops == 0 {
                kept.push_str(&if is_raw { before.to_owned() } else { expressions(before, left) });
            }
            match name {
                "raw" | "endraw" => is_raw = name == "raw",
                "for" => loops += 1,
                "endfor" => loops = loops.saturating_sub(1),
                name if !name.starts_with("end") => left.add(&format!("{{% {name} %}}")),
                _ => {}
            }
            if name == "for" {
                left.add("{% for %}");
            }
            rest = after;
        }
        if loops == 0 {
            kept.push_str(&if is_raw { rest.to_owned() } else { expressions(rest, left) });
        }
        if !kept.trim().is_empty() || line.trim().is_empty() {
            out.push_str(&kept);
            out.push('\n');
        }
    }
    out
}

/// Returns the first of these lines, with those in which its last statement ends, and their number.
fn logical_line(lines: &[&str]) -> (String, usize) {
    let first = lines.first().copied().unwrap_or_default();
    let is_open =
        |text: &str| text.rfind("{%").is_some_and(|open| text.rfind("%}").is_none_or(|end| end < open));
    let mut logical = first.to_owned();
    for (count, line) in (1..).zip(lines.iter().skip(1).take(MAX_STATEMENT_LINES)) {
        if !is_open(&logical) {
            return (logical, count);
        }
        logical.push(' ');
        logical.push_str(line.trim());
    }
    if is_open(&logical) {
        (first.to_owned(), 1)
    } else {
        (logical, lines.len().min(MAX_STATEMENT_LINES + 1))
    }
}

/// Returns a text without expressions between double braces, which only the generator can evaluate.
pub(super) fn without_expressions(text: &str, left: &mut Left) -> String {
    if !text.contains("{{") {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let line = |(line, is_code): (&&str, bool)| {
        let line = if is_code { (*line).to_owned() } else { expressions(line, left) };
        format!("{line}\n")
    };
    lines.iter().zip(is_code).map(line).collect()
}

/// Returns a line without expressions.
pub(super) fn expressions(line: &str, left: &mut Left) -> String {
    if !line.contains("{{") {
        return line.to_owned();
    }
    outside_code(line, |piece, out| {
        out.push_str(&replace_between(piece, "{{", "}}", |inside| {
            let words = inside.trim().trim_matches('-').trim();
            let name: String = words.chars().take_while(|c| !c.is_whitespace() && *c != '|').collect();
            left.add(&format!("{{{{ {name} }}}}"));
            Some(String::new())
        }));
    })
}

/// Returns true for a line that only gives attributes to a block: `{: .note }`.
fn is_attribute_list(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("{:") && line.ends_with('}') && !line.get(2..).unwrap_or_default().contains(['{', '\n'])
}

/// A shortcode or tag.
#[derive(Debug)]
struct Call<'t> {
    name: &'t str,
    is_end: bool,
    is_hugo: bool,
    /// True between `{{<` and `>}}`, whose content the generator doesn't read as Markdown.
    is_verbatim: bool,
    /// Keys, empty for values without one, and values.
    values: Vec<(&'t str, &'t str)>,
    /// The text behind it.
    after: &'t str,
}

impl<'t> Call<'t> {
    /// Reads the call at the start of a text.
    fn read(text: &'t str) -> Option<Self> {
        let pairs = [("{{<", ">}}", true), ("{{%", "%}}", true), ("{%", "%}", false)];
        let (open, close, is_hugo) = pairs.into_iter().find(|(open, ..)| text.starts_with(open))?;
        let (inside, after) = text.get(open.len()..)?.split_once(close)?;
        let inside = inside.trim().trim_matches('-').trim();
        let inside = inside.strip_suffix('/').unwrap_or(inside).trim_end();
        let (inside, is_end) = match inside.strip_prefix(if is_hugo { "/" } else { "end" }) {
            Some(name) => (name.trim_start(), true),
            None => (inside, false),
        };
        let end = inside.find(char::is_whitespace).unwrap_or(inside.len());
        let (name, rest) = inside.split_at_checked(end)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.');
        let is_call = !name.is_empty() && name.chars().all(is_name);
        is_call.then(|| Self {
            name,
            is_end,
            is_hugo,
            is_verbatim: open == "{{<",
            values: values(rest),
            after,
        })
    }

    /// Reads a call that has a line for itself. Tags that Markdown reads are none.
    fn whole(line: &'t str) -> Option<Self> {
        let line = line.trim();
        if !line.starts_with('{')
            || line.len() > MAX_CALL_BYTES
            || starts_with_block_tag(line) && !includes_a_template(line)
        {
            return None;
        }
        Self::read(line).filter(|call| call.after.trim().is_empty())
    }

    fn get(&self, names: &[&str]) -> Option<&'t str> {
        names.iter().find_map(|name| self.values.iter().find(|(key, _)| key == name).map(|(_, value)| *value))
    }

    /// Returns a value without a key.
    fn positional(&self, index: usize) -> Option<&'t str> {
        self.values.iter().filter(|(key, _)| key.is_empty()).nth(index).map(|(_, value)| *value)
    }

    /// Returns the listing of lines in a call.
    fn listing(&self, lines: &[&str]) -> String {
        let language = self.get(&["lang", "language"]).or_else(|| self.positional(0)).unwrap_or_default();
        let text = lines.join("\n");
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat((longest + 1).max(3));
        format!("{fence}{language}\n{text}\n{fence}\n")
    }
}

/// Returns true for a tag of Jekyll that includes a template. In our own Markdown, the name of a content is in quotes.
fn includes_a_template(line: &str) -> bool {
    let inside = line.strip_prefix("{%").map(|inside| inside.trim_start_matches('-').trim_start());
    let name = inside.and_then(|inside| inside.strip_prefix("include")).unwrap_or_default();
    name.starts_with(' ') && name.trim_start().starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the values behind a name: words, quoted texts, and either behind a key.
fn values(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '"' | '\'' | '`'));
        let (key, behind) = match end.and_then(|end| rest.split_at_checked(end)) {
            Some((key, behind)) if behind.starts_with('=') => (key, behind.get(1..).unwrap_or_default()),
            _ => ("", rest),
        };
        let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'));
        let quoted = quote.and_then(|quote| behind.get(1..)?.split_once(quote));
        let (value, after) = quoted.unwrap_or_else(|| {
            behind
                .split_at_checked(behind.find(char::is_whitespace).unwrap_or(behind.len()))
                .unwrap_or((behind, ""))
        });
        found.push((key, value));
        rest = after.trim_start();
    }
    found
}

struct Translator<'t> {
    /// Names of calls that end in the text, with the line of the last end.
    ends: BTreeMap<&'t str, usize>,
    /// True in a sample of an API method of the former GitBook.
    has_sample: bool,
    /// True in tabs of Docsy whose content is code.
    shows_listings: bool,
}

impl<'t> Translator<'t> {
    /// Returns whether the content of a tab is code: Docsy's `{{< tab lang="sh" >}}`.
    fn has_listings(&self, tab: &Call<'t>) -> bool {
        tab.is_verbatim && self.shows_listings && tab.get(&["text", "disabled", "right"]) != Some("true")
    }

    /// Returns the translation of a call on a line of its own; `None` to keep it as text.
    fn block(&mut self, call: &Call<'t>, left: &mut Left) -> Option<String> {
        let is_pair = self.ends.contains_key(call.name);
        let pair = |begin: String, end: &str| if call.is_end { end.to_owned() } else { begin };
        let title = call.get(&["title", "header", "name", "label", "summary"]);
        let first = call.positional(0).unwrap_or_default();
        Some(match call.name {
            "method" if is_pair => {
                let end = if std::mem::take(&mut self.has_sample) { SAMPLES_END } else { "" };
                format!("{}\n", if call.is_end { end } else { "" })
            }
            "sample" if !call.is_hugo => {
                let language = call.get(&["lang"]).unwrap_or(first);
                let begin = callout::tab_begin(if language.is_empty() { "Sample" } else { language });
                let before = if std::mem::replace(&mut self.has_sample, true) {
                    "{% endtab %}\n"
                } else {
                    "{% tabs %}\n"
                };
                format!("{before}\n{begin}")
            }
            "common" if !call.is_hugo => {
                let end = if std::mem::take(&mut self.has_sample) { SAMPLES_END } else { "" };
                format!("{end}\n")
            }
            "raw" if !call.is_hugo => "\n".to_owned(),
            "figure" | "image" | "img" if call.is_hugo => {
                let source = call.get(&["src", "link"]).unwrap_or(first);
                let text = call.get(&["alt", "caption", "title"]).unwrap_or_default();
                format!("![{}](<{source}>)\n", escaped(text))
            }
            "youtube" if call.is_hugo => {
                let id = call.get(&["id"]).unwrap_or(first);
                format!("{{% embed url=\"https://www.youtube.com/watch?v={}\" %}}\n", callout::value(id))
            }
            "vimeo" if call.is_hugo => {
                let id = call.get(&["id"]).unwrap_or(first);
                format!("{{% embed url=\"https://vimeo.com/{}\" %}}\n", callout::value(id))
            }
            "button" if call.is_hugo && !is_pair => format!("{}\n", button(call)?),
            "tab" if call.get(&["disabled"]) == Some("true") => "\n".to_owned(),
            "tabs" | "tabpane" if call.is_hugo && is_pair => {
                let is_code =
                    call.name == "tabpane" && call.is_verbatim && call.get(&["text"]) != Some("true");
                self.shows_listings = is_code && !call.is_end;
                pair("{% tabs %}\n".to_owned(), "{% endtabs %}\n")
            }
            "tab" if call.is_hugo && is_pair => {
                pair(callout::tab_begin(title.unwrap_or(first)), "\n{% endtab %}\n")
            }
            "details" | "expand" | "collapse" | "accordion" if call.is_hugo && is_pair => {
                let words = title.filter(|title| !title.is_empty()).unwrap_or(first);
                let words = if words.is_empty() { "Details" } else { words };
                pair(callout::details_begin(&escape(words), false), "\n</details>\n\n")
            }
            name if call.is_hugo && is_pair => {
                let kind = call.get(&["type", "color", "kind", "style"]);
                let names = [Some(name), kind, Some(first)];
                let is_generic =
                    matches!(name, "notice" | "alert" | "callout" | "admonition" | "hint" | "panel");
                let style =
                    names.into_iter().flatten().skip(usize::from(is_generic)).find_map(callout::style);
                match style.or(is_generic.then_some("info")) {
                    Some(style) => {
                        let title = title.or_else(|| call.positional(1)).unwrap_or_default();
                        pair(callout::hint_begin(style, title), "{% endhint %}\n")
                    }
                    None => self.dropped(call, left),
                }
            }
            _ if call.is_hugo => self.dropped(call, left),
            name if STATEMENTS.contains(&name) => self.dropped(call, left),
            _ => return None,
        })
    }

    /// Reports a call whose content stays.
    fn dropped(&self, call: &Call<'_>, left: &mut Left) -> String {
        if !call.is_end {
            let (open, close) = if call.is_hugo { ("{{<", ">}}") } else { ("{%", "%}") };
            left.add(&format!("{open} {} {close}", call.name));
        }
        "\n".to_owned()
    }
}

/// End of the samples of an API method.
const SAMPLES_END: &str = "\n{% endtab %}\n{% endtabs %}\n";

/// Returns a line with its shortcodes and tags as Markdown.
fn in_line(line: &str, left: &mut Left) -> String {
    if !line.contains("{%") && !line.contains("{{") {
        return line.to_owned();
    }
    outside_code(line, |piece, out| {
        let mut rest = piece;
        while let Some(at) = rest.find('{') {
            let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            out.push_str(before);
            let window = from.get(..from.floor_char_boundary(MAX_CALL_BYTES)).unwrap_or_default();
            let is_mark = window.starts_with("{{") || window.starts_with("{%");
            let call = if is_mark && !starts_with_block_tag(window) { Call::read(window) } else { None };
            let read = call.and_then(|call| Some((inline_call(&call, left)?, call.after.len())));
            let read = read.or_else(|| variable(window).map(|(text, after)| (text, after.len())));
            match read {
                Some((text, after)) => {
                    out.push_str(&text);
                    rest = from.get(window.len() - after..).unwrap_or_default();
                }
                None => {
                    let marks = if is_mark { 2 } else { 1 };
                    out.push_str(from.get(..marks).unwrap_or_default());
                    rest = from.get(marks..).unwrap_or_default();
                }
            }
        }
        out.push_str(rest);
    })
}

/// Returns the text of a call in a line; `None` to keep it as written.
fn inline_call(call: &Call<'_>, left: &mut Left) -> Option<String> {
    let first = call.positional(0).unwrap_or_default();
    match call.name {
        "ref" | "relref" if call.is_hugo => Some(call.get(&["path"]).unwrap_or(first).to_owned()),
        "link" | "post_url" if !call.is_hugo => Some(first.to_owned()),
        "em" | "raw" if !call.is_hugo => Some(String::new()),
        "button" if call.is_hugo && !call.is_end => button(call),
        "kbd" if call.is_hugo => Some(format!("<kbd>{}</kbd>", escape(first))),
        name if call.is_hugo => {
            if !call.is_end {
                left.add(&format!("{{{{< {name} >}}}}"));
            }
            Some(String::new())
        }
        _ => None,
    }
}

fn button(call: &Call<'_>) -> Option<String> {
    let address = call.get(&["href", "url", "link", "relref"])?;
    let text = call.get(&["text", "label", "title"]).unwrap_or(address);
    Some(format!("[{}](<{address}>)", escaped(text)))
}

/// Returns the text of an expression of Jekyll that makes addresses, and the text behind it.
fn variable(text: &str) -> Option<(String, &str)> {
    let (inside, after) = text.strip_prefix("{{")?.split_once("}}")?;
    let inside = inside.trim();
    if matches!(inside, "site.baseurl" | "site.url") {
        return Some((String::new(), after));
    }
    let (path, filter) = inside.split_once('|')?;
    let path = callout::unquoted(path)?;
    matches!(filter.trim(), "relative_url" | "absolute_url").then(|| (path.to_owned(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(text: &str) -> (String, Vec<String>) {
        let mut left = Left::default();
        let text = templates(text, &mut left);
        (text, left.0.into_iter().collect())
    }

    #[test]
    fn shortcodes_become_blocks() {
        for (text, expected) in [
            ("{{< youtube abc_1 >}}\n", "{% embed url=\"https://www.youtube.com/watch?v=abc_1\" %}\n"),
            (
                "{{% notice warning \"Mind\" %}}\nThe *gap*.\n{{% /notice %}}\n",
                "{% hint style=\"warning\" %}\n**Mind**\n\nThe *gap*.\n{% endhint %}\n",
            ),
            (
                "{{< tabs >}}\n{{% tab name=\"A\" %}}\na\n{{% /tab %}}\n{{< /tabs >}}\n",
                "{% tabs %}\n{% tab title=\"A\" %}\na\n\n{% endtab %}\n{% endtabs %}\n",
            ),
            (
                "{{< tabpane >}}\n{{< tab header=\"Shells:\" disabled=true />}}\n{{< tab header=\"A\" lang=\"sh\" >}}\n# x\n{{< /tab >}}\n{{< /tabpane >}}\n",
                "{% tabs %}\n\n{% tab title=\"A\" %}\n```sh\n# x\n```\n\n{% endtab %}\n{% endtabs %}\n",
            ),
            ("{{< figure\n  src=\"a.png\"\n  alt=\"A\"\n>}}\n", "![A](<a.png>)\n"),
            ("{{< highlight go >}}\n    x\n{{< /highlight >}}\n", "```go\n    x\n```\n"),
            ("{% highlight ruby linenos %}\n# x\n{% endhighlight %}\n", "```ruby\n# x\n```\n"),
            (
                "[a]({{< ref \"b.md\" >}}) [c]({% link d.md %}) [e]({{ '/f' | relative_url }})\n",
                "[a](b.md) [c](d.md) [e](/f)\n",
            ),
            ("{{< button text=\"Go\" url=\"https://x.y\" >}}\n", "[Go](<https://x.y>)\n"),
            ("{{< figure src=\"a b.png\" caption=\"C\" >}}\n", "![C](<a b.png>)\n"),
            ("```\n{{< x >}}\n```\n`{{< x >}}`\n", "```\n{{< x >}}\n```\n`{{< x >}}`\n"),
        ] {
            assert_eq!(translated(text), (expected.to_owned(), Vec::new()), "{text}");
        }
    }

    #[test]
    fn calls_without_an_equivalent_are_dropped_and_named() {
        let (text, left) = translated(
            "{{< copyable \"sql\" >}}\n\n{% include nav.html %}\n\na {{< icon x >}} b\n{: .note }\nText {% block %} here.\n",
        );
        assert_eq!(text, "\n\n\n\na  b\n\nText {% block %} here.\n");
        assert_eq!(left, ["{% include %}", "{: .note }", "{{< copyable >}}", "{{< icon >}}"]);
    }

    #[test]
    fn methods_of_the_former_gitbook_become_tabs() {
        let source = "{% method %}\nText.\n{% sample lang=\"js\" %}\n```js\na\n```\n{% sample lang=\"go\" %}\nb\n{% common %}\nEnd.\n{% endmethod %}\n";
        let expected = "\nText.\n{% tabs %}\n\n{% tab title=\"js\" %}\n```js\na\n```\n{% endtab %}\n\n{% tab title=\"go\" %}\nb\n\n{% endtab %}\n{% endtabs %}\n\nEnd.\n\n";
        assert_eq!(translated(source), (expected.to_owned(), Vec::new()));
    }

    #[test]
    fn templates_that_run_are_dropped() {
        let mut left = Left::default();
        let source = "{% if a %}\nShown {{ x.y }}.\n{% endif %}\n{% for a in b %}\n* {{ a }}\n{% endfor %}\n{% raw %}{{ kept }}{% endraw %}\n`{{ code }}`\n{%\n  include-markdown \"x.md\"\n%}\nEnd {% open\n";
        assert_eq!(without_templates(source, &mut left), "Shown .\n{{ kept }}\n`{{ code }}`\nEnd {% open\n");
        let left: Vec<String> = left.0.into_iter().collect();
        assert_eq!(left, ["{% for %}", "{% if %}", "{% include-markdown %}", "{{ x.y }}"]);
    }
}
