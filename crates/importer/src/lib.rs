#![doc = include_str!("../README.md")]

pub mod apply;
pub mod archive;
pub mod blocking;
mod conditions;
mod crawl;
mod dialect;
mod encoding;
pub mod fetch;
mod gather_error;
mod include;
mod layout;
pub mod page_layout;
mod path;
pub mod plan;
pub mod progress;
pub mod refusal;
mod report;
pub mod source;
pub mod spool;
mod stable_ids;
mod stub;
mod summary;
pub mod svg;
pub mod tree;
pub mod yaml;

pub use conditions::{condition_problem, condition_problems};
