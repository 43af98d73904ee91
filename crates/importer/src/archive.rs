//! Zip archives, read with bounds.
//!
//! An archive comes from outside and may be made to hurt: entries without number, a little that unpacks to a
//! lot, paths that climb out, links. What breaks a bound refuses the archive as a whole; a single odd entry
//! is left out and reported. Archives inside of archives are files like others and never opened.

use std::io::{Cursor, Read};

use bytes::Bytes;
use zip::ZipArchive;
use zip::read::ZipFile;

use crate::report;
use crate::spool::{Content, Spool};
use crate::tree::SourceTree;

/// How much an archive may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Entries, folders included; entries of archives that are stored inside uncompressed count, too.
    pub max_entries: u64,
    /// Bytes of all files together, unpacked.
    pub max_total_bytes: u64,
    /// An entry that unpacks to more than this many bytes must not exceed `max_ratio`.
    pub ratio_from_bytes: u64,
    /// Unpacked bytes for one packed byte. Text rarely passes 20; deflate can't pass 1,032.
    pub max_ratio: u64,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self {
            max_entries: 5_000,
            max_total_bytes: 100 * 1024 * 1024,
            ratio_from_bytes: 1024 * 1024,
            max_ratio: 200,
        }
    }
}

/// Why an archive is refused as a whole.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The bytes are no zip archive, or a damaged one.
    #[error("it is not a readable zip archive")]
    Unreadable(#[source] zip::result::ZipError),
    /// More entries than allowed.
    #[error("it has {entries} entries, more than {limit}")]
    TooManyEntries {
        /// Entries the archive declares.
        entries: u64,
        /// The bound.
        limit: u64,
    },
    /// More bytes than allowed, unpacked.
    #[error("it unpacks to more than {limit} bytes")]
    TooLarge {
        /// The bound in bytes.
        limit: u64,
    },
    /// What was unpacked can't be kept on disk.
    #[error("what it holds can't be kept")]
    Spool(#[source] std::io::Error),
    /// An entry unpacks to far more than it packs, as only bombs do.
    #[error("`{path}` unpacks to more than {limit} times its packed size")]
    Ratio {
        /// Path of the entry.
        path: String,
        /// The bound.
        limit: u64,
    },
}

/// Whether `bytes` begin as a zip archive does (an empty archive included).
#[must_use]
pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Whether an archive is the package of a Word document.
#[must_use]
pub fn is_docx(bytes: &Bytes, limits: ArchiveLimits) -> bool {
    if declared_entries(bytes).is_some_and(|entries| entries > limits.max_entries) {
        return false;
    }
    let is_part = |name: &str| name == "word/document.xml" || name == "[Content_Types].xml";
    ZipArchive::new(Cursor::new(bytes))
        .is_ok_and(|archive| archive.file_names().flatten().filter(|name| is_part(name)).count() == 2)
}

/// Unpacks a zip archive: small files into memory, others into a temporary file.
///
/// # Errors
/// [`ArchiveError`] when the archive can't be read or breaks a bound.
pub fn read_zip(bytes: &Bytes, limits: ArchiveLimits) -> Result<SourceTree, ArchiveError> {
    let mut tree = SourceTree::default();
    let mut left =
        Left { bytes: limits.max_total_bytes, entries: limits.max_entries, spool: Spool::default() };
    unpack_all(&mut tree, bytes, &mut left, limits)?;
    tree.strip_top_folder();
    Ok(tree)
}

/// Unpacks an archive that holds the parts of an export, each an archive itself, as one. Archives inside of the parts stay files.
///
/// # Errors
/// [`ArchiveError`] when an archive can't be read, or all together break a bound.
pub fn read_zip_of_parts(bytes: &Bytes, limits: ArchiveLimits) -> Result<SourceTree, ArchiveError> {
    let mut tree = SourceTree::default();
    let mut left =
        Left { bytes: limits.max_total_bytes, entries: limits.max_entries, spool: Spool::default() };
    unpack_all(&mut tree, bytes, &mut left, limits)?;
    let is_part = |(path, content): (&String, &Content)| {
        path.ends_with(".zip") && content.head(4).is_ok_and(|head| is_zip(&head))
    };
    if !tree.files.is_empty() && tree.files.iter().all(is_part) {
        for (_, part) in std::mem::take(&mut tree.files) {
            let part = part.read().map_err(ArchiveError::Spool)?;
            unpack_all(&mut tree, &part, &mut left, limits)?;
        }
    }
    tree.strip_top_folder();
    Ok(tree)
}

/// What may still come out of an archive, and where it goes.
struct Left {
    bytes: u64,
    entries: u64,
    spool: Spool,
}

fn unpack_all(
    tree: &mut SourceTree,
    bytes: &Bytes,
    left: &mut Left,
    limits: ArchiveLimits,
) -> Result<(), ArchiveError> {
    // The reader makes a record of each entry before it tells how many there are, so the count comes first.
    let too_many = |entries| ArchiveError::TooManyEntries { entries, limit: limits.max_entries };
    if let Some(entries) = declared_entries(bytes).filter(|entries| *entries > left.entries) {
        return Err(too_many(entries));
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(ArchiveError::Unreadable)?;
    let entries = u64::try_from(archive.len()).unwrap_or(u64::MAX);
    left.entries = left.entries.checked_sub(entries).ok_or_else(|| too_many(entries))?;
    if archive.has_duplicate_names() {
        let message = "the archive has several files of one name; the last of them was taken";
        tree.report.push(report::changed("", message));
    }
    for index in 0..archive.len() {
        let closed = match archive.by_index(index) {
            Ok(mut entry) => {
                take_entry(tree, &mut entry, left, limits)?;
                continue;
            }
            Err(error) => refusal(&error),
        };
        let name = archive.name_for_index(index).and_then(Result::ok).unwrap_or_default().into_owned();
        tree.report.push(report::failed(name, closed));
    }
    Ok(())
}

/// Why the reader gives no access to an entry, for the report.
fn refusal(error: &zip::result::ZipError) -> String {
    match error {
        zip::result::ZipError::UnsupportedArchive(zip::result::ZipError::PASSWORD_REQUIRED) => {
            "it is encrypted".to_owned()
        }
        other => format!("it can't be unpacked: {other}"),
    }
}

/// Puts one entry into the tree, or a line about it into the report.
fn take_entry<R: Read>(
    tree: &mut SourceTree,
    entry: &mut ZipFile<'_, R>,
    left: &mut Left,
    limits: ArchiveLimits,
) -> Result<(), ArchiveError> {
    let name = entry_name(entry);
    if entry.is_dir() {
        return Ok(());
    }
    if entry.is_symlink() {
        tree.report.push(report::skipped(name, "it is a symbolic link"));
        return Ok(());
    }
    let Some(path) = tree.admit(&name) else { return Ok(()) };
    match unpack(entry, &path, &mut left.bytes, limits)? {
        Ok(bytes) => {
            tree.files.insert(path, left.spool.keep(bytes).map_err(ArchiveError::Spool)?);
        }
        Err(error) => tree.report.push(report::failed(path, format!("it can't be unpacked: {error}"))),
    }
    Ok(())
}

/// Entry names are UTF-8 in practice even where the flag that says so is missing; else they are what the flag
/// says.
fn entry_name<R: Read>(entry: &ZipFile<'_, R>) -> String {
    match std::str::from_utf8(entry.name_raw()) {
        Ok(name) => name.to_owned(),
        Err(_) => entry.name().map_or_else(
            |_| String::from_utf8_lossy(entry.name_raw()).into_owned(),
            |name| name.into_owned(),
        ),
    }
}

/// Reads an entry and takes what really came out off `left`: sizes in headers are claims, and an entry that
/// turns out damaged has cost its work, too. The outer error refuses the archive, the inner one is about this
/// entry.
fn unpack<R: Read>(
    entry: &mut ZipFile<'_, R>,
    path: &str,
    left: &mut u64,
    limits: ArchiveLimits,
) -> Result<std::io::Result<Vec<u8>>, ArchiveError> {
    let by_ratio = entry.compressed_size().saturating_mul(limits.max_ratio).max(limits.ratio_from_bytes);
    let bound = by_ratio.min(*left);
    let mut bytes = Vec::new();
    let outcome = entry.take(bound.saturating_add(1)).read_to_end(&mut bytes);
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if length > bound {
        return Err(if by_ratio < *left {
            ArchiveError::Ratio { path: path.to_owned(), limit: limits.max_ratio }
        } else {
            ArchiveError::TooLarge { limit: limits.max_total_bytes }
        });
    }
    *left -= length;
    Ok(outcome.map(|_| bytes))
}

/// The largest number of entries that any end-of-directory record in `bytes` declares, zip64 records
/// included.
///
/// The layout is that of PKWARE's APPNOTE 4.3.14 and 4.3.16: the total stands 10 bytes into the one, 32 into
/// the other.
fn declared_entries(bytes: &[u8]) -> Option<u64> {
    let count = |window: &[u8], at: usize| match window {
        b"PK\x05\x06" => {
            let field: [u8; 2] = bytes.get(at + 10..at + 12)?.try_into().ok()?;
            // All ones mean: see the zip64 record.
            Some(u16::from_le_bytes(field)).filter(|count| *count != u16::MAX).map(u64::from)
        }
        b"PK\x06\x06" => Some(u64::from_le_bytes(bytes.get(at + 32..at + 40)?.try_into().ok()?)),
        _ => None,
    };
    bytes.windows(4).enumerate().filter_map(|(at, window)| count(window, at)).max()
}

#[cfg(test)]
mod tests;
