//! Entries of an import's report.
//!
//! Paths and messages contain untrusted text. An entry is therefore short and has no control characters, which
//! terminals could execute, nor characters that change the text direction; and the number of entries is limited,
//! because a report is stored and returned as a whole.

use std::borrow::Cow;

use quire_domain::direction::is_direction_control;
use quire_domain::imports::{ImportReportEntry, ImportStatus};

/// Characters of a path or an address in the report: more than file systems and most servers allow.
pub(crate) const PATH_MAX: usize = 500;
/// Characters of a message.
const MESSAGE_MAX: usize = 1_000;
/// Entries of a report. An archive may have thousands of files skipped for one reason.
const LINES_MAX: usize = 1_000;

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
    ImportReportEntry { path: path.into_owned(), status, message: message.into_owned() }
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

/// Limits a report; the omitted entries are counted.
pub(crate) fn bounded(mut lines: Vec<ImportReportEntry>) -> Vec<ImportReportEntry> {
    let left = lines.split_off(lines.len().min(LINES_MAX));
    let of = |status| left.iter().filter(|line| line.status == status).count();
    use ImportStatus::{BrokenLinks, Changed, Failed, Skipped};
    for status in [Changed, Skipped, Failed, BrokenLinks] {
        match of(status) {
            0 => {}
            1 => lines.push(entry("", status, "and one more")),
            more => lines.push(entry("", status, format!("and {more} more"))),
        }
    }
    lines
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
        let lines = |count| vec![changed("a.md", "x"); count];
        assert_eq!(bounded(lines(LINES_MAX)), lines(LINES_MAX));
        let mut many = lines(LINES_MAX);
        many.extend([skipped("b", "x"), failed("c", "x"), skipped("d", "x")]);
        let reported = bounded(many);
        assert_eq!(reported[..LINES_MAX], lines(LINES_MAX));
        assert_eq!(reported[LINES_MAX..], [skipped("", "and 2 more"), failed("", "and one more")]);
    }
}
