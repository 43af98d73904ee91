//! Folder of PostgreSQL's programs, for callers that run other programs than the private cluster.

use std::path::{Path, PathBuf};

use crate::binaries::Binaries;
use crate::error::ClusterError;

/// Returns the folder of `initdb` and `postgres` that a new private cluster would use. It also holds PostgreSQL's other
/// programs. `configured` is the operator's choice.
///
/// # Errors
/// [`ClusterError::BinariesNotFound`] or [`ClusterError::TooOld`].
pub fn programs(configured: Option<&Path>) -> Result<PathBuf, ClusterError> {
    let binaries = Binaries::find(configured, None)?;
    Ok(binaries.initdb().with_file_name(""))
}
