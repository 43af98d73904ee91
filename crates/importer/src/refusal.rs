//! What is wrong with an import, told to whoever asked for it.

use quire_domain::error::{ErrorBody, FieldError, Reason};

use crate::apply::PlacementError;
use crate::archive::ArchiveError;
use crate::fetch::FetchError;
use crate::plan::PlanError;
use crate::source::GatherError;

/// Why content is not imported: the fault of the content, its source, or who named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The stable reason.
    pub reason: Reason,
    /// One sentence for people.
    pub message: String,
    /// What is wrong, at the field of the request that names the content.
    pub details: Vec<FieldError>,
}

impl Refusal {
    /// Why content can't be had; `None` for a fault of this machine. `field` is where the caller named the content: `url` or `file`.
    #[must_use]
    pub fn of_gathering(field: &str, error: &GatherError) -> Option<Self> {
        let reason = match error {
            GatherError::Fetch(FetchError::Spool(_))
            | GatherError::Interrupted(_)
            | GatherError::Spool(_)
            | GatherError::Archive(ArchiveError::Spool(_)) => return None,
            GatherError::Fetch(error) => return Some(Self::at(fetch_reason(error), field, error)),
            GatherError::Archive(error) => return Some(Self::at(archive_reason(error), field, error)),
            GatherError::HtmlInsteadOfMarkdown | GatherError::WrongKind { .. } | GatherError::NoWebsite => {
                Reason::ImportInvalid
            }
            GatherError::NotShared | GatherError::RobotsRefuse => Reason::FetchRefused,
            GatherError::TooManyPages { .. } | GatherError::TooLargeWebsite { .. } => Reason::ImportTooLarge,
        };
        Some(Self::at(reason, field, error))
    }

    /// Why nothing can be made of content.
    #[must_use]
    pub fn of_planning(field: &str, error: &PlanError) -> Self {
        let reason = match error {
            PlanError::Empty { .. } => Reason::ImportEmpty,
            PlanError::Unreadable { .. } => Reason::ImportInvalid,
            PlanError::PageTooLarge { .. }
            | PlanError::TooMuchText { .. }
            | PlanError::TooManyPages { .. } => Reason::ImportTooLarge,
        };
        Self::at(reason, field, error)
    }

    /// Why a plan doesn't go where it should.
    #[must_use]
    pub fn of_placing(error: &PlacementError) -> Self {
        let message = format!("The import doesn't fit here: {error}.");
        Self { reason: Reason::ImportInvalid, message, details: Vec::new() }
    }

    /// The error as it travels.
    #[must_use]
    pub fn body(self) -> ErrorBody {
        ErrorBody::new(self.reason).with_message(self.message).with_details(self.details)
    }

    fn at(reason: Reason, field: &str, error: &dyn std::error::Error) -> Self {
        let details = vec![FieldError { field: field.to_owned(), message: error.to_string() }];
        Self { reason, message: reason.message().to_owned(), details }
    }
}

fn fetch_reason(error: &FetchError) -> Reason {
    match error {
        FetchError::InvalidUrl { .. } | FetchError::Refused { .. } => Reason::FetchRefused,
        FetchError::TooLarge { .. } => Reason::ImportTooLarge,
        FetchError::Failed { .. }
        | FetchError::Unreachable(_)
        | FetchError::Spool(_)
        | FetchError::TooManyRedirects { .. }
        | FetchError::TimedOut { .. } => Reason::FetchFailed,
    }
}

fn archive_reason(error: &ArchiveError) -> Reason {
    match error {
        ArchiveError::Unreadable { .. } => Reason::ImportInvalid,
        _ => Reason::ImportTooLarge,
    }
}
