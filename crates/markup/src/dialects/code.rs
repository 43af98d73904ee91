//! Detection of code lines, which no translator changes.

use super::indent;

/// An opening line of a fence of backticks, tildes or colons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence<'t> {
    pub(super) indent: usize,
    pub(super) mark: char,
    pub(super) length: usize,
    /// Text after the marks, trimmed.
    pub(super) info: &'t str,
}

impl<'t> Fence<'t> {
    /// Reads a line of at least three backticks, tildes or colons.
    pub(super) fn opens(line: &'t str) -> Option<Self> {
        let text = line.trim_start();
        let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~' | ':'))?;
        let info = text.trim_start_matches(mark);
        let length = text.len() - info.len();
        // Backticks after the opening backticks make the line prose with a code span.
        let is_span = mark == '`' && info.contains('`');
        (length >= 3 && !is_span).then(|| Self { indent: indent(line), mark, length, info: info.trim() })
    }

    /// Reads a line like [`Fence::opens`], also after the marker of a list item. Stars do not count as markers, because
    /// they begin the lines of comments in the attributes of components.
    pub(super) fn begins(line: &'t str) -> Option<Self> {
        Self::opens(line).or_else(|| Self::in_item(line).filter(|_| !line.trim_start().starts_with('*')))
    }

    /// Reads a fence after the marker of a list item.
    fn in_item(line: &'t str) -> Option<Self> {
        let columns = indent(line);
        let content = item_content(line, columns)?;
        let fence = Self::opens(line.trim_start().get(content.checked_sub(columns)?..)?)?;
        Some(Self { indent: content, ..fence })
    }

    /// Returns whether a line closes this fence.
    pub(super) fn is_closed_by(&self, line: &str) -> bool {
        let text = line.trim();
        text.len() >= self.length && text.chars().all(|mark| mark == self.mark)
    }
}

/// Returns for each line whether it is code: fenced, indented, or in a comment. Lines indented below a list item are
/// not code.
pub(crate) fn code_lines(lines: &[&str]) -> Vec<bool> {
    let mut scanner = Scanner::default();
    let next = lines.iter().skip(1).map(|line| line.trim_start().starts_with('*')).chain([false]);
    lines.iter().zip(next).map(|(line, has_star)| scanner.line(line, has_star)).collect()
}

/// Directives of MyST between backticks or tildes whose content is Markdown.
const OF_MARKDOWN: [&str; 22] = [
    "note",
    "tip",
    "hint",
    "important",
    "attention",
    "caution",
    "warning",
    "danger",
    "error",
    "seealso",
    "admonition",
    "dropdown",
    "details",
    "card",
    "grid",
    "grid-item",
    "grid-item-card",
    "tab-set",
    "tab-item",
    "versionadded",
    "versionchanged",
    "deprecated",
];

/// Returns for each line whether it is code, like [`code_lines`]. The content of directives is not code if it is
/// Markdown.
pub(super) fn code_outside_directives(lines: &[&str]) -> Vec<bool> {
    let is_directive = |fence: &Fence<'_>| {
        let name = fence.info.strip_prefix('{').and_then(|info| info.split_once('}'));
        fence.mark != ':' && name.is_some_and(|(name, _)| OF_MARKDOWN.contains(&name))
    };
    let mut masked = Vec::with_capacity(lines.len());
    let mut open: Vec<Fence<'_>> = Vec::new();
    let mut listing: Option<Fence<'_>> = None;
    for line in lines {
        let fence = Fence::opens(line);
        let is_closed = open.last().is_some_and(|directive| directive.is_closed_by(line));
        let is_mark = match (&listing, &fence) {
            (Some(code), _) if code.is_closed_by(line) => {
                listing = None;
                false
            }
            (Some(_), _) => false,
            (None, Some(_)) if is_closed => open.pop().is_some(),
            (None, Some(fence)) if is_directive(fence) => {
                open.push(*fence);
                true
            }
            (None, Some(fence)) if fence.mark != ':' => {
                listing = Some(*fence);
                false
            }
            (None, _) => false,
        };
        masked.push(if is_mark { "" } else { *line });
    }
    // A directive without an end may be a listing.
    if open.is_empty() { code_lines(&masked) } else { code_lines(lines) }
}

/// Closes a fence that is still open at the end of a block.
pub(super) fn closed(mut text: String) -> String {
    let mut scanner = Scanner::default();
    for line in text.lines() {
        scanner.is_code(line);
    }
    let fence = scanner.fence.filter(|_| !scanner.is_quoted);
    let open = fence.map(|fence| format!("{}\n", fence.mark.to_string().repeat(fence.length)));
    if let Some(end) = open {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&end);
    }
    text
}

/// Finds code line by line.
#[derive(Default)]
pub(super) struct Scanner<'t> {
    fence: Option<Fence<'t>>,
    /// True if the fence is in a quote, with which it ends.
    is_quoted: bool,
    /// Column at which the content of the list item around the fence begins. The fence ends with the item.
    around: usize,
    in_comment: bool,
    /// Columns at which the contents of the list items around the current line begin.
    items: Vec<usize>,
    after_blank: bool,
    in_paragraph: bool,
}

impl<'t> Scanner<'t> {
    /// Returns whether the next line is code.
    pub(super) fn is_code(&mut self, line: &'t str) -> bool {
        self.line(line, true)
    }

    /// Returns whether the next line is code. If the line after it begins with a star, a star may begin the line of a
    /// comment in the attribute of a component, rather than a list item.
    fn line(&mut self, line: &'t str, before_star: bool) -> bool {
        let is_outside = indent(line) < self.around && !line.trim().is_empty();
        let inside = if self.is_quoted { quoted(line) } else { Some(line) }.filter(|_| !is_outside);
        match (self.fence, inside) {
            (Some(fence), Some(inside)) => {
                if fence.is_closed_by(inside) {
                    self.leave();
                }
                return true;
            }
            (Some(_), None) => self.leave(),
            (None, _) => {}
        }
        if self.in_comment {
            self.in_comment = !line.contains("-->");
            return true;
        }
        if line.trim().is_empty() {
            (self.after_blank, self.in_paragraph) = (true, false);
            return false;
        }
        let columns = indent(line);
        let item = item_content(line, columns).or_else(|| is_note(line).then_some(columns + 4));
        if self.after_blank || item.is_some() {
            self.items.retain(|content| *content <= columns);
        }
        let inside = self.items.last().copied().unwrap_or_default();
        let is_indented = columns >= inside + 4 && !self.in_paragraph;
        self.after_blank = false;
        if is_indented {
            return true;
        }
        self.items.extend(item);
        self.in_paragraph = true;
        let inside = quoted(line);
        let in_item =
            || Fence::in_item(line).filter(|_| !(before_star && line.trim_start().starts_with('*')));
        let fence = Fence::opens(inside.unwrap_or(line)).or_else(in_item).filter(|fence| fence.mark != ':');
        if let Some(fence) = fence {
            (self.fence, self.is_quoted, self.in_paragraph) = (Some(fence), inside.is_some(), false);
            let around = self.items.iter().rev().find(|content| item.is_some() || **content <= columns);
            self.around = around.copied().filter(|_| inside.is_none()).unwrap_or_default();
            return true;
        }
        let text = line.trim_start();
        if text.starts_with("<!--") && !text.contains("-->") {
            self.in_comment = true;
            return true;
        }
        false
    }

    fn leave(&mut self) {
        (self.fence, self.is_quoted, self.around) = (None, false, 0);
    }
}

/// Returns the text of a line in a quote; `None` for other lines.
fn quoted(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix('>')?;
    Some(text.trim_start_matches(['>', ' ']))
}

/// Returns whether a line begins a footnote, whose further content is indented by four columns.
fn is_note(line: &str) -> bool {
    let name = line.trim_start().strip_prefix("[^").and_then(|rest| rest.split_once("]:"));
    name.is_some_and(|(name, _)| !name.is_empty() && !name.contains([' ', ']', '[']))
}

/// The column at which the content of a list item begins; `None` for other lines.
pub(super) fn item_content(line: &str, columns: usize) -> Option<usize> {
    let text = line.trim_start();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let marker = match text.get(digits..)?.chars().next()? {
        '.' | ')' if (1..=9).contains(&digits) => digits + 1,
        '*' | '-' | '+' if digits == 0 => 1,
        _ => return None,
    };
    let behind = text.get(marker..)?;
    let spaces = behind.len() - behind.trim_start_matches(' ').len();
    let width = if spaces > 4 { 1 } else { spaces };
    (spaces > 0).then_some(columns + marker + width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<usize> {
        let lines: Vec<&str> = text.lines().collect();
        code_lines(&lines).iter().enumerate().filter(|(_, code)| **code).map(|(at, _)| at).collect()
    }

    #[test]
    fn fences_indented_lines_and_comments_are_code() {
        assert_eq!(code("a\n```js\nx\n~~~\n```\nb"), [1, 2, 3, 4]);
        assert_eq!(code("~~~~\n~~~\n~~~~~\nb"), [0, 1, 2]);
        assert_eq!(code("a\n\n    code\n\n        more\nb"), [2, 4]);
        assert_eq!(code("a\n    lazy"), [0_usize; 0]);
        assert_eq!(code("<!-- a\nb -->\nc"), [0, 1]);
        assert_eq!(code("``` `x` ```\nb"), [0_usize; 0]);
        assert_eq!(code("> a\n> ```js\n> > x\n> ```\n> b\n\nc"), [1, 2, 3]);
        assert_eq!(code("> ~~~\n> x\ny\n> > ```\n> x"), [0, 1, 3, 4]);
        assert_eq!(code("- ```js\n  x\n\n  ```\n  b\n1. ~~~\n   y\nc"), [0, 1, 2, 3, 5, 6]);
        assert_eq!(code("* ```\n  x\n  ```\nb"), [0, 1, 2]);
        assert_eq!(code(" * ```js\n * x\n * ```\n */\nb"), [0_usize; 0]);
        assert_eq!(code("[^a]: b\n\n    c\n\n        code\n\nd\n\n    code"), [4, 8]);
        assert_eq!(code("- a\n  ```\n  x\nb"), [1, 2]);
    }

    #[test]
    fn content_of_directives_is_not_code() {
        let code = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            let is_code = code_outside_directives(&lines);
            is_code.iter().enumerate().filter(|(_, code)| **code).map(|(at, _)| at).collect::<Vec<_>>()
        };
        assert_eq!(code("```{note}\na\n```\n\n```{code}\nb\n```"), [4, 5, 6]);
        assert_eq!(code("````{tab-item} x\na\n```js\nb\n```\n````\nc"), [2, 3, 4]);
        assert_eq!(code("```{note}\na"), [0, 1]);
    }

    #[test]
    fn content_of_an_item_is_code_only_if_indented_further() {
        assert_eq!(code("1. a\n\n    b\n\n        code\n\nc\n\n    code"), [4, 8]);
        assert_eq!(code("- a\n    - b\n\n        c\n\n            code"), [5]);
    }
}
