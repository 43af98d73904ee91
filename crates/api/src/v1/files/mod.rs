//! The bytes of files, at addresses that work without a token.

pub mod download;
mod range;
