//! Exports of content as a Markdown archive that an import can read: `SUMMARY.md`, `README.md` for the first page, a
//! file for each other page in the folders of its path, files below `.gitbook/assets`, and reusable contents below
//! `.gitbook/includes`.
//!
//! The archive contains neither ids nor times. Equal content gives equal bytes, in any space.

mod archive;
mod block;
mod export;
pub(crate) mod layout;
mod limiter;
pub(crate) mod summary;

pub use export::Export;
pub use limiter::ExportLimiter;

#[cfg(test)]
mod tests;
