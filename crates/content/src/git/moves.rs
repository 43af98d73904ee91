//! Pages that a commit moved and changed, found by their equal lines.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Maximum number of vanished files, and of new ones, that are compared.
pub(super) const MOST: usize = 500;

/// Maximum number of lines compared in total. Many files may have many lines in common.
const MAX_STEPS: usize = 2_000_000;

/// Minimum share of equal lines of a move, in percent of the lines of the longer file.
const SAME: usize = 60;

/// Path and text of a file.
type File<'p> = (&'p str, String);

/// Finds files that were moved: pairs of a new and a vanished path with enough equal lines. The most similar pairs take
/// precedence, and among them those with the same name. Empty lines and spaces at the end do not count.
pub(super) fn find<'p>(vanished: &[File<'p>], added: &[File<'p>]) -> HashMap<&'p str, &'p str> {
    let added: Vec<(&str, Lines<'_>)> = added.iter().map(|(path, text)| (*path, Lines::of(text))).collect();
    // For each line, the new files that have it and how often.
    let mut files: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
    for (index, (_, lines)) in added.iter().enumerate() {
        for (line, count) in &lines.counts {
            files.entry(line).or_default().push((index, *count));
        }
    }
    let (mut pairs, mut steps) = (Vec::new(), 0_usize);
    for (old, text) in vanished {
        let lines = Lines::of(text);
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for (line, count) in &lines.counts {
            let files = files.get(line).map(Vec::as_slice).unwrap_or_default();
            steps = steps.saturating_add(files.len());
            if steps > MAX_STEPS {
                return HashMap::new();
            }
            for (index, there) in files {
                *shared.entry(*index).or_default() += count.min(there);
            }
        }
        for (index, same) in shared {
            let Some((new, others)) = added.get(index) else { continue };
            let share = same.saturating_mul(100) / lines.total.max(others.total);
            if share >= SAME {
                pairs.push((Reverse(share), name(old) != name(new), *new, *old));
            }
        }
    }
    pairs.sort_unstable();
    let (mut found, mut taken) = (HashMap::new(), HashSet::new());
    for (_, _, new, old) in pairs {
        if !found.contains_key(new) && taken.insert(old) {
            found.insert(new, old);
        }
    }
    found
}

/// Lines of a text that are not empty.
struct Lines<'t> {
    counts: HashMap<&'t str, usize>,
    total: usize,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
            *counts.entry(line).or_default() += 1;
        }
        let total = counts.values().sum();
        Self { counts, total }
    }
}

/// Returns the name of a file.
fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the moves among files, from the former path to the new one.
    fn found<'p>(vanished: &[(&'p str, &str)], added: &[(&'p str, &str)]) -> Vec<(&'p str, &'p str)> {
        let own = |files: &[(&'p str, &str)]| -> Vec<File<'p>> {
            files.iter().map(|(path, text)| (*path, (*text).to_owned())).collect()
        };
        let mut moves: Vec<_> =
            find(&own(vanished), &own(added)).into_iter().map(|(new, old)| (old, new)).collect();
        moves.sort_unstable();
        moves
    }

    #[test]
    fn three_of_five_equal_lines_are_a_move() {
        let old = ("a.md", "# A\n\none\ntwo\nthree\nfour\n");
        assert_eq!(found(&[old], &[("x/b.md", "# B\none  \r\n\ntwo\nthree\nfive\n")]), [("a.md", "x/b.md")]);
        assert_eq!(found(&[old], &[("b.md", "# B\none\ntwo\nfive\nsix\n")]), []);
        // The lines of the longer file count.
        assert_eq!(found(&[old], &[("b.md", "# A\none\ntwo\nthree\nfour\n1\n2\n3\n4\n")]), []);
        assert_eq!(found(&[old], &[("b.md", "\n\n")]), []);
        assert_eq!(found(&[("a.md", "")], &[("b.md", "")]), []);
        // A line that is repeated counts as often as both files have it.
        let repeated = ("b.md", "# A\n# A\n# A\none\ntwo\n");
        assert_eq!(found(&[old], &[repeated]), [("a.md", "b.md")]);
        assert_eq!(found(&[old], &[("b.md", "# A\n# A\n# A\n# A\ntwo\n")]), []);
    }

    #[test]
    fn the_most_similar_file_is_taken_and_then_that_with_the_same_name() {
        let old = [("a.md", "1\n2\n3\n4\n5\n"), ("b.md", "1\n2\n3\n4\n6\n")];
        let new = [("x/b.md", "1\n2\n3\n4\n5\n7\n"), ("x/c.md", "1\n2\n3\n4\n6\n8\n")];
        assert_eq!(found(&old, &new), [("a.md", "x/b.md"), ("b.md", "x/c.md")]);
        let new = [("x/a.md", "1\n2\n3\n4\n"), ("x/b.md", "1\n2\n3\n4\n")];
        assert_eq!(found(&old, &new), [("a.md", "x/a.md"), ("b.md", "x/b.md")]);
        // Each file takes part in one move.
        assert_eq!(found(&old[..1], &new), [("a.md", "x/a.md")]);
        assert_eq!(found(&old, &new[..1]), [("a.md", "x/a.md")]);
    }

    #[test]
    fn files_with_too_many_lines_in_common_are_not_compared() {
        let text: String = (0..20).map(|number| format!("line {number}\n")).collect();
        let paths =
            |folder: &str| (0..MOST).map(|number| format!("{folder}/{number}.md")).collect::<Vec<_>>();
        let (old, new) = (paths("a"), paths("b"));
        let files = |paths: &'static [String]| -> Vec<(&'static str, String)> {
            paths.iter().map(|path| (path.as_str(), text.clone())).collect()
        };
        let (old, new) = (files(old.leak()), files(new.leak()));
        assert_eq!(find(&old[..10], &new[..10]).len(), 10);
        assert!(find(&old, &new).is_empty());
    }
}
