//! Imports from and exports to Git repositories.
//!
//! A requested run executes on the node that received the request, because its credentials are in memory only. The
//! synchronization of a connected space is a job: an import, then an export on top of the imported commit. A run
//! fetches one commit, without a clone on disk. Pages store the path and the object id of their files. This is all the
//! state that a synchronization needs.

mod agents;
mod changed;
mod commits;
mod compare;
mod export;
mod former;
mod gather;
mod hosted;
mod hosts;
mod import;
mod imported;
mod known;
mod merge;
mod moves;
mod others;
mod packs;
mod paths;
mod previews;
mod renames;
mod repository;
mod run;
mod runner;
mod site;
mod site_file;
mod site_merge;
mod site_save;
mod subject;
mod sync;
mod texts;

pub use hosts::{GithubApp, GithubAppError, HostedRepository};
pub use run::{CommitPerson, ExportCommit, GitRun, NewExport};
pub use runner::{GitRunner, SyncEnd};
