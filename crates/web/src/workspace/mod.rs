//! Workspace in the browser.

mod actions;
mod additions;
mod changes;
mod collection;
mod comments;
mod conflicts;
mod content;
mod cover;
mod differences;
mod directory;
mod files;
mod forms;
mod git;
mod history;
mod home;
mod imports;
mod inbox;
mod page_actions;
mod page_fields;
mod page_settings;
mod pages;
mod requests;
mod reusable;
mod rights;
mod routes;
mod search;
mod settings;
mod shell;
pub(crate) mod sign_in;
mod sign_in_link;
mod sites;
mod space;
mod tables;
mod trash;
mod tree;

pub(crate) use routes::endpoints;
