//! The bytes of files.
