//! Who is asked for a review of a change request.

pub mod create;
pub mod delete;
pub mod list;
