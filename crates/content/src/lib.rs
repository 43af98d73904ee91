#![doc = include_str!("../README.md")]

mod analyzer;
pub mod attachments;
mod commit;
pub mod computed;
mod content_write;
pub mod differences;
mod door;
mod draft;
pub mod edits;
mod error;
mod expected;
pub mod exports;
pub mod git;
pub mod imports;
pub mod inbox;
pub mod media;
mod pacing;
pub mod page_body;
pub mod reading;
pub mod redirects;
pub mod rendering;
pub mod resolutions;
mod specs;
pub mod visible;
mod write_merge;

pub use analyzer::{MarkupAnalyzer, new_document, sections};
pub use commit::{Write, Written};
pub use content_write::ContentWrite;
pub use door::Door;
pub use draft::{Draft, DraftBase};
pub use error::{Error, Result};
pub use expected::ExpectedRevisions;
pub use write_merge::WriteMerge;
