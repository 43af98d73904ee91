//! PDFs of content.

pub mod download;
pub mod request;
