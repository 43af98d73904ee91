//! Reading and writing content. Each endpoint is there for a space's current content, for a change request's and for any revision: the path
//! says which, and one handler serves all three.

pub mod document;
pub mod file;
pub mod files;
pub mod get;
pub mod pages;
mod place;
pub mod query;
pub mod reusable_content;
pub mod upload;
pub mod write;
