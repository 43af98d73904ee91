//! PDFs: a book is gathered from the database and the store, and set by a program of its own.
//!
//! The typesetter is large, and works on what anybody may have written. So it is a child process, bounded in time, memory and
//! output, without an environment and without a way to the database; what it does wrong ends it and nothing else. Gathering is done here,
//! beside the requests, and bounded by what a book may hold: 64 MiB of documents, which take about ten times as much as values, and a few
//! pictures at a time. A book that two workers were lost to is not begun a third time.

mod gather;
mod pictures;
mod renderer;

pub use gather::{Gathered, GatheredImage, NoBook, gather};
pub use pictures::pictures;
pub use renderer::{Limits, PdfRenderer, RenderError};
