//! Change requests: lists, and the overview of one.

mod changed;
mod description;
mod list;
mod overview;
mod review;

use quire_domain::change_requests::Status;

pub(super) use list::{of_organization, of_space, of_status, row};
pub(super) use overview::overview;

/// Returns the icon of a status, and its name.
fn status_of(status: Status) -> (&'static str, &'static str, &'static str) {
    match status {
        Status::Draft => ("pencil", "draft", "Draft"),
        Status::Open => ("git-pull-request", "open", "Open"),
        Status::Archived => ("x", "draft", "Archived"),
        Status::Merged => ("git-merge", "merged", "Merged"),
    }
}
