//! What is wrong with an import, told to whoever asked for it.

use quire_domain::error::{FieldError, Reason};
use quire_importer::archive::ArchiveError;
use quire_importer::fetch::FetchError;
use quire_importer::plan::PlanError;
use quire_importer::source::GatherError;

use crate::error::ApiError;

/// The answer when the content can't be had. `field` is where the caller named it: `url` or `file`.
#[must_use]
pub fn gather_error(field: &str, error: GatherError) -> ApiError {
    match error {
        GatherError::Fetch(error) => fetch_error(field, &error),
        GatherError::HtmlInsteadOfMarkdown | GatherError::WrongKind { .. } | GatherError::NoWebsite => {
            at(Reason::ImportInvalid, field, &error)
        }
        GatherError::NotShared | GatherError::RobotsRefuse => at(Reason::FetchRefused, field, &error),
        GatherError::TooManyPages { .. } | GatherError::TooLargeWebsite { .. } => {
            at(Reason::ImportTooLarge, field, &error)
        }
        GatherError::Interrupted(error) => ApiError::internal(error),
        GatherError::Spool(error) | GatherError::Archive(ArchiveError::Spool(error)) => {
            ApiError::internal(error)
        }
        GatherError::Archive(error) => archive_error(field, &error),
    }
}

/// The answer when nothing can be made of the content.
#[must_use]
pub fn plan_error(field: &str, error: PlanError) -> ApiError {
    match error {
        PlanError::Empty { .. } => at(Reason::ImportEmpty, field, &error),
        PlanError::TooMuchText { .. } | PlanError::TooManyPages { .. } => {
            at(Reason::ImportTooLarge, field, &error)
        }
    }
}

fn fetch_error(field: &str, error: &FetchError) -> ApiError {
    let reason = match error {
        FetchError::InvalidUrl { .. } | FetchError::Refused { .. } => Reason::FetchRefused,
        FetchError::TooLarge { .. } => Reason::ImportTooLarge,
        FetchError::Failed { .. }
        | FetchError::Unreachable(_)
        | FetchError::TooManyRedirects { .. }
        | FetchError::TimedOut { .. } => Reason::FetchFailed,
    };
    at(reason, field, error)
}

fn archive_error(field: &str, error: &ArchiveError) -> ApiError {
    let reason = match error {
        ArchiveError::Unreadable { .. } => Reason::ImportInvalid,
        _ => Reason::ImportTooLarge,
    };
    at(reason, field, error)
}

fn at(reason: Reason, field: &str, error: &dyn std::error::Error) -> ApiError {
    let message = error.to_string();
    ApiError::new(reason).with_details(vec![FieldError { field: field.to_owned(), message }])
}
