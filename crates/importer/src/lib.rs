#![doc = include_str!("../README.md")]

pub mod archive;
mod encoding;
pub mod fetch;
mod path;
pub mod report;
pub mod tree;
