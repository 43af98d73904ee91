//! Prose within lines, outside of code spans.

use std::borrow::Cow;

use crate::markdown_html::escape;

/// Rewrites the text between the code spans of a line. A code span ends on its line.
pub(super) fn outside_code(line: &str, mut rewrite: impl FnMut(&str, &mut String)) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    // Lengths of backtick runs without a closing run in this line; these are not searched again.
    let mut unclosed = [false; 8];
    let mut from = 0;
    while let Some(at) = rest.get(from..).and_then(|behind| behind.find('`')).map(|at| at + from) {
        let behind = rest.get(at..).unwrap_or_default();
        let length = behind.len() - behind.trim_start_matches('`').len();
        let known = unclosed.get(length).copied().unwrap_or(true);
        match if known { None } else { span_end(behind, length) } {
            Some(end) => {
                rewrite(rest.get(..at).unwrap_or_default(), &mut out);
                out.push_str(behind.get(..end).unwrap_or_default());
                (rest, from) = (behind.get(end..).unwrap_or_default(), 0);
            }
            None => {
                if let Some(unclosed) = unclosed.get_mut(length) {
                    *unclosed = true;
                }
                from = at + length;
            }
        }
    }
    rewrite(rest, &mut out);
    out
}

/// Returns the end of the code span at the start of a text, which opens with `length` backticks.
fn span_end(text: &str, length: usize) -> Option<usize> {
    let mut at = length;
    while let Some(next) = text.get(at..)?.find('`') {
        at += next;
        let behind = text.get(at..)?;
        let marks = behind.len() - behind.trim_start_matches('`').len();
        at += marks;
        if marks == length {
            return Some(at);
        }
    }
    None
}

/// Maximum length of a stretch in bytes, which limits the work on marks without an end.
const MAX_STRETCH_BYTES: usize = 4_000;

/// Replaces each stretch between `begin` and `end` for which `replace` returns a value. Unclosed stretches are kept.
pub(super) fn replace_between(
    text: &str,
    begin: &str,
    end: &str,
    mut replace: impl FnMut(&str) -> Option<String>,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    // First `end` after the last `begin`. A new search is only needed for a `begin` after it.
    let mut close = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(begin)).map(|at| from + at) {
        let inside = at + begin.len();
        if close < inside {
            let Some(next) = text.get(inside..).and_then(|rest| rest.find(end)) else { break };
            close = inside + next;
        }
        out.push_str(text.get(from..at).unwrap_or_default());
        let stretch = text.get(inside..close).filter(|stretch| stretch.len() <= MAX_STRETCH_BYTES);
        match stretch.and_then(&mut replace) {
            Some(replaced) => {
                out.push_str(&replaced);
                from = close + end.len();
            }
            None => {
                out.push_str(begin);
                from = inside;
            }
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// Doubles the dollar signs around formulas. As in pandoc, there must be no white space directly inside the dollar
/// signs, and no digit after the closing one.
pub(super) fn formulas(text: &str) -> String {
    if !text.contains('$') {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = super::code::code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    for (line, is_code) in lines.iter().zip(is_code) {
        if is_code {
            out.push_str(line);
        } else {
            out.push_str(&outside_code(line, formulas_in));
        }
        out.push('\n');
    }
    out
}

/// Doubles the dollar signs around the formulas of a line.
pub(super) fn formulas_of_line(line: &str) -> String {
    if line.contains('$') { outside_code(line, formulas_in) } else { line.to_owned() }
}

fn formulas_in(piece: &str, out: &mut String) {
    let mut rest = piece;
    while let Some(at) = rest.find(['$', '\\']) {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let marks = from.len() - from.trim_start_matches('$').len();
        let length = match marks {
            0 => 1 + from.chars().nth(1).map_or(0, char::len_utf8),
            1 => match formula(from) {
                Some(inside) => {
                    out.push_str(&format!("$${inside}$$"));
                    rest = from.get(inside.len() + 2..).unwrap_or_default();
                    continue;
                }
                None => 1,
            },
            marks => marks,
        };
        out.push_str(from.get(..length).unwrap_or_default());
        rest = from.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// Returns the formula between the dollar at the start of a text and the next one.
fn formula(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('$')?;
    let end = inside
        .match_indices('$')
        .map(|(at, _)| at)
        .find(|at| !inside.get(..*at).is_some_and(|b| b.ends_with('\\')))?;
    let behind = inside.get(end + 1..)?;
    let inside = inside.get(..end)?;
    let is_one = !inside.is_empty()
        && inside.trim() == inside
        && !behind.starts_with(|c: char| c.is_ascii_digit() || c == '$');
    is_one.then_some(inside)
}

/// Returns the text after removed syntax. Trims white space that would then be directly inside the delimiters of strong
/// text, which would make them literal; at the end of `out`, it is removed there.
pub(super) fn behind_dropped<'t>(out: &mut String, rest: &'t str) -> &'t str {
    let opens = |before: &str| before.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
    let closes = |behind: &str| behind.chars().next().is_none_or(|c| !c.is_alphanumeric());
    if out.strip_suffix("**").is_some_and(opens) {
        return rest.trim_start_matches(' ');
    }
    if rest.strip_prefix("**").is_some_and(closes) {
        out.truncate(out.trim_end_matches(' ').len());
    }
    rest
}

/// Returns inline Markdown as HTML: code, strong and emphasized words, links. It is for titles of expandables, in which
/// Markdown is not read.
pub(super) fn html(markdown: &str) -> String {
    let text = outside_code(markdown, |piece, out| {
        let piece = replace_between(piece, "**", "**", |inside| marked(inside, "strong"));
        let piece = replace_between(&piece, "__", "__", |inside| marked(inside, "strong"));
        out.push_str(&replace_between(&piece, "*", "*", |inside| marked(inside, "em")));
    });
    replace_between(&links(&text), "`", "`", |code| Some(format!("<code>{}</code>", escape(code))))
}

fn marked(inside: &str, element: &str) -> Option<String> {
    let is_marked = !inside.is_empty() && inside.trim() == inside;
    is_marked.then(|| format!("<{element}>{inside}</{element}>"))
}

/// Converts images to HTML elements.
pub(super) fn images(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("![") {
        out.push_str(before);
        let image = behind.split_once("](").and_then(|(alt, behind)| {
            let (source, after) = behind.split_once(')')?;
            let source = source.split(" \"").next().unwrap_or_default().trim();
            (!alt.contains(['[', ']', '\n'])).then_some((alt, source, after))
        });
        match image {
            Some((alt, source, after)) => {
                let source = source.trim_start_matches('<').trim_end_matches('>');
                out.push_str(&format!("<img src=\"{}\" alt=\"{}\">", escape(source), escape(alt)));
                rest = after;
            }
            None => {
                out.push_str("![");
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns a text with its links as elements. Brackets in code are no links, and the words of a link may be code.
fn links(text: &str) -> String {
    let mask = without_code(text);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(open) = mask.get(from..).and_then(|rest| rest.find('[')).map(|at| from + at) {
        let before = text.get(from..open).unwrap_or_default();
        out.push_str(before);
        let link = mask.get(open + 1..).and_then(|behind| {
            let words = behind.split_once("](")?.0;
            let href = behind.get(words.len() + 2..)?.split_once(')')?.0;
            let begin = open + words.len() + 3;
            (!words.contains(['[', ']']) && !before.ends_with(['!', '\\']))
                .then_some((text.get(open + 1..begin - 2)?, text.get(begin..begin + href.len())?))
        });
        match link {
            Some((words, href)) => {
                from = open + words.len() + href.len() + 4;
                let href = href.trim_start_matches('<').trim_end_matches('>');
                out.push_str(&format!("<a href=\"{}\">{words}</a>", escape(href)));
            }
            None => {
                out.push('[');
                from = open + 1;
            }
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// Returns a text of the same length with spaces for the code between single backticks.
fn without_code(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let is_code = |at: usize| at % 2 == 1 && at + 1 < pieces.len();
    let piece = |(at, piece): (usize, &&str)| match is_code(at) {
        true => " ".repeat(piece.len()),
        false => (*piece).to_owned(),
    };
    pieces.iter().enumerate().map(piece).collect::<Vec<_>>().join("`")
}

/// Returns a line in which strong text is an element if CommonMark does not read its marks: `word**.**`, as the editor
/// of GitBook writes it.
pub(super) fn with_strong(line: &str) -> Cow<'_, str> {
    if line.contains("***") || line.contains("\\*") || line.matches("**").count() < 2 {
        return Cow::Borrowed(line);
    }
    let mask = without_code(line);
    let marks: Vec<usize> = mask.match_indices("**").map(|(at, _)| at).collect();
    let is_sign = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    // The mark is read if a letter is inside of it, or no letter is outside.
    let is_read = |inside: Option<char>, outside: Option<char>| {
        inside.is_some_and(|c| !is_sign(c)) || outside.is_none_or(|c| !c.is_alphanumeric())
    };
    let mut out = String::with_capacity(line.len());
    let mut from = 0;
    for pair in marks.chunks_exact(2) {
        let [open, close] = pair else { continue };
        let (Some(before), Some(inside), Some(behind)) =
            (line.get(from..*open), line.get(open + 2..*close), line.get(close + 2..))
        else {
            continue;
        };
        let (first, last) = (inside.chars().next(), inside.chars().next_back());
        let is_strong = is_read(first, before.chars().next_back()) && is_read(last, behind.chars().next());
        let has_edges = inside.is_empty() || inside.trim() != inside;
        let (begin, end) = if is_strong || has_edges { ("**", "**") } else { ("<strong>", "</strong>") };
        out.extend([before, begin, inside, end]);
        from = close + 2;
    }
    if marks.len() % 2 == 1 {
        return Cow::Borrowed(line);
    }
    out.push_str(line.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_dollars_become_two() {
        for (text, expected) in [
            ("a $x^2$ b", "a $$x^2$$ b\n"),
            ("$$x$$ and `$y$`", "$$x$$ and `$y$`\n"),
            ("costs $5 or $6", "costs $5 or $6\n"),
            ("\\$a$ and $ b $", "\\$a$ and $ b $\n"),
        ] {
            assert_eq!(formulas(text), expected);
        }
    }

    #[test]
    fn titles_become_html() {
        for (markdown, expected) in [
            ("**a** and *b* `c<d`", "<strong>a</strong> and <em>b</em> <code>c&#x3C;d</code>"),
            ("[a](b.md) 2 * 3 * 4", "<a href=\"b.md\">a</a> 2 * 3 * 4"),
            ("a [b] `c", "a [b] `c"),
            (
                "([`a`](b.md)) `[c](d)` ![e](f) [g](<h>)",
                "(<a href=\"b.md\"><code>a</code></a>) <code>[c](d)</code> ![e](f) <a href=\"h\">g</a>",
            ),
        ] {
            assert_eq!(html(markdown), expected);
        }
    }

    #[test]
    fn images_become_elements() {
        for (markdown, expected) in [
            ("![a](b.png) c", "<img src=\"b.png\" alt=\"a\"> c"),
            ("![](<b c.png> \"t\")", "<img src=\"b c.png\" alt=\"\">"),
            ("![a [b] ![c", "![a [b] ![c"),
        ] {
            assert_eq!(images(markdown), expected);
        }
    }

    #[test]
    fn marks_of_strong_signs_become_elements() {
        for (line, expected) in [
            ("press **Save**, the tab**.**", "press **Save**, the tab<strong>.</strong>"),
            ("for IMAP**; (optional).** b", "for IMAP<strong>; (optional).</strong> b"),
            ("`a**.**` **b** ** c ** d **(e)**", "`a**.**` **b** ** c ** d **(e)**"),
            ("a**.** b**", "a**.** b**"),
            ("a\\**.**", "a\\**.**"),
        ] {
            assert_eq!(with_strong(line), expected);
        }
    }

    #[test]
    fn code_spans_stay() {
        let upper = |line: &str| outside_code(line, |text, out| out.push_str(&text.to_uppercase()));
        assert_eq!(upper("a `b` c ``d ` e`` f ` g"), "A `b` C ``d ` e`` F ` G");
        assert_eq!(upper("```` a"), "```` A");
    }

    #[test]
    fn stretches_are_replaced_or_stay() {
        let replaced =
            replace_between("a [b] [c] [d", "[", "]", |inside| (inside == "b").then(|| "B".into()));
        assert_eq!(replaced, "a B [c] [d");
    }
}
