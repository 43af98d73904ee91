//! Reader of zip archives, with bounds, and a packer of folders.
//!
//! Archives are untrusted and may be hostile: too many entries, zip bombs, paths outside the destination, links. An
//! archive that exceeds a bound is refused as a whole; a single unusable entry is skipped and reported. Nested archives
//! are plain files and are never opened.

mod ending;
mod names;
mod pack;

use std::io::{self, BufReader, Read};

use quire_domain::imports::ImportPhase;
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use self::ending::{Declared, declared};
use self::names::NameEncoding;
pub use self::pack::{PackError, pack_folder};
use crate::blocking::yield_to_requests;
use crate::path;
use crate::progress::Progress;
use crate::report;
use crate::spool::{Content, ContentReader, Spool, StoredFile};
use crate::tree::SourceTree;

/// Number of entries of an archive per entry that may be documentation, since repositories mostly consist of code.
pub const OTHER_ENTRIES: u64 = 10;

/// Maximum bytes of a directory with more entries than may be documentation, since the zip reader keeps their names.
const MAX_DIRECTORY: u64 = 16 * 1024 * 1024;

/// Limits of archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Number of entries that may be documentation: pages, images and attachments. The total number of entries,
    /// including folders, may be [`OTHER_ENTRIES`] times as large.
    pub max_entries: u64,
    /// Total unpacked bytes of all files.
    pub max_total_bytes: u64,
    /// `max_ratio` applies to entries with more unpacked bytes than this.
    pub ratio_from_bytes: u64,
    /// Unpacked bytes per packed byte. Text rarely exceeds 20; deflate cannot exceed 1,032.
    pub max_ratio: u64,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self {
            max_entries: 5_000,
            max_total_bytes: 512 * 1024 * 1024,
            ratio_from_bytes: 1024 * 1024,
            max_ratio: 200,
        }
    }
}

impl ArchiveLimits {
    fn max_of_all(&self) -> u64 {
        self.max_entries.saturating_mul(OTHER_ENTRIES)
    }
}

/// Reason why an archive is refused.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The bytes are not a zip archive, or the archive is damaged.
    #[error("it is not a readable zip archive")]
    Unreadable(#[source] zip::result::ZipError),
    /// Too many entries.
    #[error("it has {entries} entries, more than {limit}")]
    TooManyEntries {
        /// Number of entries in the archive.
        entries: u64,
        /// The limit.
        limit: u64,
    },
    /// Too many entries that may be documentation.
    #[error("it has {entries} files that may be documentation, more than {limit}")]
    TooManyFiles {
        /// Number of such entries in the archive.
        entries: u64,
        /// The limit.
        limit: u64,
    },
    /// Too many unpacked bytes.
    #[error("it unpacks to more than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The archive cannot be read from disk, or unpacked data cannot be written.
    #[error("its content cannot be stored")]
    Spool(#[source] io::Error),
    /// An entry exceeds the compression ratio, as zip bombs do.
    #[error("`{path}` unpacks to more than {limit} times its packed size")]
    Ratio {
        /// Path of the entry.
        path: String,
        /// The limit.
        limit: u64,
    },
}

/// Returns whether `bytes` begin like a zip archive, including an empty one.
#[must_use]
pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Returns whether an archive is the package of a Word document.
#[must_use]
pub fn is_docx(archive: &Content, limits: ArchiveLimits) -> bool {
    let is_small = |declared: Declared| declared.entries <= limits.max_entries;
    if !declared(archive).is_ok_and(|declared| declared.is_none_or(is_small)) {
        return false;
    }
    // The relationships of the package determine the name of the main part; its folder is always `word`.
    let is_part = |name: &str| {
        let main =
            name.strip_prefix("word/").is_some_and(|part| part.ends_with(".xml") && !part.contains('/'));
        (main, name == "[Content_Types].xml")
    };
    opened(archive).is_ok_and(|archive| {
        let parts = archive.file_names().flatten().map(|name| is_part(&name));
        parts.fold((false, false), |(main, types), part| (main | part.0, types | part.1)) == (true, true)
    })
}

fn opened(archive: &Content) -> zip::result::ZipResult<ZipArchive<BufReader<ContentReader>>> {
    ZipArchive::new(BufReader::new(archive.reader()))
}

/// Unpacks a zip archive: small files into memory, larger ones into a temporary file. The archive itself is read in
/// place.
///
/// # Errors
/// [`ArchiveError`] if the archive cannot be read or exceeds a limit.
pub fn read_zip(
    archive: &Content,
    limits: ArchiveLimits,
    progress: &Progress,
) -> Result<SourceTree, ArchiveError> {
    let mut tree = SourceTree::default();
    unpack_all(&mut tree, archive, &mut Remaining::new(limits), progress)?;
    tree.strip_top_folder();
    Ok(tree)
}

/// Unpacks an archive whose entries are archives with parts of one export. Archives inside the parts are plain files.
///
/// # Errors
/// [`ArchiveError`] if an archive cannot be read, or all together exceed a limit.
pub fn read_zip_of_parts(
    archive: &Content,
    limits: ArchiveLimits,
    progress: &Progress,
) -> Result<SourceTree, ArchiveError> {
    let mut tree = SourceTree::default();
    let mut left = Remaining::new(limits);
    unpack_all(&mut tree, archive, &mut left, progress)?;
    let is_part = |(path, content): (&String, &Content)| {
        path.ends_with(".zip") && content.head(4).is_ok_and(|head| is_zip(&head))
    };
    if !tree.files.is_empty() && tree.files.iter().all(is_part) {
        for (_, part) in std::mem::take(&mut tree.files) {
            unpack_all(&mut tree, &part, &mut left, progress)?;
        }
    }
    tree.strip_top_folder();
    Ok(tree)
}

/// Remaining limits of an archive, and the destination of its files.
struct Remaining {
    limits: ArchiveLimits,
    bytes: u64,
    /// Entries that may be documentation.
    files: u64,
    /// Entries of any kind.
    entries: u64,
    spool: Spool,
}

impl Remaining {
    fn new(limits: ArchiveLimits) -> Self {
        Self {
            limits,
            bytes: limits.max_total_bytes,
            files: limits.max_entries,
            entries: limits.max_of_all(),
            spool: Spool::default(),
        }
    }
}

fn unpack_all(
    tree: &mut SourceTree,
    archive: &Content,
    left: &mut Remaining,
    progress: &Progress,
) -> Result<(), ArchiveError> {
    // The zip reader allocates a record for each entry before it reports their number, so entries are counted first.
    let declared = declared(archive).map_err(|error| match error {
        ZipError::Io(error) => ArchiveError::Spool(error),
        error => ArchiveError::Unreadable(error),
    })?;
    if let Some(Declared { entries, directory }) = declared {
        let is_small = directory.is_some_and(|bytes| bytes <= MAX_DIRECTORY);
        let most = if is_small { left.entries } else { left.files };
        if entries > most {
            let limit = if is_small { left.limits.max_of_all() } else { left.limits.max_entries };
            return Err(ArchiveError::TooManyEntries { entries, limit });
        }
    }
    let mut archive = opened(archive).map_err(ArchiveError::Unreadable)?;
    let entries = u64::try_from(archive.len()).unwrap_or(u64::MAX);
    let too_many = ArchiveError::TooManyEntries { entries, limit: left.limits.max_of_all() };
    left.entries = left.entries.checked_sub(entries).ok_or(too_many)?;
    let names = (0..archive.len()).filter_map(|index| archive.name_for_index(index)?.ok());
    let files = names.filter(|name| path::may_be_documentation(name)).map(|_| 1_u64).sum::<u64>();
    let too_many = ArchiveError::TooManyFiles { entries: files, limit: left.limits.max_entries };
    left.files = left.files.checked_sub(files).ok_or(too_many)?;
    if archive.has_duplicate_names() {
        let message = "the archive has several files with the same name; the last one was used";
        tree.report.push(report::changed("", message));
    }
    let encoding = NameEncoding::of(archive.file_names_raw());
    if let Some(encoding) = encoding {
        let message = format!(
            "names in the archive do not declare their encoding; they were read as {}",
            encoding.name()
        );
        tree.report.push(report::changed("", message));
    }
    progress.enter(ImportPhase::Reading, Some(entries));
    for index in 0..archive.len() {
        progress.advance(1);
        yield_to_requests();
        let closed = match archive.by_index(index) {
            Ok(mut entry) => {
                take_entry(tree, &mut entry, encoding, left)?;
                continue;
            }
            Err(error) => refusal(&error),
        };
        let name = archive.name_for_index(index).and_then(Result::ok).unwrap_or_default().into_owned();
        tree.report.push(report::failed(name, closed));
    }
    Ok(())
}

/// Returns the reason why the reader cannot open an entry, for the report.
fn refusal(error: &zip::result::ZipError) -> String {
    match error {
        zip::result::ZipError::UnsupportedArchive(zip::result::ZipError::PASSWORD_REQUIRED) => {
            "it is encrypted".to_owned()
        }
        other => format!("it cannot be unpacked: {other}"),
    }
}

/// Adds an entry to the tree, or reports why it is skipped.
fn take_entry<R: Read>(
    tree: &mut SourceTree,
    entry: &mut ZipFile<'_, R>,
    encoding: Option<NameEncoding>,
    left: &mut Remaining,
) -> Result<(), ArchiveError> {
    let name = entry_name(entry, encoding);
    if entry.is_dir() {
        return Ok(());
    }
    if entry.is_symlink() {
        tree.report.push(report::skipped(name, "it is a symbolic link"));
        return Ok(());
    }
    let Some(path) = tree.admit(&name) else { return Ok(()) };
    match unpack(entry, &path, left)? {
        Ok(content) => {
            tree.files.insert(path, content);
        }
        Err(error) => tree.report.push(report::failed(path, format!("it cannot be unpacked: {error}"))),
    }
    Ok(())
}

/// Returns the name of an entry: UTF-8, or decoded from the encoding of the archive's other names.
fn entry_name<R: Read>(entry: &ZipFile<'_, R>, encoding: Option<NameEncoding>) -> String {
    let raw = entry.name_raw();
    match (std::str::from_utf8(raw), encoding) {
        (Ok(name), _) => name.to_owned(),
        (Err(_), Some(encoding)) => {
            let dos = || entry.name().unwrap_or_else(|_| String::from_utf8_lossy(raw));
            encoding.decode(raw, dos).into_owned()
        }
        (Err(_), None) => String::from_utf8_lossy(raw).into_owned(),
    }
}

/// Unpacks an entry and subtracts its actual size from the remaining limits, since sizes in headers are untrusted;
/// damaged entries count too. An entry whose header exceeds the limits is not unpacked. The outer error refuses the
/// archive, the inner one applies to this entry.
fn unpack<R: Read>(
    entry: &mut ZipFile<'_, R>,
    path: &str,
    left: &mut Remaining,
) -> Result<io::Result<Content>, ArchiveError> {
    let limits = left.limits;
    let by_ratio = entry.compressed_size().saturating_mul(limits.max_ratio).max(limits.ratio_from_bytes);
    let (bound, is_bomb) = (by_ratio.min(left.bytes), by_ratio < left.bytes);
    let taken = match entry.size() > bound {
        true => StoredFile { length: 0, content: None },
        false => left.spool.take(entry, bound).map_err(ArchiveError::Spool)?,
    };
    left.bytes = left.bytes.saturating_sub(taken.length);
    taken.content.ok_or_else(|| match is_bomb {
        true => ArchiveError::Ratio {
            path: report::shown(path, report::PATH_MAX).into_owned(),
            limit: limits.max_ratio,
        },
        false => ArchiveError::TooLarge { limit: limits.max_total_bytes },
    })
}

#[cfg(test)]
mod tests;
