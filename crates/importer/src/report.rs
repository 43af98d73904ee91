//! Entries of an import's report.
//!
//! Paths and messages contain untrusted text. Entries are therefore short and contain neither control characters, which
//! terminals may interpret, nor characters that change the text direction. The number of entries is limited, because a
//! report is stored and returned as a whole.

use std::borrow::Cow;
use std::collections::HashMap;

use quire_domain::direction::is_direction_control;
use quire_domain::imports::{ImportReportEntry, ImportStatus};

/// Maximum number of characters of a path or an address in the report: more than file systems and most servers allow.
pub(crate) const PATH_MAX: usize = 500;
/// Maximum number of characters of a message.
const MESSAGE_MAX: usize = 1_000;
/// Maximum number of entries of a report.
const LINES_MAX: usize = 1_000;
/// Number of files named in an entry for several files.
const NAMED: usize = 3;

/// Returns an entry for a file that was imported with changes.
pub(crate) fn changed(path: impl AsRef<str>, message: impl AsRef<str>) -> ImportReportEntry {
    entry(path, ImportStatus::Changed, message)
}

/// Returns an entry for a file that was skipped.
pub(crate) fn skipped(path: impl AsRef<str>, message: impl AsRef<str>) -> ImportReportEntry {
    entry(path, ImportStatus::Skipped, message)
}

/// Returns an entry for a file that is damaged or missing.
pub(crate) fn failed(path: impl AsRef<str>, message: impl AsRef<str>) -> ImportReportEntry {
    entry(path, ImportStatus::Failed, message)
}

/// Returns an entry for a page with broken links.
pub(crate) fn broken_links(path: impl AsRef<str>, message: impl AsRef<str>) -> ImportReportEntry {
    entry(path, ImportStatus::BrokenLinks, message)
}

fn entry(path: impl AsRef<str>, status: ImportStatus, message: impl AsRef<str>) -> ImportReportEntry {
    let (path, message) = (shown(path.as_ref(), PATH_MAX), shown(message.as_ref(), MESSAGE_MAX));
    ImportReportEntry { path: path.into_owned(), status, message: message.into_owned(), page: None }
}

/// Returns untrusted text in a safe form: at most `most` characters, with control and direction characters replaced.
pub(crate) fn shown(text: &str, most: usize) -> Cow<'_, str> {
    let end = text.char_indices().nth(most).map(|(at, _)| at);
    let kept = end.and_then(|end| text.get(..end)).unwrap_or(text);
    let is_odd = |c: char| c.is_control() || is_direction_control(c);
    if end.is_none() && !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut shown: String = kept.chars().map(|c| if is_odd(c) { '\u{FFFD}' } else { c }).collect();
    if end.is_some() {
        shown.push('…');
    }
    Cow::Owned(shown)
}

/// Sorts, groups and limits a report. Failures precede broken links, changes and skipped files. More than three files
/// with the same message share an entry that names three of them. Omitted entries are counted.
pub(crate) fn bounded(lines: Vec<ImportReportEntry>) -> Vec<ImportReportEntry> {
    use ImportStatus::{BrokenLinks, Changed, Failed, Skipped};
    const ORDER: [ImportStatus; 4] = [Failed, BrokenLinks, Changed, Skipped];
    let mut causes: Vec<Vec<ImportReportEntry>> = Vec::new();
    let mut known: HashMap<(ImportStatus, String), usize> = HashMap::new();
    for line in lines {
        let cause = *known.entry((line.status, line.message.clone())).or_insert(causes.len());
        match causes.get_mut(cause) {
            Some(same) => same.push(line),
            None => causes.push(vec![line]),
        }
    }
    let mut kept: Vec<ImportReportEntry> = Vec::new();
    let mut left: Vec<(ImportStatus, usize)> = Vec::new();
    for status in ORDER {
        let of_status = causes.iter().filter(|same| same.first().is_some_and(|line| line.status == status));
        let grouped: Vec<ImportReportEntry> = of_status.flat_map(|same| grouped(same)).collect();
        let room = LINES_MAX.saturating_sub(kept.len());
        left.push((status, grouped.len().saturating_sub(room)));
        kept.extend(grouped.into_iter().take(room));
    }
    for (status, count) in left {
        match count {
            0 => {}
            1 => kept.push(entry("", status, "and one more")),
            more => kept.push(entry("", status, format!("and {more} more"))),
        }
    }
    kept
}

/// Returns entries with the same message, as one entry if there are many.
fn grouped(same: &[ImportReportEntry]) -> Vec<ImportReportEntry> {
    let named: Vec<String> =
        same.iter().skip(1).take(NAMED - 1).map(|line| format!("`{}`", line.path)).collect();
    match same.first() {
        Some(first) if same.len() > NAMED => {
            let message = format!(
                "{} (also {} others, such as {})",
                first.message,
                same.len() - 1,
                named.join(" and ")
            );
            vec![ImportReportEntry { message, ..first.clone() }]
        }
        _ => same.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_short_and_holds_no_control_characters() {
        let line = skipped("a\u{1b}[2J.md", "é".repeat(70_000));
        assert_eq!(line.path, "a\u{FFFD}[2J.md");
        assert_eq!(line.message, format!("{}…", "é".repeat(MESSAGE_MAX)));
        let line = failed("p".repeat(65_000), "short");
        assert_eq!((line.path.chars().count(), line.message.as_str()), (PATH_MAX + 1, "short"));
    }

    #[test]
    fn a_report_ends_and_counts_what_it_leaves_out() {
        let lines = |count| (0..count).map(|at| changed("a.md", format!("{at}"))).collect::<Vec<_>>();
        assert_eq!(bounded(lines(LINES_MAX)), lines(LINES_MAX));
        let mut many = lines(LINES_MAX);
        many.extend([skipped("b", "x"), failed("c", "y"), broken_links("e", "z"), skipped("d", "x")]);
        let reported = bounded(many);
        assert_eq!(reported[..2], [failed("c", "y"), broken_links("e", "z")]);
        assert_eq!(reported[2..LINES_MAX], lines(LINES_MAX - 2));
        assert_eq!(reported[LINES_MAX..], [changed("", "and 2 more"), skipped("", "and 2 more")]);
    }

    #[test]
    fn many_files_with_one_cause_share_an_entry() {
        let of = |count| (0..count).map(|at| changed(format!("{at}.md"), "x")).collect::<Vec<_>>();
        assert_eq!(bounded(of(3)), of(3));
        let other = skipped("z.bin", "y");
        let reported = bounded([&of(1_200)[..], std::slice::from_ref(&other)].concat());
        assert_eq!(reported, [changed("0.md", "x (also 1199 others, such as `1.md` and `2.md`)"), other]);
    }
}
