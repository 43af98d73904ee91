//! Three-way merge of texts by lines and words.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// Windows line ending, which is preserved.
const CRLF: &str = "\r\n";

/// Time limit of one comparison. Parts that are not compared by then count as changed.
const DIFF_TIME: Duration = Duration::from_millis(200);

/// Byte order mark at the beginning of a text, which is preserved.
const MARK: char = '\u{feff}';

/// Result of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Merged {
    pub(super) text: String,
    /// True if both sides changed the same words differently. The new side wins these lines.
    pub(super) has_conflicts: bool,
}

/// Applies the changes from `base` to `new` to `source`. Preserves line endings and the byte order mark of `source`.
pub(super) fn merge(source: &str, base: &str, new: &str) -> Merged {
    let (mark, unmarked) = match source.strip_prefix(MARK) {
        Some(rest) => (true, rest),
        None => (false, source),
    };
    let is_windows = unmarked.contains(CRLF);
    let source = if is_windows { unmarked.replace(CRLF, "\n") } else { unmarked.to_owned() };
    let Merged { mut text, has_conflicts } = merge_lines(&source, base, new);
    if is_windows {
        text = text.replace('\n', CRLF);
    }
    if mark {
        text.insert(0, MARK);
    }
    Merged { text, has_conflicts }
}

/// Merges by lines. Merges lines that both sides changed by words, since a source may for example use another bullet
/// for the items of a list.
fn merge_lines(source: &str, base: &str, new: &str) -> Merged {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<_>>();
    merge_parts([&lines(source), &lines(base), &lines(new)], |source, base, new| {
        let by_words = merge_parts([&words(source), &words(base), &words(new)], |_, _, new| conflict(new));
        if by_words.has_conflicts { conflict(new) } else { by_words }
    })
}

/// Returns a conflict that the new side wins.
fn conflict(new: &str) -> Merged {
    Merged { text: new.to_owned(), has_conflicts: true }
}

/// Splits a text into words, runs of white space, and single other characters.
fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| {
        if c.is_alphanumeric() {
            'a'
        } else if c.is_whitespace() {
            ' '
        } else {
            c
        }
    };
    let mut parts = Vec::new();
    let (mut start, mut last) = (0, None);
    for (index, character) in text.char_indices() {
        let kind = kind(character);
        let is_run = matches!(kind, 'a' | ' ') && last == Some(kind);
        if !is_run {
            parts.extend(text.get(start..index).filter(|part| !part.is_empty()));
            start = index;
        }
        last = Some(kind);
    }
    parts.extend(text.get(start..).filter(|part| !part.is_empty()));
    parts
}

/// Merges the parts of the source, the base and the new side. `both` merges parts that both sides changed differently.
fn merge_parts([source, base, new]: [&[&str]; 3], both: impl Fn(&str, &str, &str) -> Merged) -> Merged {
    let (in_source, in_new) = (matches(base, source), matches(base, new));
    let mut merged = Merged { text: String::new(), has_conflicts: false };
    let (mut at_base, mut at_source, mut at_new) = (0, 0, 0);
    loop {
        // Next part of the base that both sides have.
        let stable = (at_base..base.len()).find_map(|part| {
            let at_source = in_source.get(part).copied().flatten()?;
            let at_new = in_new.get(part).copied().flatten()?;
            Some((part, at_source, at_new))
        });
        let (end_base, end_source, end_new) = stable.unwrap_or((base.len(), source.len(), new.len()));
        let text = |parts: &[&str], from: usize, to: usize| parts.get(from..to).unwrap_or_default().concat();
        let old = text(base, at_base, end_base);
        let own = text(source, at_source, end_source);
        let theirs = text(new, at_new, end_new);
        if theirs == old {
            merged.text.push_str(&own);
        } else if own == old || own == theirs {
            merged.text.push_str(&theirs);
        } else {
            let Merged { text, has_conflicts } = both(&own, &old, &theirs);
            merged.text.push_str(&text);
            merged.has_conflicts |= has_conflicts;
        }
        let Some((part, own, theirs)) = stable else { return merged };
        merged.text.push_str(base.get(part).copied().unwrap_or_default());
        (at_base, at_source, at_new) = (part + 1, own + 1, theirs + 1);
    }
}

/// Returns the matching part of a side for each part of the base. `None` for a part without a match.
fn matches(base: &[&str], side: &[&str]) -> Vec<Option<usize>> {
    let mut matches = vec![None; base.len()];
    let deadline = Some(Instant::now() + DIFF_TIME);
    for operation in capture_diff_slices_deadline(Algorithm::Myers, base, side, deadline) {
        let DiffOp::Equal { old_index, new_index, len } = operation else { continue };
        for offset in 0..len {
            if let Some(slot) = matches.get_mut(old_index + offset) {
                *slot = Some(new_index + offset);
            }
        }
    }
    matches
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn merged(source: &str, base: &str, new: &str) -> (String, bool) {
        let Merged { text, has_conflicts } = merge(source, base, new);
        (text, has_conflicts)
    }

    #[test]
    fn an_edit_changes_its_line_and_leaves_the_style_of_others() {
        let (base, new) = ("# A\n\n* one\n* two\n\nThe end.\n", "# A\n\n* one\n* two\n\nThe very end.\n");
        let source = "# A\n\n- one\n- two\n\nThe end.\n";
        assert_eq!(merged(source, base, new), ("# A\n\n- one\n- two\n\nThe very end.\n".to_owned(), false));
    }

    #[test]
    fn the_new_side_wins_a_conflict() {
        assert_eq!(merged("x\n- b1\n", "x\n* b\n", "x\n* c\n"), ("x\n* c\n".to_owned(), true));
    }

    #[test]
    fn lines_that_both_sides_changed_are_merged_by_words() {
        let (base, new) = ("* one\n* two\n", "* one\n* two and a half\n");
        assert_eq!(merged("- one\n- two\n", base, new), ("- one\n- two and a half\n".to_owned(), false));
    }

    #[test]
    fn line_ends_and_the_mark_are_those_of_the_source() {
        let text = merged("\u{feff}a\r\nb\r\nc\r\n", "a\nb\nc\n", "a\nB\nc\nd\n").0;
        assert_eq!(text, "\u{feff}a\r\nB\r\nc\r\nd\r\n");
    }

    proptest! {
        #[test]
        fn a_side_without_changes_gives_the_other(
            lines in proptest::collection::vec("[a-d]{0,2}\n", 0..12),
            other in proptest::collection::vec("[a-d]{0,2}\n", 0..12),
        ) {
            let (base, other) = (lines.concat(), other.concat());
            prop_assert_eq!(merged(&base, &base, &other), (other.clone(), false));
            prop_assert_eq!(merged(&other, &base, &base), (other.clone(), false));
            prop_assert_eq!(merged(&other, &base, &other), (other.clone(), false));
        }
    }
}
