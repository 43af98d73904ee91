//! Grants of roles on spaces and collections.

pub mod aggregate;
pub mod grant;
pub mod list_teams;
pub mod list_users;
pub mod remove;
mod target;
pub mod update;
