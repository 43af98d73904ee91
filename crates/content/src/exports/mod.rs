//! Content as an archive of Markdown that an import reads back: `SUMMARY.md`, `README.md` for the first page, a file for each other
//! page in the folders of its path, files below `.gitbook/assets`, reusable contents below `.gitbook/includes`.
//!
//! No id, no time and no order of work is in it: the same content gives the same bytes, in whatever space it stands.

mod archive;
mod export;
mod layout;
mod summary;

pub use export::Export;

#[cfg(test)]
mod tests;
