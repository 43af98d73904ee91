//! Grants of roles on spaces and collections.

pub mod aggregate;
pub mod grant;
pub mod list_teams;
pub mod list_users;
mod place;
pub mod remove;
pub mod update;
