#![doc = include_str!("../README.md")]

mod account;
mod archive;
mod base_backup;
mod binaries;
mod cluster;
mod config;
mod connection;
mod error;
mod initdb;
mod layout;
mod leftover;
mod lock;
mod logfile;
mod process;
mod programs;
mod supervisor;
mod wire;

pub use archive::WalArchive;
pub use base_backup::{Recovery, base_backup, recover};
pub use cluster::{Cluster, Opened};
pub use config::ClusterConfig;
pub use connection::Connection;
pub use error::ClusterError;
pub use programs::programs;
