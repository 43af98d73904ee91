//! Archive that is written while it is sent. It is never in memory as a whole.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use quire_domain::ids::{FileId, PageId, ReusableContentId};
use quire_revision::Tree;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::layout::Layout;
use super::summary;

/// Entry that is still to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A page.
    Page(PageId),
    /// A reusable content.
    ReusableContent(ReusableContentId),
    /// A file.
    File(FileId),
}

/// Buffer of written bytes that are not sent yet.
#[derive(Clone, Default)]
struct Outbox(Arc<Mutex<Vec<u8>>>);

impl Outbox {
    fn take(&self) -> Bytes {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).into()
    }
}

impl Write for Outbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writer of an archive, entry by entry, in the order of paths.
pub struct ArchiveWriter {
    zip: ZipWriter<StreamWriter<Outbox>>,
    outbox: Outbox,
    left: VecDeque<(String, Entry)>,
}

impl ArchiveWriter {
    /// Begins an archive with the table of contents.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub fn begin(tree: &Tree, layout: &Layout) -> io::Result<Self> {
        let pages =
            tree.pages().filter_map(|page| Some((layout.page(page.id)?.to_owned(), Entry::Page(page.id))));
        let files =
            tree.files().filter_map(|file| Some((layout.file(file.id)?.to_owned(), Entry::File(file.id))));
        let contents = tree.reusable_contents().filter_map(|content| {
            Some((layout.reusable_content(content.id)?.to_owned(), Entry::ReusableContent(content.id)))
        });
        let mut left: Vec<_> = pages.chain(contents).chain(files).collect();
        left.sort_by(|(one, _), (other, _)| one.cmp(other));
        let outbox = Outbox::default();
        let mut writer = Self { zip: ZipWriter::new_stream(outbox.clone()), outbox, left: left.into() };
        writer.write_text(summary::PATH, &summary::print(tree, layout))?;
        Ok(writer)
    }

    /// Returns the next entries to write: either a single file, or up to `most` texts.
    pub fn next_entries(&self, most: usize) -> Vec<(String, Entry)> {
        let is_file = |entry: &&(String, Entry)| matches!(entry.1, Entry::File(_));
        if let Some(file) = self.left.front().filter(is_file) {
            return vec![file.clone()];
        }
        self.left.iter().take(most).take_while(|entry| !is_file(entry)).cloned().collect()
    }

    /// Skips entries that were written.
    pub fn pass(&mut self, entries: usize) {
        self.left.drain(..entries.min(self.left.len()));
    }

    /// Writes a text entry.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub fn write_text(&mut self, path: &str, text: &str) -> io::Result<()> {
        self.start(path, CompressionMethod::Deflated)?;
        self.write(text.as_bytes())
    }

    /// Begins a file entry, whose bytes follow by [`ArchiveWriter::write`]. Files are not compressed, since pictures
    /// already are.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub fn start_file(&mut self, path: &str) -> io::Result<()> {
        self.start(path, CompressionMethod::Stored)
    }

    /// Writes a part of the current entry.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.zip.write_all(bytes)
    }

    /// Takes the bytes written since the last call.
    pub fn take(&self) -> Bytes {
        self.outbox.take()
    }

    /// Ends the archive, and returns its last bytes.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub fn finish(self) -> io::Result<Bytes> {
        self.zip.finish()?;
        Ok(self.outbox.take())
    }

    fn start(&mut self, path: &str, method: CompressionMethod) -> io::Result<()> {
        // A constant time, so that equal content gives an equal archive.
        let options =
            SimpleFileOptions::default().compression_method(method).last_modified_time(DateTime::default());
        Ok(self.zip.start_file(path, options)?)
    }
}
