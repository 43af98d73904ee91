//! What an import says about single files: which ones it changed on the way or did not take.

/// What happened to a file that was not simply taken as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportStatus {
    /// Taken, but not as it was: decoded from another encoding, renamed, hidden, an include left as text.
    Changed,
    /// Not taken.
    Skipped,
    /// Named by the table of contents, but not there.
    Missing,
}

impl ReportStatus {
    /// The word for this status on the wire and in logs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Skipped => "skipped",
            Self::Missing => "missing",
        }
    }
}

/// One line of an import's report.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportEntry {
    /// Path of the file in what was imported, `/`-separated; empty when it is about the whole.
    pub path: String,
    /// What happened to it.
    pub status: ReportStatus,
    /// One sentence for the person who imports.
    pub message: String,
}

impl ReportEntry {
    /// A file that was changed on the way.
    pub fn changed(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), status: ReportStatus::Changed, message: message.into() }
    }

    /// A file that was not taken.
    pub fn skipped(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), status: ReportStatus::Skipped, message: message.into() }
    }

    /// A file that is named, but not there.
    pub fn missing(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), status: ReportStatus::Missing, message: message.into() }
    }
}
