//! Prose within lines, outside of code spans.

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

/// Replaces each stretch between `begin` and `end` for which `replace` returns a value. Unclosed stretches are kept.
pub(super) fn replace_between(
    text: &str,
    begin: &str,
    end: &str,
    mut replace: impl FnMut(&str) -> Option<String>,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(begin) {
        let Some((inside, after)) = behind.split_once(end) else { break };
        out.push_str(before);
        match replace(inside) {
            Some(replaced) => {
                out.push_str(&replaced);
                rest = after;
            }
            None => {
                out.push_str(begin);
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Escapes text so that Markdown shows it literally.
pub(super) fn escaped(words: &str) -> String {
    words.chars().flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
