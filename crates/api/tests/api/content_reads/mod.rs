//! Reads of content of a space, a change request and a revision.

mod access;
mod cached;
mod changes;
mod files;
mod markdown;
mod page;
mod pages;
mod parameters;
mod reader_document;
mod revision;
mod tags;
