//! Rules of kramdown, and call-outs of Jekyll's theme *Just the Docs*: `{: .note }` before or after a paragraph or a
//! quote (<https://just-the-docs.com/docs/ui-components/callouts/>).

use super::callout;
use super::code::code_lines;
use crate::limits::markdown::MAX_DIALECT_DEPTH;

/// Class names that are call-outs by default. Other class names may have any meaning.
const KNOWN: [&str; 8] = ["note", "tip", "info", "important", "warning", "caution", "danger", "error"];

/// Kind of call-out declared in the settings of a site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CalloutKind {
    /// The class name.
    pub name: String,
    /// The title; empty for none.
    pub title: String,
    /// The color: `red`, `yellow`, `green`, `blue`, `purple` or a shade of grey.
    pub color: String,
}

impl CalloutKind {
    /// Returns the style of the hint, derived from the name, otherwise from the color.
    fn style(&self) -> &'static str {
        let of_color = || match self.color.split('-').next().unwrap_or_default() {
            "red" => "danger",
            "yellow" => "warning",
            "green" => "success",
            _ => "info",
        };
        callout::style(&self.name).unwrap_or_else(of_color)
    }
}

/// Call-out specified by an attribute list.
struct Found<'k> {
    style: &'static str,
    title: &'k str,
    /// True if the first paragraph of the quote is the title.
    has_title: bool,
}

/// Adds a blank line after the end tag of each HTML block, where it ends in kramdown. In CommonMark it ends at a blank
/// line.
pub(super) fn with_ends_of_html(text: &str) -> String {
    const BLOCKS: [&str; 8] =
        ["</div>", "</details>", "</section>", "</figure>", "</table>", "</dl>", "</ul>", "</p>"];
    if !text.contains("</") {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    for ((at, line), is_code) in lines.iter().enumerate().zip(code_lines(&lines)) {
        if !is_code && is_inline_tag(line.trim()) {
            // An inline element begins a paragraph.
            out.push_str(line.trim_end());
            continue;
        }
        out.push_str(line);
        out.push('\n');
        let next = lines.get(at + 1).map(|next| next.trim()).unwrap_or_default();
        let is_text = !next.is_empty() && !next.starts_with('<');
        if is_text && !is_code && BLOCKS.contains(&line.trim()) {
            out.push('\n');
        }
    }
    out
}

/// Returns whether a line consists of the start tag of an inline element.
fn is_inline_tag(line: &str) -> bool {
    const NAMES: [&str; 9] = ["span", "em", "strong", "small", "b", "i", "u", "sub", "sup"];
    let tag = line.strip_prefix('<').and_then(|tag| tag.strip_suffix('>'));
    tag.is_some_and(|tag| {
        !tag.contains(['<', '>']) && NAMES.contains(&tag.split(' ').next().unwrap_or_default())
    })
}

/// Converts call-outs to hints. Attribute lists without a call-out are kept.
pub(super) fn callouts(text: &str, kinds: &[CalloutKind]) -> String {
    nested_callouts(text, kinds, 0)
}

fn nested_callouts(text: &str, kinds: &[CalloutKind], depth: usize) -> String {
    if !text.contains("{:") {
        return text.to_owned();
    }
    let quotes = in_quotes(text, kinds, depth);
    let text = quotes.as_deref().unwrap_or(text);
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let is_prose = |at: usize| is_code.get(at).is_some_and(|is_code| !is_code);
    let is_text = |at: usize| is_prose(at) && lines.get(at).is_some_and(|line| is_paragraph(line));
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    // Number of lines at the end of `out` that belong to the last paragraph or quote.
    let mut before = 0;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let found = if is_prose(at) { found(line, kinds) } else { None };
        if let Some(found) = found {
            let length = (at + 1..).take_while(|next| is_text(*next)).count();
            let after = lines.get(at + 1..at + 1 + length).unwrap_or_default();
            // An attribute list directly after a block belongs to the block.
            if before > 0 {
                let block = out.split_off(out.len().saturating_sub(before));
                let block: Vec<&str> = block.iter().map(String::as_str).collect();
                out.push(hint(&found, &block));
                before = 0;
                at += 1;
                continue;
            }
            if !after.is_empty() {
                out.push(hint(&found, after));
                at += 1 + length;
                continue;
            }
        }
        before = if is_text(at) { before + 1 } else { 0 };
        out.push((*line).to_owned());
        at += 1;
    }
    let mut text = out.join("\n");
    text.push('\n');
    text
}

/// Converts the call-outs in the quotes of a text to hints; `None` if there are none.
fn in_quotes(text: &str, kinds: &[CalloutKind], depth: usize) -> Option<String> {
    let begins = |line: &str| line.starts_with('>');
    let has_list = |line: &str| begins(line) && line.trim_start_matches(['>', ' ']).starts_with("{:");
    if depth >= MAX_DIALECT_DEPTH || !text.lines().any(has_list) {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let is_prose = |at: usize| is_code.get(at).is_some_and(|is_code| !is_code);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if !begins(line) {
            out.push_str(line);
            out.push('\n');
            at += 1;
            continue;
        }
        // Lazy continuation lines of a paragraph in the quote have no `>`.
        let continues = |next: &usize| {
            lines.get(*next).is_some_and(|line| begins(line) || is_prose(*next) && is_paragraph(line))
        };
        let length = (at..).take_while(continues).count();
        let quote = lines.get(at..at + length).unwrap_or_default();
        let inner = |line: &&str| {
            let rest = line.strip_prefix('>').map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
            rest.unwrap_or_else(|| line.trim_start()).to_owned() + "\n"
        };
        if quote.iter().any(|line| has_list(line)) {
            let inner: String = quote.iter().map(inner).collect();
            for line in nested_callouts(&inner, kinds, depth + 1).lines() {
                out.push_str(format!("> {line}").trim_end());
                out.push('\n');
            }
        } else {
            quote.iter().for_each(|line| out.extend([line, "\n"]));
        }
        at += length;
    }
    Some(out)
}

/// Returns the call-out of a line that is a list of attributes: `{: .note }`, `{: .note-title }`.
fn found<'k>(line: &str, kinds: &'k [CalloutKind]) -> Option<Found<'k>> {
    let inside = line.strip_prefix("{:")?.trim_end().strip_suffix('}')?;
    let mut classes = inside.split_whitespace().filter_map(|word| word.strip_prefix('.'));
    classes.find_map(|class| {
        let plain = class.strip_suffix("-title");
        let kind = |name: &str| kinds.iter().find(|kind| kind.name == name);
        if let Some(kind) = kind(class) {
            return Some(Found { style: kind.style(), title: &kind.title, has_title: false });
        }
        if let Some(kind) = plain.and_then(kind) {
            return Some(Found { style: kind.style(), title: "", has_title: true });
        }
        let name = plain.unwrap_or(class);
        let style = KNOWN.contains(&name).then(|| callout::style(name)).flatten()?;
        Some(Found { style, title: "", has_title: plain.is_some() })
    })
}

/// Returns whether a line is text of a paragraph or of a quote.
fn is_paragraph(line: &str) -> bool {
    let is_item = line.strip_prefix(['-', '*', '+']).is_some_and(|rest| rest.starts_with(' '));
    !line.trim().is_empty()
        && !line.starts_with(['#', '|', '<', '\t'])
        && !line.starts_with("    ")
        && !line.starts_with("{:")
        && !line.starts_with("{%")
        && !is_item
}

/// Returns a hint with the lines of a paragraph or of a quote.
fn hint(found: &Found<'_>, lines: &[&str]) -> String {
    let is_quote = lines.first().is_some_and(|line| line.starts_with('>'));
    let unquoted = |line: &&str| {
        let text =
            line.strip_prefix('>').filter(|_| is_quote).map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
        text.unwrap_or(line).to_owned()
    };
    let lines: Vec<String> = lines.iter().map(unquoted).collect();
    let length = lines.iter().take_while(|line| !line.trim().is_empty()).count();
    let length = if found.has_title { length } else { 0 };
    let (title, content) = lines.split_at_checked(length).unwrap_or((&[], &lines));
    let title = if found.has_title { title.join(" ") } else { found.title.to_owned() };
    let hint = callout::hint(found.style, &title, &content.join("\n"));
    format!("\n{}\n", hint.trim_end())
}

#[cfg(test)]
mod tests {
    use super::{CalloutKind, callouts, with_ends_of_html};

    fn kind(name: &str, title: &str, color: &str) -> CalloutKind {
        CalloutKind { name: name.to_owned(), title: title.to_owned(), color: color.to_owned() }
    }

    #[test]
    fn blocks_of_html_end_with_their_end_tag() {
        for (text, expected) in [
            ("<div>\na\n</div>\n```js\nb\n```\n", "<div>\na\n</div>\n\n```js\nb\n```\n"),
            ("<div>\n<p>\na\n</p>\n</div>\n\nb\n", "<div>\n<p>\na\n</p>\n</div>\n\nb\n"),
            ("```\n</div>\nb\n```\n", "```\n</div>\nb\n```\n"),
            ("<span class=\"x\">\n*a*\n</span>\n", "<span class=\"x\">*a*\n</span>\n"),
        ] {
            assert_eq!(with_ends_of_html(text), expected);
        }
    }

    #[test]
    fn call_outs_in_quotes_are_hints() {
        for (text, expected) in [
            (
                "> {: .warning }\n  A *b*\n\nc\n",
                ">\n> {% hint style=\"warning\" %}\n> A *b*\n> {% endhint %}\n>\n\nc\n",
            ),
            (
                "{: .note }\n> {: .warning }\n> a\n",
                "\n{% hint style=\"info\" %}\n{% hint style=\"warning\" %}\na\n{% endhint %}\n{% endhint %}\n\n",
            ),
            ("> ```\n> {: .note }\n> ```\n", "> ```\n> {: .note }\n> ```\n"),
        ] {
            assert_eq!(callouts(text, &[]), expected, "{text}");
        }
    }

    #[test]
    fn lists_of_attributes_of_call_outs_become_hints() {
        let kinds =
            [kind("new", "Brand new", "green"), kind("note", "Note", "purple"), kind("stop", "", "red-100")];
        for (text, expected) in [
            (
                "{: .new }\nA *b*\nc\n\nd\n",
                "\n{% hint style=\"success\" %}\n**Brand new**\n\nA *b*\nc\n{% endhint %}\n\n\nd\n",
            ),
            ("{: .note }\n> a\n>\n> b\n", "\n{% hint style=\"info\" %}\na\n\nb\n{% endhint %}\n\n"),
            ("> a\n{: .stop .x }\n", "\n{% hint style=\"danger\" %}\na\n{% endhint %}\n\n"),
            (
                "{: .note-title }\n> My *title*\n>\n> b\n",
                "\n{% hint style=\"info\" %}\n**My *title***\n\nb\n{% endhint %}\n\n",
            ),
            ("{: .warning }\na\n", "\n{% hint style=\"warning\" %}\na\n{% endhint %}\n\n"),
            ("# A\n{: .note }\n", "# A\n{: .note }\n"),
            ("a\n{: .example }\n", "a\n{: .example }\n"),
            ("```\n{: .note }\na\n```\n", "```\n{: .note }\na\n```\n"),
        ] {
            assert_eq!(callouts(text, &kinds), expected, "{text}");
        }
    }
}
