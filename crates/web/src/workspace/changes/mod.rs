//! Change requests: lists, and the overview of one.

mod changed;
mod description;
mod list;
mod overview;
mod review;

pub(super) use list::{of_organization, of_space, of_status, row};
pub(super) use overview::overview;
