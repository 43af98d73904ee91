//! The caller's identities at providers.

pub mod delete;
pub mod list;
