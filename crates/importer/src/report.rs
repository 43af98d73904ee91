//! Lines of an import's report.

use quire_domain::imports::{ImportReportEntry, ImportStatus};

/// A file that was taken, and changed on the way.
pub(crate) fn changed(path: impl Into<String>, message: impl Into<String>) -> ImportReportEntry {
    ImportReportEntry { path: path.into(), status: ImportStatus::Changed, message: message.into() }
}

/// A file that was not taken.
pub(crate) fn skipped(path: impl Into<String>, message: impl Into<String>) -> ImportReportEntry {
    ImportReportEntry { path: path.into(), status: ImportStatus::Skipped, message: message.into() }
}

/// A file that could not be taken, because it is damaged or not there.
pub(crate) fn failed(path: impl Into<String>, message: impl Into<String>) -> ImportReportEntry {
    ImportReportEntry { path: path.into(), status: ImportStatus::Failed, message: message.into() }
}
