//! Reading and writing content. Each read is there for a space's current content, for a change request's and for any
//! revision, each
//! write for the first two: the path says which, and one handler serves them all.

mod answer;
pub mod changes;
pub mod document;
pub mod file;
pub mod files;
pub mod get;
pub mod page;
pub mod page_by_path;
pub mod pages;
pub(in crate::v1) mod path;
pub mod query;
pub mod reader_document;
mod reader_form;
pub mod reusable_content;
pub mod upload;
pub mod write;
