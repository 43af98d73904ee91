//! Change requests: lists, the overview of one, and its preview.

mod changed;
mod description;
mod list;
mod overview;
mod preview;
mod review;

pub(super) use list::{of_organization, of_space, of_status, row};
pub(super) use overview::overview;
pub(super) use preview::preview;
