//! Reads and writes of content. Reads exist for the current content of a space, for a change request and for a
//! revision, writes for the first two. One handler serves all paths.

mod answer;
pub mod changes;
pub mod convert;
pub mod deleted_pages;
pub mod difference;
pub mod document;
pub mod file;
pub mod files;
pub mod get;
pub mod input;
pub mod meta_links;
pub mod page;
pub mod page_by_path;
mod page_parts;
pub mod pages;
pub(in crate::v1) mod path;
pub mod query;
pub mod reader_document;
mod reader_form;
pub mod render;
pub mod reusable_content;
pub mod revisions;
pub mod upload;
pub mod write;
