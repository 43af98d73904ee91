//! Matching of words with typing errors.

/// Minimum numbers of letters of a word that may have one error, and two errors.
const ERRORS: [usize; 2] = [4, 8];

/// Returns whether `word` equals `wanted` except for typing errors, or contains it.
pub(super) fn is_near(wanted: &str, word: &str, is_prefix: bool) -> bool {
    let length = wanted.chars().count();
    let bound = ERRORS.iter().filter(|letters| length >= **letters).count();
    bound > 0 && (word.contains(wanted) || distance(wanted, word, is_prefix) <= bound)
}

/// Returns the number of missing, added, replaced or swapped letters; for a prefix, compared with the beginning of
/// `word`.
fn distance(wanted: &str, word: &str, is_prefix: bool) -> usize {
    let (wanted, word): (Vec<char>, Vec<char>) = (wanted.chars().collect(), word.chars().take(100).collect());
    if word.len() + 2 < wanted.len() || (!is_prefix && wanted.len() + 2 < word.len()) {
        return usize::MAX;
    }
    let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=word.len()).collect());
    for (i, a) in wanted.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in word.iter().enumerate() {
            let mut best =
                (at(&last, j + 1) + 1).min(at(&row, j) + 1).min(at(&last, j) + usize::from(a != b));
            if i > 0 && j > 0 && wanted.get(i - 1) == Some(b) && word.get(j - 1) == Some(a) {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    if is_prefix { last.iter().min().copied() } else { last.last().copied() }.unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances_count_letters() {
        for (a, b, expected) in
            [("abc", "abc", 0), ("abc", "abd", 1), ("abcd", "acbd", 1), ("abc", "abcd", 1), ("abcd", "bd", 2)]
        {
            assert_eq!(distance(a, b, false), expected, "{a} {b}");
        }
        assert_eq!(distance("insal", "installation", true), 1);
    }
}
