//! Ring buffer of records in an unnamed file of fixed size. New records overwrite the oldest.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A record may take at most one part in this many of the file.
const LARGEST_PART: u64 = 8;

/// File of records. The system removes it when the process ends for any reason.
#[derive(Debug)]
pub(crate) struct Ring {
    file: File,
    bytes: u64,
    /// Number of bytes written so far, including skipped ones. The file contains the last of them.
    head: AtomicU64,
    writer: Mutex<()>,
}

/// Location of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordLocation {
    /// Number of bytes written before the record.
    at: u64,
    length: usize,
}

impl Ring {
    /// Creates a file of at most this many bytes.
    pub(crate) fn create(bytes: u64) -> io::Result<Self> {
        let file = tempfile::tempfile()?;
        Ok(Self { file, bytes, head: AtomicU64::new(0), writer: Mutex::new(()) })
    }

    /// Writes a record. Returns `None` if it is too long.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<Option<RecordLocation>> {
        let length = u64::try_from(bytes.len()).map_err(io::Error::other)?;
        if length > self.bytes.div_euclid(LARGEST_PART) {
            return Ok(None);
        }
        let _turn = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let head = self.head.load(Ordering::Relaxed);
        // A record must be contiguous. It starts at the beginning of the file if the rest is too short.
        let left = self.bytes.saturating_sub(self.place(head));
        let at = if left < length { head.saturating_add(left) } else { head };
        // Updated before the bytes are overwritten, so that a reader of the old ones notices.
        self.head.store(at.saturating_add(length), Ordering::SeqCst);
        self.file.write_all_at(bytes, self.place(at))?;
        Ok(Some(RecordLocation { at, length: bytes.len() }))
    }

    /// Reads a record. Returns `None` if it was overwritten.
    pub(crate) fn read(&self, record: RecordLocation) -> io::Result<Option<Vec<u8>>> {
        let RecordLocation { at, length } = record;
        let is_there = || self.head.load(Ordering::SeqCst) <= at.saturating_add(self.bytes);
        if !is_there() {
            return Ok(None);
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, self.place(at))?;
        Ok(is_there().then_some(bytes))
    }

    fn place(&self, at: u64) -> u64 {
        at.checked_rem(self.bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_records_are_overwritten() {
        let ring = Ring::create(80).unwrap();
        let records: Vec<RecordLocation> =
            (1..=20_u8).map(|number| ring.write(&[number; 9]).unwrap().unwrap()).collect();
        let kept: Vec<Vec<u8>> = records.iter().filter_map(|record| ring.read(*record).unwrap()).collect();
        assert!(kept.len() >= 7, "{}", kept.len());
        let last = (21 - u8::try_from(kept.len()).unwrap()..=20).map(|number| vec![number; 9]);
        assert!(kept.into_iter().eq(last));
        assert!(ring.file.metadata().unwrap().len() <= 80);
    }

    #[test]
    fn a_long_record_is_refused() {
        let ring = Ring::create(80).unwrap();
        assert!(ring.write(&[0; 11]).unwrap().is_none());
        let record = ring.write(&[7; 10]).unwrap().unwrap();
        assert_eq!(ring.read(record).unwrap(), Some(vec![7; 10]));
        assert!(Ring::create(0).unwrap().write(&[0]).unwrap().is_none());
    }
}
