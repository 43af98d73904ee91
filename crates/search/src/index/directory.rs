//! Directory of an index.
//!
//! Each process uses and locks a folder of its own below the configured one: `0`, `1` and so on. A folder whose index
//! can't be opened, is damaged or has another version is emptied, since all data in it is derived.

use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tantivy::Index;

use super::files::Files;
use crate::schema::{FIELDS, builder, tokenizers};
use crate::{Error, Result};

/// Version of the index. Changes whenever the same page is indexed as another document.
const VERSION: &str = "8";
/// Maximum number of processes that share a configured folder.
const PROCESSES: usize = 16;
const LOCK: &str = "lock";
const VERSION_FILE: &str = "version";
const REBUILD: &str = "rebuild";
const INDEX: &str = "index";

/// Folder that this process has locked.
pub(super) struct Directory {
    folder: Option<PathBuf>,
    /// Open file that holds the lock.
    _lock: Option<File>,
}

impl Directory {
    pub(super) fn open(configured: Option<&Path>) -> Result<(Self, Index)> {
        let Some(configured) = configured else {
            return Ok((Self { folder: None, _lock: None }, in_memory()?));
        };
        let (folder, lock) = lock_free(configured)?;
        let index = match existing(&folder) {
            Some(index) => index,
            None => make(&folder)?,
        };
        Ok((Self { folder: Some(folder), _lock: Some(lock) }, index))
    }

    /// Creates an empty index in the folder, or in memory if the folder can't be used.
    pub(super) fn remake(&self) -> Result<Index> {
        let Some(folder) = &self.folder else { return in_memory() };
        make(folder).or_else(|error| {
            log::error!("the search index is kept in memory: {error}");
            in_memory()
        })
    }

    pub(super) fn takes_rebuild(&self) -> bool {
        self.folder.as_ref().is_some_and(|folder| fs::remove_file(folder.join(REBUILD)).is_ok())
    }
}

/// Requests a rebuild of all indexes below a folder.
pub(super) fn request_rebuild(configured: &Path) -> Result<()> {
    for number in 0..PROCESSES {
        let folder = configured.join(number.to_string());
        if folder.is_dir() {
            fs::write(folder.join(REBUILD), "")?;
        }
    }
    Ok(())
}

/// Locks the first folder that no other process has locked.
fn lock_free(configured: &Path) -> Result<(PathBuf, File)> {
    for number in 0..PROCESSES {
        let folder = configured.join(number.to_string());
        make_private(configured)?;
        make_private(&folder)?;
        let lock = File::create(folder.join(LOCK))?;
        match lock.try_lock() {
            Ok(()) => return Ok((folder, lock)),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
    Err(Error::Directory(std::io::Error::other("too many processes share it")))
}

/// Creates a folder that only the account of the process can enter, regardless of the umask, and restricts an existing
/// one. The index contains words of pages that few users may read.
fn make_private(folder: &Path) -> io::Result<()> {
    folder.parent().map_or(Ok(()), fs::create_dir_all)?;
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // The permissions of a folder of another account can't be changed.
            if let Err(error) = protect(folder) {
                log::warn!("{} can't be protected: {error}", folder.display());
            }
            Ok(())
        }
        created => created,
    }
}

/// Restricts an existing folder and its files to the account of the process.
fn protect(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::set_permissions(entry.path(), Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

/// Opens the index of a folder; `None` if it can't be used.
fn existing(folder: &Path) -> Option<Index> {
    let path = folder.join(INDEX);
    if path.is_dir() {
        make_private(&path).ok()?;
    }
    let version = fs::read_to_string(folder.join(VERSION_FILE)).ok()?;
    if version != VERSION {
        return None;
    }
    let opened = Files::open(&path).map_err(tantivy::TantivyError::from);
    let index =
        opened.and_then(Index::open).inspect_err(|error| log::warn!("the search index is rebuilt: {error}"));
    let mut index = index.ok()?;
    if index.schema() != FIELDS.schema || !index.validate_checksum().is_ok_and(|damaged| damaged.is_empty()) {
        log::warn!("the search index is damaged and is rebuilt");
        return None;
    }
    index.set_tokenizers(tokenizers());
    Some(index)
}

fn in_memory() -> Result<Index> {
    Ok(builder().create_in_ram()?)
}

/// Creates an empty index.
fn make(folder: &Path) -> Result<Index> {
    let path = folder.join(INDEX);
    if path.exists() {
        fs::remove_dir_all(&path)?;
    }
    make_private(&path)?;
    let directory = Files::open(&path).map_err(tantivy::TantivyError::from)?;
    let index = builder().open_or_create(directory)?;
    fs::write(folder.join(VERSION_FILE), VERSION)?;
    Ok(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modes(root: &Path) -> Vec<(PathBuf, u32)> {
        let mut found = Vec::new();
        let mut pending = vec![root.to_owned()];
        while let Some(path) = pending.pop() {
            let metadata = fs::metadata(&path).unwrap();
            if metadata.is_dir() {
                pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            found.push((path, metadata.permissions().mode() & 0o777));
        }
        found
    }

    #[test]
    fn an_index_is_private_also_if_it_was_not() {
        let root = tempfile::tempdir().unwrap();
        let configured = root.path().join("search");
        drop(Directory::open(Some(&configured)).unwrap());
        for (path, mode) in modes(&configured).iter().filter(|(path, _)| path.is_dir()) {
            assert_eq!(*mode, 0o700, "{}", path.display());
        }
        for (path, _) in modes(&configured) {
            let mode = if path.is_dir() { 0o755 } else { 0o644 };
            fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        }
        let opened = Directory::open(Some(&configured)).unwrap();
        for (path, mode) in modes(&configured) {
            assert_eq!(mode & 0o077, 0, "{} {mode:o}", path.display());
        }
        drop(opened);
    }
}
