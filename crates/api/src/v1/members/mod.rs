//! Members of organizations.

pub mod get;
pub mod list;
pub mod ping;
pub mod remove;
pub mod spaces;
pub mod sso;
pub mod teams;
pub mod update;
