//! Imports from and exports to Git repositories.
//!
//! A run by request is on the node that took its request: its credentials are in memory only. Synchronizations of a
//! connected space are jobs: an import, then an export on the commit that was imported. A run fetches one commit,
//! without a clone on disk. Pages know the path and the object id of their files, which is the whole memory of a
//! synchronization.

mod agents;
mod changed;
mod compare;
mod export;
mod gather;
mod hosts;
mod import;
mod known;
mod merge;
mod packs;
mod paths;
mod previews;
mod repository;
mod run;
mod runner;
mod site;
mod site_file;
mod site_save;
mod subject;
mod sync;
mod texts;

pub use hosts::{GithubApp, GithubAppError, HostedRepository};
pub use run::{GitRun, NewExport};
pub use runner::{GitRunner, SyncEnd};
