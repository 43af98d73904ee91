//! PDFs: a book is gathered from the database and the store, and rendered by a separate program.
//!
//! The typesetter is large and processes untrusted content. It therefore runs as a child process with limits on time,
//! memory and output, without environment variables or database access. An error ends that process only. Gathering runs
//! in this process, which also serves requests, within the limits of a book: 64 MiB of documents, which take about ten
//! times as much memory when parsed, and a few pictures at a time. A book is not retried after it crashed two workers.

mod gather;
mod pictures;
mod renderer;

pub use gather::{Gathered, GatheredImage, NoBook, gather};
pub use pictures::pictures;
pub use renderer::{Limits, PdfRenderer, RenderError};
