//! Reading an archive.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use quire_storage::content::files::StoredFile;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use zstd::stream::read::Decoder;

use super::write::{count, hex};
use super::{FORMAT, HEADER, Header, MANIFEST, Manifest, TableCounts};
use crate::error::refuse;
use crate::files::{Object, Spooled};
use crate::{Error, Result};

/// Maximum size of an entry other than an object. The writer exceeds its chunk size only for a single large row.
const LONGEST: u64 = 1 << 30;

/// Receiver of the parts of an archive, in order.
pub(crate) trait Visitor {
    /// Receives the header, before all other parts.
    fn header(&mut self, header: &Header) -> Result<()>;
    /// Receives some rows of a table.
    fn rows(&mut self, table: &str, rows: Vec<String>) -> Result<()>;
    /// Receives an object whose bytes have the hash in its name.
    fn object(&mut self, object: Object, spooled: Spooled) -> Result<()>;
}

#[derive(serde::Deserialize)]
struct Version {
    format: u32,
}

/// Reads an archive, passes its parts to `visitor`, and compares them with its manifest.
///
/// # Errors
/// [`Error::Refused`] for an archive of a newer format, a truncated or damaged archive, or another file.
pub(crate) fn read(path: &Path, visitor: &mut impl Visitor) -> Result<(Header, Manifest)> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Error::Io(format!("{name} can't be read"), error))?;
    let decoder = Decoder::new(file).map_err(|error| Error::Io(format!("{name} can't be read"), error))?;
    let mut archive = tar::Archive::new(decoder);
    let damaged = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Error::Refused(format!("{name} is cut off: copy it again")),
        _ => Error::Refused(format!("{name} is damaged, or not an archive of Quire: {error}")),
    };
    let mut entries = archive.entries().map_err(damaged)?;
    let mut first = match entries.next() {
        Some(first) => first.map_err(damaged)?,
        None => return refuse(format!("{name} is not an archive of Quire")),
    };
    if *first.path_bytes() != *HEADER.as_bytes() {
        return refuse(format!("{name} is not an archive of Quire"));
    }
    let header = text(&mut first).map_err(damaged)?;
    let Version { format } = parse(&name, &header)?;
    if format > FORMAT {
        return refuse(format!(
            "{name} has format {format}, and this program reads up to {FORMAT}: use the newer quire that wrote it"
        ));
    }
    let header: Header = parse(&name, &header)?;
    visitor.header(&header)?;

    let (mut seen, mut last) = (Seen::default(), None);
    for entry in entries {
        let mut entry = entry.map_err(damaged)?;
        let entry_name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry_name == MANIFEST {
            last = Some(text(&mut entry).map_err(damaged)?);
            break;
        }
        if let Some(rest) = entry_name.strip_prefix("database/") {
            let table = rest.split('/').next().unwrap_or_default();
            if !header.columns.contains_key(table) {
                return refuse(format!("{name} is damaged: {entry_name} belongs to no table"));
            }
            let rows = text(&mut entry).map_err(damaged)?;
            let rows = seen.rows(table, &rows).map_err(damaged)?;
            visitor.rows(table, rows)?;
        } else if let Some(object) = Object::parse(&entry_name) {
            let spooled = Spooled::from_reader(&mut entry).map_err(|error| match error {
                Error::Io(_, error) => damaged(error),
                other => other,
            })?;
            if let Object::File(StoredFile { hash, .. }) = object
                && hash != spooled.hash
            {
                return refuse(format!("{name} is damaged: {entry_name} has the hash {}", spooled.hash));
            }
            seen.object(object, &entry_name, &spooled);
            visitor.object(object, spooled)?;
        } else {
            return refuse(format!("{name} is damaged: it has an entry {entry_name}"));
        }
    }
    let Some(manifest) = last else { return refuse(format!("{name} is cut off: it has no manifest")) };
    let manifest: Manifest = parse(&name, &manifest)?;
    seen.compare(&name, &manifest)?;
    // The checksum at the end of the stream is verified only when the end is read.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(damaged)?;
    Ok((header, manifest))
}

fn text(entry: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    entry.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse<T: DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| Error::Refused(format!("{name} is damaged: {error}")))
}

/// Counts and hashes of the entries read so far.
#[derive(Default)]
struct Seen {
    tables: BTreeMap<String, (u64, Sha256)>,
    manifest: Manifest,
    file_lines: Sha256,
    upload_lines: Sha256,
}

impl Seen {
    fn rows(&mut self, table: &str, bytes: &[u8]) -> io::Result<Vec<String>> {
        let (rows, hasher) = self.tables.entry(table.to_owned()).or_default();
        hasher.update(bytes);
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let parsed: Vec<String> = lines.map(serde_json::from_slice).collect::<serde_json::Result<_>>()?;
        *rows = rows.saturating_add(u64::try_from(parsed.len()).unwrap_or(u64::MAX));
        Ok(parsed)
    }

    fn object(&mut self, object: Object, name: &str, spooled: &Spooled) {
        match object {
            Object::File(_) => count(&mut self.manifest.files, &mut self.file_lines, name, spooled),
            Object::Upload(_) => count(&mut self.manifest.uploads, &mut self.upload_lines, name, spooled),
        }
    }

    fn compare(mut self, name: &str, manifest: &Manifest) -> Result<()> {
        self.manifest.files.sha256 = hex(self.file_lines);
        self.manifest.uploads.sha256 = hex(self.upload_lines);
        let mut tables = self.tables;
        for (table, expected) in &manifest.tables {
            let (rows, hasher) = tables.remove(table).unwrap_or_default();
            if *expected != (TableCounts { rows, sha256: hex(hasher) }) {
                return refuse(format!("{name} is damaged: the rows of {table} do not match its manifest"));
            }
        }
        if let Some(table) = tables.keys().next() {
            return refuse(format!("{name} is damaged: its manifest does not list the rows of {table}"));
        }
        if self.manifest.files != manifest.files || self.manifest.uploads != manifest.uploads {
            return refuse(format!("{name} is damaged: the files do not match its manifest"));
        }
        Ok(())
    }
}
