//! Characters that stand in for others while comrak reads the text.
//!
//! Two things of our Markdown aren't CommonMark. A line that begins with a `{% tag %}` is a block of its own even in the middle of a paragraph;
//! it is wrapped in an HTML comment, which is such a block. And only `$$` begins a formula; a lone `$` is a dollar, so it is
//! replaced with another sign. Both changes are undone in every literal, so that code shows what was written.

use super::tags;
use std::borrow::Cow;

/// Signs of the same class as `$` (punctuation) that hardly any text holds.
const CANDIDATES: [char; 24] = [
    '⸮', '⸘', '⸙', '⸚', '⸞', '⸟', '⸛', '⸑', '⸐', '⸏', '⸎', '⸖', '⸔', '⸓', '⸒', '⁌', '⁍', '⁗', '⁕', '⁖', '⁘',
    '⁙', '⁛', '⁜',
];

/// Which signs stand in, in one text.
#[derive(Debug, Clone, Copy)]
pub(super) struct StandIns {
    dollar: char,
    tag: char,
}

/// A text made ready for comrak.
pub(super) struct Prepared {
    pub(super) text: String,
    pub(super) stand_ins: Option<StandIns>,
}

/// Makes a text ready: line ends become line feeds, and the stand-ins come in. A text that uses up all candidates goes without them: its
/// tags stay text.
pub(super) fn prepare(text: &str) -> Prepared {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut free = CANDIDATES.into_iter().filter(|candidate| !text.contains(*candidate));
    match (free.next(), free.next()) {
        (Some(dollar), Some(tag)) => {
            let stand_ins = StandIns { dollar, tag };
            let text = stand_ins.hide_dollars(&stand_ins.hide_tags(&text));
            Prepared { text, stand_ins: Some(stand_ins) }
        }
        _ => Prepared { text, stand_ins: None },
    }
}

impl StandIns {
    /// Wraps each line that begins with a tag in a comment.
    fn hide_tags(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 64);
        for line in text.split_inclusive('\n') {
            let body = line.trim_end();
            let start = container_prefix(body);
            let (prefix, content) = body.split_at_checked(start).unwrap_or((body, ""));
            if content.starts_with("{%") && tags::starts_with_block_tag(content) {
                let tag = self.tag;
                // An arrow in a value would end the comment.
                let content = content.replace("-->", &format!("--{tag}>"));
                out.push_str(&format!("{prefix}<!--{tag}{content}{tag}-->"));
                out.push_str(line.get(body.len()..).unwrap_or_default());
            } else {
                out.push_str(line);
            }
        }
        out
    }

    /// Replaces every dollar that isn't one of exactly two.
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

    /// The tags in a comment, if it is one of those that wrap them.
    pub(super) fn tags_in(self, comment: &str) -> Option<&str> {
        comment.strip_prefix(self.tag)?.strip_suffix(self.tag)
    }

    /// What was written where a literal has stand-ins.
    pub(super) fn restore(self, literal: &str) -> Cow<'_, str> {
        if !literal.contains([self.dollar, self.tag]) {
            return Cow::Borrowed(literal);
        }
        let (open, close) = (format!("<!--{}", self.tag), format!("{}-->", self.tag));
        let literal = literal.replace(&open, "").replace(&close, "").replace(self.dollar, "$");
        let literal = literal.replace(&format!("--{}>", self.tag), "-->");
        Cow::Owned(literal)
    }
}

/// How many bytes of a line are list markers, quote markers and space.
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
