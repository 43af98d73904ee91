//! Number of entries that an archive declares, read from the records at its end.
//!
//! The zip reader allocates a record for each entry before it reports their number. These functions find the records
//! that it uses, without reading the entries: the last end-of-directory record whose directory ends where the record
//! begins, and the records after it that the reader tries first. Such records elsewhere belong to archives stored in
//! this one, or are packed data that happen to look like one. Layouts: PKWARE's APPNOTE 4.3.14 to 4.3.16.

use zip::result::{ZipError, ZipResult};

use crate::spool::Content;

/// Bytes of an end-of-directory record without its comment.
const END: usize = 22;
/// Bytes of the locator of a zip64 record, which is directly before the end-of-directory record.
const LOCATOR: usize = 20;
/// Bytes of a zip64 record without its extensible data.
const ZIP64: usize = 56;
/// Maximum length of an archive's comment.
const COMMENT: usize = 65_535;
/// Maximum distance of a zip64 record from its locator. Its extensible data are reserved for PKWARE.
const EXTENSIBLE: usize = 65_535;

/// Size of the directory of an archive, as declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Declared {
    /// Number of entries.
    pub(super) entries: u64,
    /// Size of the directory in bytes, including the names of entries; `None` if it is unclear where the zip reader
    /// finds it.
    pub(super) directory: Option<u64>,
}

/// Returns the declared size of the directory of an archive; `None` without a record at its end, in which case the zip
/// reader fails.
///
/// # Errors
/// [`ZipError::InvalidArchive`] for a locator without its record, [`ZipError::Io`] if the disk fails.
pub(super) fn declared(archive: &Content) -> ZipResult<Option<Declared>> {
    let from = archive.len().saturating_sub(EXTENSIBLE + ZIP64 + LOCATOR + END + COMMENT + 4);
    let bytes = archive.part(from, usize::MAX)?;
    let tail = Tail { archive, bytes: &bytes, from };
    let first = bytes.len().saturating_sub(END + COMMENT + 4);
    let mut declared: Option<Declared> = None;
    for at in (first..bytes.len()).rev() {
        let Some(end) = tail.end(at)? else { continue };
        declared = Some(match declared {
            None => Declared { entries: end.entries, directory: end.directory },
            Some(other) => Declared { entries: end.entries.max(other.entries), directory: None },
        });
        if end.directory.is_some() {
            break;
        }
    }
    Ok(declared)
}

/// End-of-directory record that the zip reader may use.
struct End {
    entries: u64,
    /// Size of the directory in bytes if the zip reader accepts this record: the directory ends where the record
    /// begins, or there are no entries.
    directory: Option<u64>,
}

/// Last bytes of an archive.
struct Tail<'a> {
    archive: &'a Content,
    bytes: &'a [u8],
    /// Offset of the bytes in the archive.
    from: usize,
}

impl Tail<'_> {
    /// Returns the end-of-directory record at an offset of the tail.
    fn end(&self, at: usize) -> ZipResult<Option<End>> {
        let Some(record) = self.record(at, END, *b"PK\x05\x06") else { return Ok(None) };
        let (entries, size, directory) = (u16_at(record, 10), u32_at(record, 12), u32_at(record, 16));
        if self.bytes.len() - at - END < usize::from(u16_at(record, 20)) {
            return Ok(None);
        }
        let may_be_zip64 = entries == u16::MAX || size == u32::MAX || directory == u32::MAX;
        let locator = at.checked_sub(LOCATOR).filter(|_| may_be_zip64);
        let locator = locator.and_then(|at| Some((at, self.record(at, LOCATOR, *b"PK\x06\x07")?)));
        if let Some((at, locator)) = locator {
            return self.zip64(at, u64_at(locator, 8)).map(Some);
        }
        let position = offset(self.from + at);
        let (entries, size, directory) = (u64::from(entries), u64::from(size), u64::from(directory));
        if entries == 0 {
            return Ok((directory <= position).then_some(End { entries, directory: Some(0) }));
        }
        let start = position.checked_sub(size).filter(|start| *start >= directory);
        let is_certain = start.is_some_and(|start| self.begins_directory(start));
        let end = End { entries, directory: is_certain.then_some(size) };
        Ok((directory < position).then_some(end))
    }

    /// Returns the zip64 record that ends at its locator.
    fn zip64(&self, locator: usize, record_offset: u64) -> ZipResult<End> {
        let nearest = locator.checked_sub(ZIP64);
        let candidates = nearest.map_or(0..0, |last| locator.saturating_sub(EXTENSIBLE + ZIP64)..last + 1);
        let ends_here = |at: &usize| {
            let record = self.record(*at, ZIP64, *b"PK\x06\x06")?;
            let length = u64_at(record, 4).checked_add(12)?;
            (length == offset(locator - at)).then_some(record)
        };
        let records = candidates.rev().filter_map(|at| ends_here(&at));
        let counts = records.map(|record| {
            let (entries, size, directory) = (u64_at(record, 32), u64_at(record, 40), u64_at(record, 48));
            let is_certain = directory.checked_add(size) == Some(record_offset);
            End { entries, directory: is_certain.then_some(size) }
        });
        let missing = ZipError::InvalidArchive("the zip64 record is missing".into());
        counts.max_by_key(|end| end.entries).ok_or(missing)
    }

    fn record(&self, at: usize, length: usize, signature: [u8; 4]) -> Option<&[u8]> {
        self.bytes.get(at..at.checked_add(length)?).filter(|bytes| bytes.starts_with(&signature))
    }

    fn begins_directory(&self, start: u64) -> bool {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        self.archive.part(start, 4).is_ok_and(|bytes| bytes == b"PK\x01\x02"[..])
    }
}

fn offset(position: usize) -> u64 {
    u64::try_from(position).unwrap_or(u64::MAX)
}

fn array_at<const N: usize>(record: &[u8], at: usize) -> [u8; N] {
    record.get(at..).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or([0; N])
}

fn u16_at(record: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(array_at(record, at))
}

fn u32_at(record: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(record, at))
}

fn u64_at(record: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(record, at))
}
