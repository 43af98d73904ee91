//! Files of an index.

use std::fs::{self, File, Permissions};
use std::io;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, OwnedBytes, WatchCallback, WatchHandle,
    WritePtr,
};
use tantivy::{HasLen, Result};

/// Extension of the files with the texts of pages.
const TEXTS: &str = "store";
/// Maximum length in bytes of a range that is read. Longer ranges are mapped.
const LONGEST_READ: usize = 64 << 10;

/// Files of an index. They are mapped into memory, except for the texts of pages, which are read.
///
/// The texts are nine tenths of an index. If they were mapped, each text in an answer would count as memory of the
/// process until the system reclaims it.
#[derive(Clone, Debug)]
pub(super) struct Files {
    folder: PathBuf,
    mapped: MmapDirectory,
}

impl Files {
    pub(super) fn open(folder: &Path) -> std::result::Result<Self, OpenDirectoryError> {
        Ok(Self { folder: folder.to_owned(), mapped: MmapDirectory::open(folder)? })
    }

    /// Restricts a new file to the account of the process. The engine creates files with the umask.
    fn protect(&self, path: &Path) -> io::Result<()> {
        fs::set_permissions(self.folder.join(path), Permissions::from_mode(0o600))
    }
}

impl Directory for Files {
    fn get_file_handle(&self, path: &Path) -> std::result::Result<Arc<dyn FileHandle>, OpenReadError> {
        let mapped = self.mapped.get_file_handle(path)?;
        if path.extension().is_none_or(|extension| extension != TEXTS) {
            return Ok(mapped);
        }
        let file = File::open(self.folder.join(path))
            .map_err(|error| OpenReadError::wrap_io_error(error, path.to_owned()))?;
        Ok(Arc::new(Texts { file, mapped }))
    }

    fn delete(&self, path: &Path) -> std::result::Result<(), DeleteError> {
        self.mapped.delete(path)
    }

    fn exists(&self, path: &Path) -> std::result::Result<bool, OpenReadError> {
        self.mapped.exists(path)
    }

    fn open_write(&self, path: &Path) -> std::result::Result<WritePtr, OpenWriteError> {
        let writer = self.mapped.open_write(path)?;
        self.protect(path).map_err(|error| OpenWriteError::wrap_io_error(error, path.to_owned()))?;
        Ok(writer)
    }

    fn atomic_read(&self, path: &Path) -> std::result::Result<Vec<u8>, OpenReadError> {
        self.mapped.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.mapped.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.mapped.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> std::result::Result<DirectoryLock, LockError> {
        let held = self.mapped.acquire_lock(lock)?;
        self.protect(&lock.filepath).map_err(LockError::wrap_io_error)?;
        Ok(held)
    }

    fn watch(&self, callback: WatchCallback) -> Result<WatchHandle> {
        self.mapped.watch(callback)
    }
}

/// File with texts of pages. Merges of segments read the whole file, mapped.
#[derive(Debug)]
struct Texts {
    file: File,
    mapped: Arc<dyn FileHandle>,
}

impl FileHandle for Texts {
    #[cfg(unix)]
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        use std::os::unix::fs::FileExt as _;

        if range.len() > LONGEST_READ || range.end > self.len() {
            return self.mapped.read_bytes(range);
        }
        let mut bytes = vec![0; range.len()];
        let start = u64::try_from(range.start).map_err(io::Error::other)?;
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(OwnedBytes::new(bytes))
    }

    #[cfg(not(unix))]
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        self.mapped.read_bytes(range)
    }
}

impl HasLen for Texts {
    fn len(&self) -> usize {
        self.mapped.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_in_parts_and_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        let bytes: Vec<u8> = (0..=250).cycle().take(3 * LONGEST_READ).collect();
        for name in ["a.store", "a.pos"] {
            fs::write(folder.path().join(name), &bytes).unwrap();
            let handle = files.get_file_handle(Path::new(name)).unwrap();
            for range in [0..1, 70..900, 1..LONGEST_READ + 1, 2..LONGEST_READ + 3, 0..bytes.len(), 5..5] {
                assert_eq!(&*handle.read_bytes(range.clone()).unwrap(), &bytes[range.clone()], "{range:?}");
            }
        }
        let missing = files.get_file_handle(Path::new("b.store"));
        assert!(matches!(missing, Err(OpenReadError::FileDoesNotExist(_))));
    }

    /// A merge removes old segments while searches read them.
    #[test]
    fn a_file_is_read_after_its_removal() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        let path = folder.path().join("a.store");
        fs::write(&path, b"text").unwrap();
        let handle = files.get_file_handle(Path::new("a.store")).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(&*handle.read_bytes(1..3).unwrap(), b"ex");
    }
}
