//! Packs the documentation to import.

use std::io::{Cursor, Write as _};
use std::path::Path;

use anyhow::{Context, Result};
use zip::write::SimpleFileOptions;

/// Returns the bytes of a zip file, or of a folder packed as one.
pub(crate) fn archive(docs: &Path) -> Result<Vec<u8>> {
    if docs.is_file() {
        return std::fs::read(docs).with_context(|| format!("{} can't be read", docs.display()));
    }
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut folders = vec![docs.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).with_context(|| format!("{} can't be read", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(docs)?.to_string_lossy().into_owned();
            archive.start_file(name, SimpleFileOptions::default())?;
            archive.write_all(&std::fs::read(&path)?)?;
        }
    }
    Ok(archive.finish()?.into_inner())
}
