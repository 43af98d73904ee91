//! Refusals of imports, for errors caused by the content, its source or its sender.

use quire_domain::error::{Reason, Refusal};

use crate::apply::PlacementError;
use crate::archive::ArchiveError;
use crate::fetch::FetchError;
use crate::plan::PlanError;
use crate::source::GatherError;

/// Returns the refusal for a gathering error; `None` for a fault of this machine. `field` is the request field of the
/// content: `url` or `file`.
#[must_use]
pub fn of_gathering(field: &str, error: &GatherError) -> Option<Refusal> {
    let reason = match error {
        GatherError::Fetch(FetchError::Spool(_))
        | GatherError::Interrupted(_)
        | GatherError::Spool(_)
        | GatherError::Archive(ArchiveError::Spool(_)) => return None,
        GatherError::Fetch(error) => return Some(at(fetch_reason(error), field, error)),
        GatherError::Archive(error) => return Some(at(archive_reason(error), field, error)),
        GatherError::HtmlInsteadOfMarkdown | GatherError::WrongKind { .. } | GatherError::NoWebsite => {
            Reason::ImportInvalid
        }
        GatherError::NotShared | GatherError::RobotsRefuse => Reason::FetchRefused,
        GatherError::TooManyPages { .. } | GatherError::TooLargeWebsite { .. } => Reason::ImportTooLarge,
    };
    Some(at(reason, field, error))
}

/// Returns the refusal for a planning error; `None` for a fault of this machine.
#[must_use]
pub fn of_planning(field: &str, error: &PlanError) -> Option<Refusal> {
    let reason = match error {
        PlanError::Empty { .. } => Reason::ImportEmpty,
        PlanError::Unreadable { .. } => Reason::ImportInvalid,
        PlanError::PageTooLarge { .. } | PlanError::TooMuchText { .. } | PlanError::TooManyPages { .. } => {
            Reason::ImportTooLarge
        }
        PlanError::Spool { .. } => return None,
    };
    Some(at(reason, field, error))
}

/// Returns the refusal for a placement error; `None` for a fault of this machine.
#[must_use]
pub fn of_placing(error: &PlacementError) -> Option<Refusal> {
    let refused = !matches!(error, PlacementError::Spool { .. });
    refused.then(|| {
        Refusal::new(Reason::ImportInvalid)
            .with_message(format!("The import cannot be applied here: {error}."))
    })
}

fn at(reason: Reason, field: &str, error: &dyn std::error::Error) -> Refusal {
    Refusal::new(reason).at(field, error.to_string())
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
