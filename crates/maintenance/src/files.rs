//! Blocking access to the store of files.

use std::io::{self, Read, Seek as _, SeekFrom, Write};

use bytes::Bytes;
use futures_util::stream;
use quire_revision::BlobHash;
use quire_storage::content::files::{FileStore, StoredFile, StoredUpload};
use sha2::{Digest as _, Sha256};
use tokio::runtime::{Builder, Runtime};

use crate::{Error, Result};

/// Maximum number of bytes per read or write.
const PIECE: u64 = 4 << 20;
/// Size in bytes beyond which an object is kept in a temporary file instead of memory.
const IN_MEMORY: usize = 32 << 20;

/// Store of files, with the runtime for its asynchronous operations.
pub(crate) struct Files {
    pub(crate) store: FileStore,
    pub(crate) runtime: Runtime,
}

/// Name of an object in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    File(StoredFile),
    Upload(StoredUpload),
}

/// Complete bytes of an object, in memory or in an unnamed temporary file.
pub(crate) struct Spooled {
    file: tempfile::SpooledTempFile,
    /// Number of bytes.
    pub(crate) size: u64,
    /// SHA-256 of the bytes.
    pub(crate) hash: BlobHash,
}

impl Files {
    pub(crate) fn new(store: FileStore) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::Io("no runtime can be made".to_owned(), error))?;
        Ok(Self { store, runtime })
    }

    /// Reads an object of this size; `None` if the store lacks it, or has it with another size.
    pub(crate) fn read(&self, object: Object, size: u64) -> Result<Option<Spooled>> {
        let read = self.read_pieces(object, size);
        // A store may refuse a range beyond the end of the object, so the size decides whether it is an error.
        if let (Err(_), Object::File(file)) = (&read, object)
            && self.runtime.block_on(self.store.size(file.space, file.hash))? != Some(size)
        {
            return Ok(None);
        }
        read
    }

    fn read_pieces(&self, object: Object, size: u64) -> Result<Option<Spooled>> {
        let mut spool = Spool::new();
        // A file without bytes is still there or not.
        let mut end = 0;
        while end < size || end == 0 {
            let start = end;
            end = size.min(start.saturating_add(PIECE));
            let part = (size > 0).then_some(start..end);
            let piece = match object {
                Object::File(file) => self.runtime.block_on(self.store.get(file.space, file.hash, part))?,
                Object::Upload(_) if size == 0 => Some(Bytes::new()),
                Object::Upload(upload) => {
                    self.runtime.block_on(self.store.upload_part(upload, start..end))?
                }
            };
            let Some(piece) = piece else { return Ok(None) };
            spool.write(&piece)?;
            if size == 0 || piece.is_empty() {
                break;
            }
        }
        spool.finish().map(Some)
    }

    /// Writes an object.
    pub(crate) fn write(&self, object: Object, spooled: Spooled) -> Result<()> {
        let pieces = stream::iter(Pieces(spooled.file));
        match object {
            Object::File(file) => {
                self.runtime.block_on(self.store.put_pieces(file.space, file.hash, pieces))?;
            }
            Object::Upload(upload) => self.runtime.block_on(self.store.keep_upload(upload, pieces))?,
        }
        Ok(())
    }
}

impl Spooled {
    /// Reads until the end of the reader.
    pub(crate) fn from_reader(reader: &mut impl Read) -> Result<Self> {
        let mut spool = Spool::new();
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = reader
                .read(&mut buffer)
                .map_err(|error| Error::Io("the archive is damaged".to_owned(), error))?;
            match buffer.get(..read) {
                Some([]) | None => return spool.finish(),
                Some(piece) => spool.write(piece)?,
            }
        }
    }

    /// Returns a reader that begins at the first byte.
    pub(crate) fn reader(&mut self) -> impl Read {
        &mut self.file
    }
}

struct Spool {
    file: tempfile::SpooledTempFile,
    hasher: Sha256,
    size: u64,
}

impl Spool {
    fn new() -> Self {
        Self { file: tempfile::spooled_tempfile(IN_MEMORY), hasher: Sha256::new(), size: 0 }
    }

    fn write(&mut self, piece: &[u8]) -> Result<()> {
        self.hasher.update(piece);
        self.size = self.size.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
        self.file.write_all(piece).map_err(spool_failed)
    }

    fn finish(mut self) -> Result<Spooled> {
        self.file.seek(SeekFrom::Start(0)).map_err(spool_failed)?;
        let hash = BlobHash::from_bytes(self.hasher.finalize().into());
        Ok(Spooled { file: self.file, size: self.size, hash })
    }
}

fn spool_failed(error: io::Error) -> Error {
    Error::Io("a temporary file can't be written".to_owned(), error)
}

/// Bytes of a file as a stream of chunks.
struct Pieces(tempfile::SpooledTempFile);

impl Iterator for Pieces {
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut piece = Vec::new();
        match (&mut self.0).take(PIECE).read_to_end(&mut piece) {
            Ok(0) => None,
            Ok(_) => Some(Ok(piece.into())),
            Err(error) => Some(Err(error)),
        }
    }
}
