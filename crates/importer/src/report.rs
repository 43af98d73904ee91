//! Lines of an import's report.
//!
//! Paths and what messages repeat come from outside. A line therefore is short and holds no control characters, which would be commands
//! to a terminal, nor any that turn the direction of text; and a report has an end: it is stored, and answered as a whole.

use std::borrow::Cow;

use quire_domain::direction::is_direction_control;
use quire_domain::imports::{ImportReportEntry, ImportStatus};

/// Characters of a path or an address in the report: longer ones are longer than file systems and most servers take.
pub(crate) const PATH_MAX: usize = 500;
/// Characters of a message.
const MESSAGE_MAX: usize = 1_000;
/// Lines of a report. Nobody reads more, and an archive may have thousands of files that are all left out for one reason.
const LINES_MAX: usize = 1_000;

/// A file that was taken, and changed on the way.
pub(crate) fn changed(path: impl AsRef<str>, message: impl AsRef<str>) -> ImportReportEntry {
    entry(path, ImportStatus::Changed, message)
}

/// A file that was not taken.
pub(crate) fn skipped(path: impl AsRef<str>, message: impl AsRef<str>) -> ImportReportEntry {
    entry(path, ImportStatus::Skipped, message)
}

/// A file that could not be taken, because it is damaged or not there.
pub(crate) fn failed(path: impl AsRef<str>, message: impl AsRef<str>) -> ImportReportEntry {
    entry(path, ImportStatus::Failed, message)
}

/// A page with links that lead nowhere.
pub(crate) fn broken_links(path: impl AsRef<str>, message: impl AsRef<str>) -> ImportReportEntry {
    entry(path, ImportStatus::BrokenLinks, message)
}

fn entry(path: impl AsRef<str>, status: ImportStatus, message: impl AsRef<str>) -> ImportReportEntry {
    let (path, message) = (shown(path.as_ref(), PATH_MAX), shown(message.as_ref(), MESSAGE_MAX));
    ImportReportEntry { path: path.into_owned(), status, message: message.into_owned() }
}

/// A text from outside as it may be shown: `most` characters of it at most, control characters replaced, those for direction too.
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

/// A report with an end: what it leaves out is counted.
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
        let told = bounded(many);
        assert_eq!(told[..LINES_MAX], lines(LINES_MAX));
        assert_eq!(told[LINES_MAX..], [skipped("", "and 2 more"), failed("", "and one more")]);
    }
}
