//! Imports from and exports to Git repositories.
//!
//! A run is on the node that took its request: its credentials are in memory only. It fetches one commit, without a
//! clone on disk. Pages know the path and the object id of their files, which is the whole memory of a synchronization.

mod export;
mod gather;
mod import;
mod merge;
mod paths;
mod run;
mod runner;

pub use run::{GitRun, NewExport};
pub use runner::GitRunner;
