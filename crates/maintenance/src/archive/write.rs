//! Writing an archive.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;
use zstd::stream::write::Encoder;

use super::{FileCounts, HEADER, Header, MANIFEST, Manifest, TableCounts, rows_name};
use crate::error::refuse;
use crate::files::{Object, Spooled};
use crate::{Error, Result};

/// Size of collected rows, in bytes, at which an entry is written.
const CHUNK: usize = 4 << 20;
/// Maximum number of missing files that the manifest lists.
const NAMES: usize = 100;
/// Compression level. The next better ratio takes three times as long.
const LEVEL: i32 = 3;

/// New archive. It gets its name only when it is complete.
pub(crate) struct Writer {
    tar: tar::Builder<Encoder<'static, File>>,
    temporary: NamedTempFile,
    path: PathBuf,
    manifest: Manifest,
    table: Option<OpenTable>,
    file_lines: Sha256,
    upload_lines: Sha256,
}

struct OpenTable {
    name: String,
    chunk: Vec<u8>,
    chunks: u64,
    rows: u64,
    hasher: Sha256,
}

impl Writer {
    /// Begins an archive in a temporary file in the folder of `path`.
    pub(crate) fn create(path: &Path, header: &Header) -> Result<Self> {
        if path.exists() {
            return refuse(format!("{} already exists", path.display()));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let failed = |error| Error::Io(format!("{} can't be written", path.display()), error);
        // Temporary files are accessible to their owner alone, and so is the archive.
        let temporary =
            tempfile::Builder::new().prefix(".quire-archive-").tempfile_in(folder).map_err(failed)?;
        let file = temporary.as_file().try_clone().map_err(failed)?;
        let mut encoder = Encoder::new(file, LEVEL).map_err(failed)?;
        encoder.include_checksum(true).map_err(failed)?;
        let mut writer = Self {
            tar: tar::Builder::new(encoder),
            temporary,
            path: path.to_owned(),
            manifest: Manifest::default(),
            table: None,
            file_lines: Sha256::new(),
            upload_lines: Sha256::new(),
        };
        let header = serde_json::to_vec_pretty(header).map_err(|error| failed(error.into()))?;
        writer.entry(HEADER, header.len(), &*header)?;
        Ok(writer)
    }

    /// Adds a row to a table. The rows of a table must be consecutive.
    pub(crate) fn row(&mut self, table: &str, row: &str) -> Result<()> {
        if self.table.as_ref().is_none_or(|open| open.name != table) {
            self.begin_table(table)?;
        }
        let Some(open) = &mut self.table else { return Ok(()) };
        serde_json::to_writer(&mut open.chunk, row)
            .map_err(|error| Error::Io("a row can't be written".to_owned(), error.into()))?;
        open.chunk.push(b'\n');
        open.rows = open.rows.saturating_add(1);
        if open.chunk.len() >= CHUNK { self.end_chunk() } else { Ok(()) }
    }

    /// Begins a table, which may have no rows.
    pub(crate) fn begin_table(&mut self, table: &str) -> Result<()> {
        self.end_table()?;
        let name = table.to_owned();
        self.table = Some(OpenTable { name, chunk: Vec::new(), chunks: 0, rows: 0, hasher: Sha256::new() });
        Ok(())
    }

    fn end_chunk(&mut self) -> Result<()> {
        let Some(open) = self.table.as_mut().filter(|open| !open.chunk.is_empty()) else { return Ok(()) };
        open.chunks = open.chunks.saturating_add(1);
        open.hasher.update(&open.chunk);
        let name = rows_name(&open.name, open.chunks);
        let mut chunk = std::mem::take(&mut open.chunk);
        let written = self.entry(&name, chunk.len(), &*chunk);
        chunk.clear();
        if let Some(open) = &mut self.table {
            open.chunk = chunk;
        }
        written
    }

    fn end_table(&mut self) -> Result<()> {
        self.end_chunk()?;
        if let Some(open) = self.table.take() {
            let counts = TableCounts { rows: open.rows, sha256: hex(open.hasher) };
            self.manifest.tables.insert(open.name, counts);
        }
        Ok(())
    }

    /// Adds the bytes of an object.
    pub(crate) fn object(&mut self, object: Object, mut spooled: Spooled) -> Result<()> {
        self.end_table()?;
        let name = object.name();
        let size = usize::try_from(spooled.size).unwrap_or(usize::MAX);
        self.entry(&name, size, spooled.reader())?;
        let (lines, counts) = match object {
            Object::File(_) => (&mut self.file_lines, &mut self.manifest.files),
            Object::Upload(_) => (&mut self.upload_lines, &mut self.manifest.uploads),
        };
        count(counts, lines, &name, &spooled);
        Ok(())
    }

    /// Records a file that rows name and that the store lacks or has with other bytes.
    pub(crate) fn missing(&mut self, object: Object) {
        self.manifest.missing = self.manifest.missing.saturating_add(1);
        if self.manifest.missing_names.len() < NAMES {
            self.manifest.missing_names.push(object.name());
        }
    }

    /// Completes the archive and renames it to its final name.
    pub(crate) fn finish(mut self) -> Result<Manifest> {
        self.end_table()?;
        self.manifest.files.sha256 = hex(self.file_lines.clone());
        self.manifest.uploads.sha256 = hex(self.upload_lines.clone());
        let path = self.path.clone();
        let failed = |error| Error::Io(format!("{} can't be written", path.display()), error);
        let manifest = serde_json::to_vec_pretty(&self.manifest).map_err(|error| failed(error.into()))?;
        self.entry(MANIFEST, manifest.len(), &*manifest)?;
        let mut file = self.tar.into_inner().and_then(Encoder::finish).map_err(failed)?;
        file.flush().and_then(|()| file.sync_all()).map_err(failed)?;
        self.temporary.persist_noclobber(&path).map_err(|error| failed(error.error))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        Ok(self.manifest)
    }

    fn entry(&mut self, name: &str, size: usize, bytes: impl io::Read) -> Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(u64::try_from(size).unwrap_or(u64::MAX));
        header.set_mode(0o600);
        header.set_entry_type(tar::EntryType::Regular);
        let written = self.tar.append_data(&mut header, name, bytes);
        written.map_err(|error| Error::Io(format!("{} can't be written", self.path.display()), error))
    }
}

/// Adds an object to the counts and hashes.
pub(super) fn count(counts: &mut FileCounts, lines: &mut Sha256, name: &str, spooled: &Spooled) {
    counts.number = counts.number.saturating_add(1);
    counts.bytes = counts.bytes.saturating_add(spooled.size);
    lines.update(format!("{name} {} {}\n", spooled.size, spooled.hash));
}

pub(super) fn hex(hasher: Sha256) -> String {
    quire_revision::BlobHash::from_bytes(hasher.finalize().into()).to_string()
}
