#![doc = include_str!("../README.md")]

pub mod archive;
mod crawl;
mod dialect;
pub mod drawing;
mod encoding;
pub mod fetch;
mod include;
mod layout;
mod path;
pub mod plan;
mod report;
pub mod source;
pub mod spool;
mod summary;
pub mod tree;
