//! Collections.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod move_to;
pub mod spaces;
pub mod transfer;
pub mod update;
