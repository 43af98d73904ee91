//! Bytes of files, at signed URLs that need no token.

pub mod download;
