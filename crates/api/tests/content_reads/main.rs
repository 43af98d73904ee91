//! Reading content: of a space, of a change request and of a revision.
#![allow(clippy::unwrap_used, reason = "a test that can't go on can only fail")]

mod access;
mod changes;
mod files;
mod markdown;
mod page;
mod revision;
mod tags;
