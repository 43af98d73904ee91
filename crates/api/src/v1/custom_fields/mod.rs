//! Custom fields of organizations, and their values in spaces.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod set_in_space;
pub mod space;
pub mod update;
