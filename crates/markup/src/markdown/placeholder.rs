//! Placeholders that replace characters before comrak reads the text.
//!
//! Our Markdown differs from CommonMark in four rules.
//!
//! - A line that begins with a `{% tag %}` is a block of its own, even within a paragraph. It is wrapped in an HTML
//!   comment, which is such a block.
//! - Only `$$` begins a formula. A single `$` is literal and replaced by a placeholder.
//! - A run of `>` is at most 200 quotes. In a longer run the next sign is replaced, and the text begins with it.
//! - An empty line in a `<pre>` element does not end the element around it.
//!
//! All replacements are undone in every literal, so that code shows the original text.

use super::tags;
use crate::limits::markdown::MAX_QUOTE_RUN;
use std::borrow::Cow;

/// Rarely used characters of the same class as `$` (punctuation).
const CANDIDATES: [char; 24] = [
    '⸮', '⸘', '⸙', '⸚', '⸞', '⸟', '⸛', '⸑', '⸐', '⸏', '⸎', '⸖', '⸔', '⸓', '⸒', '⁌', '⁍', '⁗', '⁕', '⁖', '⁘',
    '⁙', '⁛', '⁜',
];

/// Placeholders chosen for one text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placeholders {
    dollar: char,
    tag: char,
    quote: char,
    /// Content of an empty line of preformatted text.
    blank: char,
}

/// Text prepared for comrak.
pub(super) struct Prepared {
    pub(super) text: String,
    pub(super) placeholders: Option<Placeholders>,
}

/// Normalizes line ends and inserts placeholders. A text that contains all candidates is unchanged, and its tags stay
/// text.
pub(super) fn prepare(text: &str) -> Prepared {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut free = CANDIDATES.into_iter().filter(|candidate| !text.contains(*candidate));
    match (free.next(), free.next(), free.next(), free.next()) {
        (Some(dollar), Some(tag), Some(quote), Some(blank)) => {
            let placeholders = Placeholders { dollar, tag, quote, blank };
            let text = placeholders.hide_dollars(&placeholders.hide_tags(&text));
            Prepared { text: cut_quotes(text, &quote.to_string()), placeholders: Some(placeholders) }
        }
        _ => Prepared { text: cut_quotes(text, "\\>"), placeholders: None },
    }
}

impl Placeholders {
    /// Wraps each line that begins with a tag in a comment. A tag also ends an HTML block before it, which would
    /// otherwise extend to the next blank line and contain the text after the tag.
    fn hide_tags(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 64);
        let mut html = HtmlRun::default();
        // An unclosed `<pre>` must not contain the rest of the page.
        let last_end = text.rfind("</pre").unwrap_or_default();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let body = line.trim_end();
            at += line.len();
            if html.is_preformatted(body, at <= last_end) && body.is_empty() {
                out.push(self.blank);
                out.push_str(line);
                continue;
            }
            let start = container_prefix(body);
            let (prefix, content) = body.split_at_checked(start).unwrap_or((body, ""));
            if content.starts_with("{%") && tags::starts_with_block_tag(content) {
                let tag = self.tag;
                if html.ends_at_tag() && prefix.trim().is_empty() {
                    out.push('\n');
                }
                // `-->` in a value would end the comment.
                let content = content.replace("-->", &format!("--{tag}>"));
                out.push_str(&format!("{prefix}<!--{tag}{content}{tag}-->"));
                out.push_str(line.get(body.len()..).unwrap_or_default());
            } else {
                html.pass(content);
                out.push_str(line);
            }
        }
        out
    }

    /// Replaces every dollar that is not part of a run of exactly two.
    fn hide_dollars(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['$', '\\']) {
            let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            out.push_str(before);
            let length = if from.starts_with('\\') {
                let length = 1 + from.chars().nth(1).map_or(0, char::len_utf8);
                out.push_str(from.get(..length).unwrap_or_default());
                length
            } else {
                let length = from.len() - from.trim_start_matches('$').len();
                let run = from.get(..length).unwrap_or_default();
                if length == 2 {
                    out.push_str(run)
                } else {
                    out.extend(run.chars().map(|_| self.dollar))
                }
                length
            };
            rest = from.get(length..).unwrap_or_default();
        }
        out.push_str(rest);
        out
    }

    /// Returns the tags in a comment that [`hide_tags`](Self::hide_tags) wrote.
    pub(super) fn tags_in(self, comment: &str) -> Option<&str> {
        comment.strip_prefix(self.tag)?.strip_suffix(self.tag)
    }

    /// Returns a literal with its placeholders replaced by the original text.
    pub(super) fn restore(self, literal: &str) -> Cow<'_, str> {
        if !literal.contains([self.dollar, self.tag, self.quote, self.blank]) {
            return Cow::Borrowed(literal);
        }
        let (open, close) = (format!("<!--{}", self.tag), format!("{}-->", self.tag));
        let literal = literal.replace(&open, "").replace(&close, "").replace(self.blank, "");
        let literal = literal.replace(self.dollar, "$").replace(self.quote, ">");
        let literal = literal.replace(&format!("--{}>", self.tag), "-->");
        Cow::Owned(literal)
    }
}

/// Position in relation to the HTML blocks and the fences of a text.
#[derive(Default)]
struct HtmlRun {
    /// Character and length of the fence around the current line.
    fence: Option<(char, usize)>,
    /// The line is not the first after a blank one.
    is_inside: bool,
    /// The current run of lines begins with an HTML tag.
    is_html: bool,
    /// The line is in a `<pre>` element of such a run.
    in_pre: bool,
}

impl HtmlRun {
    /// Advances past a line. `content` is the line without the markers of its containers.
    fn pass(&mut self, content: &str) {
        let mark = content.chars().next().filter(|mark| matches!(mark, '`' | '~'));
        let rest = mark.map_or(content, |mark| content.trim_start_matches(mark));
        let length = content.len() - rest.len();
        match (self.fence, mark) {
            (Some((open, least)), Some(mark)) => {
                if open == mark && length >= least && rest.trim().is_empty() {
                    *self = Self::default();
                }
            }
            (Some(_), None) => {}
            (None, Some(mark)) if length >= 3 && !(mark == '`' && rest.contains('`')) => {
                *self = Self { fence: Some((mark, length)), ..Self::default() };
            }
            (None, _) if content.is_empty() => *self = Self::default(),
            (None, _) => {
                let begins = |c: char| c.is_ascii_alphabetic() || c == '/';
                self.is_html |=
                    !self.is_inside && content.strip_prefix('<').is_some_and(|rest| rest.starts_with(begins));
                self.is_inside = true;
            }
        }
    }

    /// Returns whether a line is in a `<pre>` element of an HTML block, which continues after empty lines. `ends` is
    /// true if the text contains an end tag after the line.
    fn is_preformatted(&mut self, line: &str, ends: bool) -> bool {
        let is_inside = self.in_pre && ends;
        if let Some(start) = line.rfind("<pre").filter(|_| self.is_html || line.trim_start().starts_with('<'))
        {
            self.in_pre = self.fence.is_none() && line.rfind("</pre").is_none_or(|end| end < start);
        } else if line.contains("</pre") {
            self.in_pre = false;
        }
        is_inside
    }

    /// Advances past a tag, and returns whether it ended an HTML block.
    fn ends_at_tag(&mut self) -> bool {
        let ended = self.is_html;
        if self.fence.is_none() {
            *self = Self::default();
        }
        ended
    }
}

/// Replaces the character after the first [`MAX_QUOTE_RUN`] of each longer run of `>`.
fn cut_quotes(text: String, replacement: &str) -> String {
    let mut out = String::new();
    let mut rest = text.as_str();
    let longer = ">".repeat(MAX_QUOTE_RUN + 1);
    while let Some(at) = rest.find(&longer) {
        let (before, from) = rest.split_at_checked(at + MAX_QUOTE_RUN).unwrap_or((rest, ""));
        let behind = from.trim_start_matches('>');
        let (run, _) = from.split_at_checked(from.len() - behind.len()).unwrap_or((from, ""));
        out.push_str(before);
        out.push_str(replacement);
        out.push_str(run.get(1..).unwrap_or_default());
        rest = behind;
    }
    if out.is_empty() {
        return text;
    }
    out.push_str(rest);
    out
}

/// Returns the length of the list markers, quote markers and space at the start of a line, in bytes.
fn container_prefix(line: &str) -> usize {
    let mut rest = line;
    loop {
        let trimmed = rest.trim_start_matches([' ', '\t', '>']);
        let digits = trimmed.len() - trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let marker = match trimmed.get(digits..).and_then(|rest| rest.chars().next()) {
            Some('.' | ')') if (1..=9).contains(&digits) => digits + 1,
            Some('*' | '-' | '+') if digits == 0 => 1,
            _ => return line.len() - trimmed.len(),
        };
        match trimmed.get(marker..) {
            Some(after) if after.starts_with([' ', '\t']) => rest = after,
            _ => return line.len() - trimmed.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CANDIDATES, MAX_QUOTE_RUN};
    use crate::document::{Block, Children};
    use crate::{StableRefs, parse, plain_text, print};

    fn depth(block: &Block) -> usize {
        match &block.children {
            Children::Blocks(blocks) => 1 + blocks.iter().map(depth).max().unwrap_or(0),
            Children::Inlines(_) | Children::Void => 1,
        }
    }

    #[test]
    fn a_long_run_of_quotes_ends_in_text() {
        let run = ">".repeat(MAX_QUOTE_RUN + 50);
        let document = parse(&format!("{run} a"), &StableRefs);
        assert_eq!(plain_text(&document), format!("{} a", ">".repeat(50)));
        assert_eq!(plain_text(&parse(&format!("{} a", ">".repeat(MAX_QUOTE_RUN)), &StableRefs)), "a");
        assert!(document.nodes.iter().map(depth).max() > Some(10));
    }

    #[test]
    fn text_behind_a_tag_is_no_html_of_the_element_before_it() {
        let inside = |before: &str| {
            let text = format!("{{% hint style=\"info\" %}}\n{before}\n{{% endhint %}}\n*a* [b](c)\n");
            plain_text(&parse(&text, &StableRefs))
        };
        for before in ["<img src=\"x.png\">", "<hr>", "<p>x</p>", "<div>\n<br>\n</div>"] {
            assert!(inside(before).ends_with("a b"), "{before}: {:?}", inside(before));
        }
        let listing = "```\n\n<img>\n{% endhint %}\n```\n";
        assert_eq!(print(&parse(listing, &StableRefs), &StableRefs), listing);
    }

    #[test]
    fn preformatted_text_in_an_element_may_have_empty_lines() {
        for (before, behind) in
            [("<div>", "</div>"), ("<details><summary>S</summary>", "</details>"), ("", "")]
        {
            let text = format!("{before}\n<pre>\none\n\n\ntwo $5\n</pre>\n{behind}\n\n*end*\n");
            let shown = print(&parse(&text, &StableRefs), &StableRefs);
            let listing = "```\none\n\n\ntwo $5\n```";
            assert!(shown.contains(listing) && shown.ends_with("_end_\n"), "{before}: {shown:?}");
        }
        let open = "<div>\n<pre>\none\n\n*two*\n";
        assert!(plain_text(&parse(open, &StableRefs)).ends_with("two"));
    }

    #[test]
    fn code_and_addresses_keep_a_run_of_quotes_as_it_is() {
        let run = ">".repeat(MAX_QUOTE_RUN + 50);
        assert_eq!(plain_text(&parse(&format!("```\n{run}\n```\n"), &StableRefs)), run);
        assert_eq!(plain_text(&parse(&format!("a `{run}` b"), &StableRefs)), format!("a {run} b"));
        assert_eq!(plain_text(&parse(&format!("a {run} b {run}"), &StableRefs)), format!("a {run} b {run}"));
        let without_signs: String = CANDIDATES.into_iter().collect();
        let text = plain_text(&parse(&format!("{run} {without_signs}"), &StableRefs));
        assert_eq!(text, format!("{} {without_signs}", ">".repeat(50)));
    }
}
