//! Docsify: paragraphs that are call-outs, ids and options in headings and links, tabs between comments
//! (<https://docsify.js.org/#/helpers>).

use super::code::code_lines;
use super::inline::outside_code;
use super::{Translated, book, callout, push_indented, translated};

/// Paragraphs that are call-outs, with their styles.
const CALLOUTS: [(&str, &str); 2] = [("!> ", "warning"), ("?> ", "info")];

/// Marks of headings that are missing in the navigation.
const IGNORED: [&str; 4] = [
    "<!-- {docsify-ignore} -->",
    "<!-- {docsify-ignore-all} -->",
    "{docsify-ignore}",
    "{docsify-ignore-all}",
];

/// Translates a page of Docsify, like [`book`].
///
/// ```
/// let page = quire_markup::dialects::docsify("!> Mind the *gap*.\n\n## Trains :id=all\n");
/// assert_eq!(
///     page.text,
///     "{% hint style=\"warning\" %}\nMind the *gap*.\n{% endhint %}\n\n## Trains {#all}\n"
/// );
/// let page = quire_markup::dialects::docsify("[Next](next.md ':target=_self')\n");
/// assert_eq!(page.text, "[Next](next.md)\n");
/// ```
#[must_use]
pub fn docsify(text: &str) -> Translated {
    let own = translated(text, |body, _| with_blocks(body));
    book(&own.text)
}

fn with_blocks(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut page = Page::default();
    for (line, is_code) in lines.iter().zip(code_lines(&lines)) {
        if is_code {
            page.end_callout();
            page.push(line);
        } else {
            page.line(line);
        }
    }
    page.end_callout();
    page.end_tabs();
    page.out
}

#[derive(Default)]
struct Page {
    out: String,
    /// Column of the open call-out.
    callout: Option<usize>,
    has_tabs: bool,
    has_tab: bool,
}

impl Page {
    fn push(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        let found = CALLOUTS.iter().find_map(|(mark, style)| Some((trimmed.strip_prefix(mark)?, *style)));
        if found.is_some() || trimmed.is_empty() || is_comment(trimmed, "tabs:") {
            self.end_callout();
        }
        if let Some((words, style)) = found {
            let columns = super::indent(line);
            push_indented(&mut self.out, &callout::hint_begin(style, ""), columns);
            push_indented(&mut self.out, &format!("{}\n", inline(words)), columns);
            self.callout = Some(columns);
        } else if is_comment(trimmed, "tabs:start") {
            self.end_tabs();
            self.has_tabs = true;
            self.push("{% tabs %}");
        } else if is_comment(trimmed, "tabs:end") && self.has_tabs {
            self.end_tabs();
        } else if let Some(title) = tab(trimmed).filter(|_| self.has_tabs) {
            self.end_tab();
            self.out.push_str(&callout::tab_begin(title));
            self.has_tab = true;
        } else if trimmed.starts_with('#') {
            self.push(&inline(&heading(line)));
        } else {
            self.push(&inline(line));
        }
    }

    fn end_callout(&mut self) {
        if let Some(columns) = self.callout.take() {
            push_indented(&mut self.out, "{% endhint %}\n", columns);
        }
    }

    fn end_tab(&mut self) {
        if std::mem::take(&mut self.has_tab) {
            self.push("{% endtab %}");
        }
    }

    fn end_tabs(&mut self) {
        self.end_tab();
        if std::mem::take(&mut self.has_tabs) {
            self.push("{% endtabs %}");
        }
    }
}

/// Returns whether a line is a comment that begins with a mark.
fn is_comment(line: &str, mark: &str) -> bool {
    let inside = line.strip_prefix("<!--").and_then(|line| line.strip_suffix("-->"));
    inside.is_some_and(|inside| inside.trim().starts_with(mark))
}

/// Returns the title in a line that begins a tab: a bold heading, or a comment.
fn tab(line: &str) -> Option<&str> {
    if let Some(inside) = line.strip_prefix("<!--").and_then(|line| line.strip_suffix("-->")) {
        return inside.trim().strip_prefix("tab:").map(str::trim);
    }
    let title = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?.trim();
    ["**", "__"].iter().find_map(|mark| title.strip_prefix(mark)?.strip_suffix(mark))
}

/// Returns a heading with its id in braces, and without the marks of the navigation.
fn heading(line: &str) -> String {
    let mut line = line.to_owned();
    for mark in IGNORED {
        line = line.replace(mark, "").trim_end().to_owned();
    }
    match line.rsplit_once(" :id=") {
        Some((words, id)) if !id.is_empty() && !id.contains(char::is_whitespace) => {
            format!("{words} {{#{id}}}")
        }
        _ => line,
    }
}

/// Removes the options in the titles of links and images: `[words](address ':target=_blank')`.
fn inline(line: &str) -> String {
    if !["':", "\":", "](#/"].iter().any(|mark| line.contains(mark)) {
        return line.to_owned();
    }
    outside_code(line, |piece, out| {
        let mut rest = piece;
        while let Some(at) = rest.find("](") {
            let (before, behind) = rest.split_at_checked(at.saturating_add(2)).unwrap_or((rest, ""));
            out.push_str(before);
            // The script reads addresses after the number sign.
            let behind = behind.strip_prefix('#').filter(|route| route.starts_with('/')).unwrap_or(behind);
            rest = behind;
            let Some((inside, after)) = behind.split_once(')') else { break };
            if let Some(address) = without_options(inside) {
                out.push_str(address);
                out.push(')');
                rest = after;
            }
        }
        out.push_str(rest);
    })
}

fn without_options(inside: &str) -> Option<&str> {
    ['\'', '"'].iter().find_map(|quote| {
        let (address, options) = inside.trim_end().strip_suffix(*quote)?.split_once(*quote)?;
        options.starts_with(':').then(|| address.trim_end())
    })
}

#[cfg(test)]
mod tests {
    use super::docsify;

    #[track_caller]
    fn same(text: &str, expected: &str) {
        assert_eq!(docsify(text).text, expected, "{text}");
    }

    #[test]
    fn paragraphs_are_call_outs_up_to_an_empty_line() {
        same("?> One\ntwo.\n\nThree.\n", "{% hint style=\"info\" %}\nOne\ntwo.\n{% endhint %}\n\nThree.\n");
        same("- a\n\n  !> b\n", "- a\n\n  {% hint style=\"warning\" %}\n  b\n  {% endhint %}\n");
        same("```\n!> code\n```\n", "```\n!> code\n```\n");
    }

    #[test]
    fn tabs_are_between_comments() {
        let text =
            "<!-- tabs:start -->\n\n#### **A**\n\nOne.\n\n<!-- tab:B -->\n\nTwo.\n\n<!-- tabs:end -->\n";
        let expected = "{% tabs %}\n\n{% tab title=\"A\" %}\n\nOne.\n\n{% endtab %}\n{% tab title=\"B\" %}\n\nTwo.\n\n{% endtab %}\n{% endtabs %}\n";
        same(text, expected);
        same("#### **A**\n", "#### **A**\n");
    }

    #[test]
    fn options_of_links_and_headings_are_removed() {
        same(
            "![a](b.png \":size=10\") [c](d.md ':ignore :target=_blank') `[e](f ':ignore')` [g](h 'i')\n",
            "![a](b.png) [c](d.md) `[e](f ':ignore')` [g](h 'i')\n",
        );
        same("# A {docsify-ignore}\n## B <!-- {docsify-ignore-all} -->\n", "# A\n## B\n");
        same("## A :id=b c\n", "## A :id=b c\n");
    }
}
