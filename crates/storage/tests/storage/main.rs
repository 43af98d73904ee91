//! The store against a real PostgreSQL.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod bin;
mod buckets;
mod catalogue;
mod email_domains;
mod failures;
mod files;
mod groups;
mod heads;
mod invites;
mod jobs;
mod keys;
mod lookups;
mod pages;
mod plans;
mod renderers;
mod roles;
mod rules;
mod schema_document;
mod search;
mod sessions;
mod webhooks;
