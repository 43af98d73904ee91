//! Storage of files' bytes, on disk if they are large.
//!
//! An import may have a hundred megabytes of pictures that are read one after the other. They are kept in unnamed
//! temporary files, which are deleted with the last reference to their contents.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write as _};
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt as _};

use crate::blocking::Threads;

/// Minimum size of files that are kept on disk. Archives may have thousands of smaller ones, and a system call costs
/// more than keeping them in memory.
const SPOOLED_FROM: usize = 1024;
/// Bytes read or written at once.
pub const PIECE: usize = 1024 * 1024;

/// The bytes of a file.
#[derive(Debug, Clone)]
pub struct Content(Store);

#[derive(Debug, Clone)]
enum Store {
    Memory(Bytes),
    Disk { spool: Arc<File>, at: u64, length: usize },
}

impl Content {
    /// Returns the number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Store::Memory(bytes) => bytes.len(),
            Store::Disk { length, .. } => *length,
        }
    }

    /// Returns whether there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads all bytes.
    pub fn read(&self) -> io::Result<Bytes> {
        self.part(0, usize::MAX)
    }

    /// Returns the first bytes, at most `most`.
    pub fn head(&self, most: usize) -> io::Result<Bytes> {
        self.part(0, most)
    }

    /// Returns the bytes starting at `from`, at most `most`; empty past the end.
    pub fn part(&self, from: usize, most: usize) -> io::Result<Bytes> {
        let from = from.min(self.len());
        let size = most.min(self.len() - from);
        match &self.0 {
            Store::Memory(bytes) => Ok(bytes.slice(from..from + size)),
            Store::Disk { .. } => {
                let mut bytes = vec![0; size];
                self.fill(from, &mut bytes)?;
                Ok(bytes.into())
            }
        }
    }

    /// Copies bytes starting at `from` into the buffer and returns their number.
    fn fill(&self, from: usize, buffer: &mut [u8]) -> io::Result<usize> {
        let from = from.min(self.len());
        let size = buffer.len().min(self.len() - from);
        let Some(buffer) = buffer.get_mut(..size) else { return Ok(0) };
        match &self.0 {
            Store::Memory(bytes) => buffer.copy_from_slice(&bytes.slice(from..from + size)),
            Store::Disk { spool, at, .. } => {
                spool.read_exact_at(buffer, *at + u64::try_from(from).map_err(io::Error::other)?)?;
            }
        }
        Ok(size)
    }

    /// Returns the bytes in pieces of this size; the last one may be shorter.
    pub fn parts(&self, size: usize) -> impl Iterator<Item = io::Result<Bytes>> + Send + use<> {
        let content = self.clone();
        (0..self.len()).step_by(size.max(1)).map(move |from| content.part(from, size))
    }

    /// Returns the bytes in pieces as a stream, read on these threads.
    pub fn stream(
        &self,
        size: usize,
        threads: &Threads,
    ) -> impl Stream<Item = io::Result<Bytes>> + Send + use<> {
        let (content, threads) = (self.clone(), threads.clone());
        stream::iter((0..self.len()).step_by(size.max(1))).then(move |from| {
            let (content, threads) = (content.clone(), threads.clone());
            async move { threads.run(move || content.part(from, size)).await? }
        })
    }

    /// Returns a seekable reader of the bytes. It reads only the requested bytes from disk.
    #[must_use]
    pub fn reader(&self) -> ContentReader {
        ContentReader { content: self.clone(), at: 0 }
    }
}

impl<B: Into<Bytes>> From<B> for Content {
    fn from(bytes: B) -> Self {
        Self(Store::Memory(bytes.into()))
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && matches!((self.read(), other.read()), (Ok(one), Ok(other)) if one == other)
    }
}

/// Seekable reader of a [`Content`].
#[derive(Debug)]
pub struct ContentReader {
    content: Content,
    at: u64,
}

impl Read for ContentReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A seek may go past the end, where no bytes are read.
        let size = self.content.fill(usize::try_from(self.at).unwrap_or(usize::MAX), buffer)?;
        self.at = self.at.saturating_add(u64::try_from(size).map_err(io::Error::other)?);
        Ok(size)
    }
}

impl Seek for ContentReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let length = u64::try_from(self.content.len()).map_err(io::Error::other)?;
        let offset = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = offset.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// Error of receiving bytes.
#[derive(Debug, thiserror::Error)]
pub enum IncomingError {
    /// Too many bytes.
    #[error("it is larger than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The disk failed.
    #[error("it cannot be stored")]
    Disk(#[source] io::Error),
}

/// Collector of incoming bytes up to a limit: a few in memory, many in a temporary file.
#[derive(Debug)]
pub struct Incoming {
    limit: u64,
    length: u64,
    /// Bytes not yet written to the file.
    pending: Vec<u8>,
    file: Option<File>,
    /// The threads that write the file.
    threads: Threads,
}

impl Incoming {
    /// Accepts at most `limit` bytes, written on these threads.
    #[must_use]
    pub fn new(limit: u64, threads: &Threads) -> Self {
        Self { limit, length: 0, pending: Vec::new(), file: None, threads: threads.clone() }
    }

    /// Adds the next bytes.
    ///
    /// # Errors
    /// [`IncomingError`] if the limit is exceeded or the disk fails.
    pub async fn push(&mut self, bytes: &[u8]) -> Result<(), IncomingError> {
        self.length = self.length.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        if self.length > self.limit {
            return Err(IncomingError::TooLarge { limit: self.limit });
        }
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= PIECE {
            self.write().await.map_err(IncomingError::Disk)?;
        }
        Ok(())
    }

    /// Returns the collected bytes.
    pub async fn finish(mut self) -> io::Result<Content> {
        if self.file.is_some() && !self.pending.is_empty() {
            self.write().await?;
        }
        let length = usize::try_from(self.length).map_err(io::Error::other)?;
        Ok(match self.file {
            None => self.pending.into(),
            Some(file) => Content(Store::Disk { spool: Arc::new(file), at: 0, length }),
        })
    }

    /// Writes pending bytes to the file.
    async fn write(&mut self) -> io::Result<()> {
        let (pending, file) = (std::mem::take(&mut self.pending), self.file.take());
        let written = self.threads.run(move || {
            let mut file = match file {
                Some(file) => file,
                None => tempfile::tempfile()?,
            };
            file.write_all(&pending)?;
            Ok::<_, io::Error>((file, pending))
        });
        let (file, mut pending) = written.await??;
        pending.clear();
        (self.file, self.pending) = (Some(file), pending);
        Ok(())
    }
}

/// Store of files. Its temporary file is created with the first large one.
#[derive(Debug, Default)]
pub struct Spool {
    file: Option<Arc<File>>,
    end: u64,
}

/// Result of storing a file.
#[derive(Debug)]
pub(crate) struct StoredFile {
    /// Number of bytes read.
    pub(crate) length: u64,
    /// The file, or the read error; `None` if it exceeds the limit.
    pub(crate) content: Option<io::Result<Content>>,
}

impl Spool {
    /// Stores bytes on disk regardless of their number; in memory if the disk fails.
    pub fn keep(&mut self, bytes: &[u8]) -> Content {
        self.put(bytes).unwrap_or_else(|error| {
            log::warn!("a part of an import is kept in memory: {error}");
            Bytes::copy_from_slice(bytes).into()
        })
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<Content> {
        let spool = self.file()?;
        spool.write_all_at(bytes, self.end)?;
        self.place(spool, bytes.len())
    }

    /// Stores a file that is in memory, or in its own temporary file.
    pub(crate) fn copy(&mut self, content: &Content) -> io::Result<Content> {
        let length = content.len();
        if length < SPOOLED_FROM {
            return Ok(content.clone());
        }
        let spool = self.file()?;
        let mut end = self.end;
        for piece in content.parts(PIECE) {
            let piece = piece?;
            spool.write_all_at(&piece, end)?;
            end += u64::try_from(piece.len()).map_err(io::Error::other)?;
        }
        self.place(spool, length)
    }

    /// Stores the output of a reader, at most `bound` bytes. A long file is never in memory as a whole.
    pub(crate) fn take(&mut self, mut reader: impl Read, bound: u64) -> io::Result<StoredFile> {
        let mut reader = reader.by_ref().take(bound.saturating_add(1));
        let mut block = Vec::new();
        let mut length = 0_u64;
        loop {
            block.clear();
            let size = if length == 0 { SPOOLED_FROM } else { PIECE };
            let read = reader.by_ref().take(u64::try_from(size).unwrap_or(u64::MAX)).read_to_end(&mut block);
            let at = self.end.saturating_add(length);
            let before = length;
            length = length.saturating_add(u64::try_from(block.len()).map_err(io::Error::other)?);
            let content = match read {
                Err(error) => Some(Err(error)),
                Ok(_) if length > bound => None,
                Ok(read) if read == size => {
                    self.file()?.write_all_at(&block, at)?;
                    continue;
                }
                Ok(_) if before == 0 => Some(Ok(block.into())),
                Ok(_) => {
                    let spool = self.file()?;
                    spool.write_all_at(&block, at)?;
                    Some(Ok(self.place(spool, usize::try_from(length).map_err(io::Error::other)?)?))
                }
            };
            // The bytes of a file that is not kept are overwritten by the next one.
            return Ok(StoredFile { length, content });
        }
    }

    fn file(&mut self) -> io::Result<Arc<File>> {
        Ok(match &self.file {
            Some(spool) => Arc::clone(spool),
            None => Arc::clone(self.file.insert(Arc::new(tempfile::tempfile()?))),
        })
    }

    /// Returns the content written last.
    fn place(&mut self, spool: Arc<File>, length: usize) -> io::Result<Content> {
        let at = self.end;
        self.end += u64::try_from(length).map_err(io::Error::other)?;
        Ok(Content(Store::Disk { spool, at, length }))
    }
}

#[cfg(test)]
mod tests;
