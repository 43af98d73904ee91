//! Template languages in Markdown: shortcodes of Hugo, tags of Liquid (Jekyll) and Nunjucks (GitBook before 2018), and
//! expressions between double braces.

mod call;
mod lines;
mod run;

use std::borrow::Cow;
use std::collections::BTreeMap;

use self::call::{Call, MAX_CALL_BYTES};
use self::lines::{CALL_OUTS, aligned, single_lines, with_whole_expressions};
pub(super) use self::run::{expressions, without_expressions, without_templates};
use super::code::code_lines;
use super::inline::{behind_dropped, outside_code, replace_between};
use super::{Left, callout, indent, push_indented};
use crate::markdown::{escaped, starts_with_block_tag};
use crate::markdown_html::escape;

/// Tags of Liquid and Nunjucks that are dropped on a line of their own. Other tags may be text about templates.
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

/// Maximum bytes of an expression that generates an address.
const MAX_VARIABLE_BYTES: usize = 300;

/// Converts shortcodes and tags to Markdown. Calls without an equivalent are dropped if they are alone on a line, and
/// otherwise kept as text.
pub(super) fn templates(text: &str, left: &mut Left) -> String {
    if !["{{", "{%", "{:"].iter().any(|mark| text.contains(mark)) {
        return text.to_owned();
    }
    let text = single_lines(text);
    let text = &*aligned(&text);
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let prose = lines.iter().enumerate().zip(&is_code).filter(|(_, is_code)| !**is_code);
    let calls = prose.map(|((at, line), _)| (at, *line));
    let ends = calls.filter_map(|(at, line)| Some((Call::whole(line)?, at))).filter(|(call, _)| call.is_end);
    let ends: BTreeMap<&str, usize> = ends.map(|(call, at)| (call.name, at)).collect();
    let mut translator =
        Translator { ends, hints: BTreeMap::new(), has_sample: false, shows_listings: false };
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
                line if is_attributes => attributes(line, &mut out, left),
                line => out.push_str(&in_line(line, left)),
            }
            out.push('\n');
            continue;
        };
        let is_tab = call.name == "tab" && translator.has_listings(&call);
        let is_listing = (call.has_listing() || is_tab) && !call.is_end;
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

/// Sets the id of an attribute list on the heading at the end of `out`. Other attributes are dropped and reported.
/// Quote markers are kept.
fn attributes(line: &str, out: &mut String, left: &mut Left) {
    let (quote, line) = line.split_at_checked(line.len() - unquoted(line).len()).unwrap_or(("", line));
    let last = out.trim_end_matches('\n').rsplit('\n').next().unwrap_or_default();
    let is_heading = last.starts_with('#') && out.ends_with(&format!("{last}\n")) && !last.ends_with('}');
    let words = line.trim().trim_start_matches("{:").trim_end_matches('}').split_whitespace();
    let id = words.clone().find(|word| word.starts_with('#')).filter(|_| is_heading);
    if let Some(id) = id {
        out.pop();
        out.push_str(&format!(" {{{id}}}\n"));
    }
    if id.is_none() || words.count() > 1 {
        left.add(line);
    }
    out.push_str(quote.trim_end());
}

/// Removes the quote markers at the start of a line.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(['>', ' '])
}

/// Returns whether a line only sets attributes of a block: `{: .note }`.
fn is_attribute_list(line: &str) -> bool {
    let line = unquoted(line).trim();
    line.starts_with("{:") && line.ends_with('}') && !line.get(2..).unwrap_or_default().contains(['{', '\n'])
}

struct Translator<'t> {
    /// Names of calls that have an end in the text, with the line of the last end.
    ends: BTreeMap<&'t str, usize>,
    /// For each name, whether the open calls are hints. An end tag does not repeat the kind.
    hints: BTreeMap<&'t str, Vec<bool>>,
    /// The position is in a sample of an API method in GitBook's former syntax.
    has_sample: bool,
    /// The position is in Docsy's tabs whose content is code.
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
            // Also a tag of GitBook before 2019.
            "figure" | "image" | "img" if call.is_hugo || call.get(&["src"]).is_some() => {
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
                let is_generic = CALL_OUTS.contains(&name);
                let style =
                    names.into_iter().flatten().skip(usize::from(is_generic)).find_map(callout::style);
                let style = style.or(is_generic.then_some("info"));
                let open = self.hints.entry(name).or_default();
                if call.is_end {
                    let is_hint = open.pop().unwrap_or(style.is_some());
                    return Some(if is_hint { "{% endhint %}\n" } else { "\n" }.to_owned());
                }
                open.push(style.is_some());
                match style {
                    Some(style) => {
                        let title = title.or_else(|| call.positional(1)).unwrap_or_default();
                        callout::hint_begin(style, title)
                    }
                    None => self.dropped(call, left),
                }
            }
            _ if call.is_hugo => self.dropped(call, left),
            name if STATEMENTS.contains(&name) => self.dropped(call, left),
            _ => return None,
        })
    }

    /// Drops a call, keeps its content, and reports it.
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
    if !["{%", "{{", "{:"].iter().any(|mark| line.contains(mark)) {
        return line.to_owned();
    }
    outside_code(line, |piece, out| {
        let piece = &*without_attributes(piece, left);
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
                    if text.is_empty() {
                        rest = behind_dropped(out, rest);
                    }
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

/// Removes the attribute lists after links and images: `[Go](a.md){: .btn }`.
fn without_attributes<'t>(piece: &'t str, left: &mut Left) -> Cow<'t, str> {
    let mut text = Cow::Borrowed(piece);
    // A link ends with its address or with the name of its definition.
    for (mark, end) in [("){:", ")"), ("]{:", "]")] {
        if text.contains(mark) {
            text = Cow::Owned(replace_between(&text, mark, "}", |inside| {
                let is_list =
                    inside.split_whitespace().all(|word| word.starts_with(['.', '#']) || word.contains('='));
                left.add(&format!("{{:{inside}}}"));
                is_list.then(|| end.to_owned())
            }));
        }
    }
    text
}

/// Returns the text of a call in a line; `None` to keep it as written.
fn inline_call(call: &Call<'_>, left: &mut Left) -> Option<String> {
    let first = call.positional(0).unwrap_or_default();
    match call.name {
        "ref" | "relref" if call.is_hugo => Some(call.get(&["path"]).unwrap_or(first).to_owned()),
        // Paths of files are relative to the root of the site.
        "link" if !call.is_hugo => Some(format!("/{}", first.trim_start_matches('/'))),
        "post_url" if !call.is_hugo => Some(first.to_owned()),
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

/// Returns the address that a Jekyll expression generates, and the text after the expression.
fn variable(text: &str) -> Option<(String, &str)> {
    let window = text.get(..text.floor_char_boundary(MAX_VARIABLE_BYTES))?;
    let (inside, _) = window.strip_prefix("{{")?.split_once("}}")?;
    Some((address(inside)?, text.get(inside.len() + 4..)?))
}

/// Returns the address that a Jekyll expression generates.
fn address(expression: &str) -> Option<String> {
    let expression = expression.trim();
    if matches!(expression, "site.baseurl" | "site.url") {
        return Some(String::new());
    }
    let (path, filter) = expression.split_once('|')?;
    let path = callout::unquoted(path)?;
    matches!(filter.trim(), "relative_url" | "absolute_url" | "prepend: site.baseurl")
        .then(|| path.to_owned())
}

/// Removes statements and expressions that only Jekyll can evaluate. Those that [`templates`] translates are kept.
pub(super) fn without_liquid(text: &str, left: &mut Left) -> String {
    let keeps = |inside: &str| {
        let name = inside.split_whitespace().next().unwrap_or_default();
        matches!(name, "highlight" | "endhighlight" | "link" | "post_url") || address(inside).is_some()
    };
    without_templates(&with_whole_expressions(text), &keeps, left)
}

#[cfg(test)]
mod tests;
