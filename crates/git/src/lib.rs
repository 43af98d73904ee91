#![doc = include_str!("../README.md")]

mod address;
mod attributes;
mod commit;
mod error;
mod history;
mod http;
mod lfs;
mod limits;
mod listed;
mod remote;
mod shared;
mod store;
mod trees;

pub use address::{Account, Address};
pub use commit::{Changes, Description, NewCommit, Signature};
pub use error::GitError;
pub use gix_hash::ObjectId;
pub use history::History;
pub use lfs::LfsPointer;
pub use limits::Limits;
pub use listed::ListedCommit;
pub use remote::{Remote, RemoteRef};
pub use shared::{Fetched, Part, Shared};
pub use trees::{Skipped, Snapshot};
