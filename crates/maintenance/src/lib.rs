#![doc = include_str!("../README.md")]

mod archive;
mod backup;
mod check;
mod error;
mod files;
mod organization;
mod restore;

pub use archive::{FileCounts, Header, Kind, Manifest};
pub use backup::{Source, back_up};
pub use check::{CheckOptions, Finding, Report, check};
pub use error::{Error, Result};
pub use organization::{export_organization, import_organization};
pub use restore::{Restored, Target, restore};
