//! Subjects of change requests.

/// Subject of a change request that is created without one.
pub const DEFAULT_SUBJECT: &str = "Untitled change request";
