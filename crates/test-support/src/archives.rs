//! Zip archives for tests.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Returns an archive of text files, by name.
///
/// # Panics
/// If two files have the same name.
#[must_use]
pub fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(*name, SimpleFileOptions::default()).expect("names are distinct");
        archive.write_all(text.as_bytes()).expect("memory takes all");
    }
    archive.finish().expect("memory takes all").into_inner()
}

/// Returns the files of an archive by name, as text. Bytes that are not UTF-8 become replacement characters.
///
/// # Panics
/// If the archive is damaged.
#[must_use]
pub fn unzipped(archive: &[u8]) -> BTreeMap<String, String> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).expect("an archive");
    let mut files = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("a file of the archive");
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("the bytes of a file");
        let name = entry.name().expect("a name in UTF-8").into_owned();
        files.insert(name, String::from_utf8_lossy(&bytes).into_owned());
    }
    files
}
