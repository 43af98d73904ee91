//! The bytes of files, kept on disk where they are many.
//!
//! An import may hold a hundred megabytes of pictures that are looked at one after the other. They lie in one temporary file without a
//! name, which is gone with the last of them.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use bytes::Bytes;

/// Smaller files stay in memory: a system call costs more than they do.
const SPOOLED_FROM: usize = 16 * 1024;

/// The bytes of a file.
#[derive(Debug, Clone)]
pub struct Content(Place);

#[derive(Debug, Clone)]
enum Place {
    Memory(Bytes),
    Disk { spool: Arc<File>, at: u64, length: usize },
}

impl Content {
    /// How many bytes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Place::Memory(bytes) => bytes.len(),
            Place::Disk { length, .. } => *length,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn read(&self) -> io::Result<Bytes> {
        self.head(usize::MAX)
    }

    /// The first bytes, `most` at most.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn head(&self, most: usize) -> io::Result<Bytes> {
        match &self.0 {
            Place::Memory(bytes) => Ok(bytes.slice(..bytes.len().min(most))),
            Place::Disk { spool, at, length } => {
                let mut bytes = vec![0; most.min(*length)];
                spool.read_exact_at(&mut bytes, *at)?;
                Ok(bytes.into())
            }
        }
    }
}

impl<B: Into<Bytes>> From<B> for Content {
    fn from(bytes: B) -> Self {
        Self(Place::Memory(bytes.into()))
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && matches!((self.read(), other.read()), (Ok(one), Ok(other)) if one == other)
    }
}

/// Takes files in; the temporary file is made with the first that is large enough.
#[derive(Debug, Default)]
pub(crate) struct Spool {
    file: Option<Arc<File>>,
    end: u64,
}

impl Spool {
    /// Keeps the bytes of a file.
    pub(crate) fn keep(&mut self, bytes: Vec<u8>) -> io::Result<Content> {
        if bytes.len() < SPOOLED_FROM {
            return Ok(bytes.into());
        }
        let spool = match &self.file {
            Some(spool) => Arc::clone(spool),
            None => Arc::clone(self.file.insert(Arc::new(tempfile::tempfile()?))),
        };
        (&*spool).write_all(&bytes)?;
        let at = self.end;
        self.end += u64::try_from(bytes.len()).map_err(io::Error::other)?;
        Ok(Content(Place::Disk { spool, at, length: bytes.len() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out_wherever_it_lay() {
        let mut spool = Spool::default();
        let files: Vec<Vec<u8>> = [0, 1, SPOOLED_FROM - 1, SPOOLED_FROM, 100_000]
            .iter()
            .map(|length| vec![7_u8; *length])
            .collect();
        let kept: Vec<Content> = files.iter().map(|file| spool.keep(file.clone()).unwrap()).collect();
        for (file, content) in files.iter().zip(&kept) {
            assert_eq!((content.len(), content.is_empty()), (file.len(), file.is_empty()));
            assert_eq!(content.read().unwrap(), *file);
            assert_eq!(content.head(3).unwrap(), file[..file.len().min(3)]);
        }
        assert_eq!(spool.end, u64::try_from(SPOOLED_FROM + 100_000).unwrap());
        assert_eq!(kept[4], Content::from(files[4].clone()));
    }
}
