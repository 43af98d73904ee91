//! Export that is written while it is sent.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use quire_domain::documents::DocumentJson;
use quire_domain::ids::FileId;
use quire_importer::blocking::{Threads, yield_to_requests};
use quire_markup::{Document, FrontMatter, print_page};
use quire_revision::{DocumentId, Tree};
use quire_storage::Reader;
use quire_storage::content::files::BlobLocations;
use quire_storage::content::store::ContentAt;
use quire_storage::lookup::{Authorized, Credentials};
use tokio::sync::OwnedSemaphorePermit;

use super::archive::{ArchiveWriter, Entry};
use super::layout::Layout;
use super::limiter::ExportLimiter;
use super::summary;
use crate::door::Door;
use crate::error::{Error, Result};
use crate::pacing::pause_after;
use crate::page_body::{page_text, stored_document};

/// Maximum number of texts read at once.
const TEXTS: usize = 50;

/// Maximum number of bytes of documents read at once, which bounds the memory. A single larger document is read alone.
const TEXT_BYTES: u32 = 4 << 20;

/// Bytes of a file read at once. They stay in memory until the client has read them.
const CHUNK: u64 = 64 << 10;

/// Stored documents by id.
type Documents = HashMap<DocumentId, DocumentJson>;

struct Shared {
    caller: Credentials,
    content: Authorized<ContentAt>,
    tree: Tree,
    layout: Layout,
    /// Locations of the bytes of files.
    blobs: BlobLocations,
}

/// Archive that is being sent, written in parts as the client reads it.
pub struct Export<D> {
    door: Arc<D>,
    /// Threads with a lower priority than the threads of requests.
    threads: Threads,
    shared: Arc<Shared>,
    /// Boxed, because each step moves it by value.
    writer: Box<ArchiveWriter>,
    /// File that is being written, and the offset of its next byte.
    file: Option<(FileId, u64)>,
    /// Released when the export ends or its client disconnects.
    permit: OwnedSemaphorePermit,
}

impl<D: Door> Export<D> {
    /// Begins the archive of a tree. Documents are read with the permissions of `caller`.
    ///
    /// # Errors
    /// If the archive cannot be written. 503 if other exports hold all permits for too long.
    pub async fn begin(
        door: Arc<D>,
        limiter: &ExportLimiter,
        caller: Credentials,
        content: Authorized<ContentAt>,
        tree: Tree,
        blobs: BlobLocations,
    ) -> Result<Self> {
        let permit = limiter.begin().await?;
        let begin = move || {
            let layout = Layout::of(&tree);
            let writer = ArchiveWriter::begin(&tree, &layout).map_err(unwritable)?;
            Ok((Arc::new(Shared { caller, content, tree, layout, blobs }), Box::new(writer)))
        };
        let threads = limiter.threads().clone();
        let (shared, writer) = run(&threads, begin).await?;
        Ok(Self { door, threads, shared, writer, file: None, permit })
    }

    /// Returns the bytes of the archive as a stream. Each part is produced on demand.
    pub fn into_stream(self) -> impl Stream<Item = Result<Bytes>> {
        stream::unfold(Some(self), |export| async move { next(export?).await })
    }

    /// Writes the next part.
    async fn step(mut self) -> Result<Step<D>> {
        if let Some((id, from)) = self.file {
            self.file = self.continue_file(id, from).await?.map(|next| (id, next));
            return Ok(Step::Written(self));
        }
        let entries = self.writer.next_entries(TEXTS);
        match entries.first() {
            None => return Ok(Step::Done(self.writer)),
            Some((path, Entry::File(id))) => {
                self.writer.start_file(path).map_err(unwritable)?;
                self.file = Some((*id, 0));
                self.writer.pass(1);
            }
            Some(_) => self = self.write_texts(entries).await?,
        }
        Ok(Step::Written(self))
    }

    /// Writes the first of these texts. A thread that yields to requests prints and compresses them.
    async fn write_texts(self, entries: Vec<(String, Entry)>) -> Result<Self> {
        let started = Instant::now();
        let (entries, documents) = self.documents(entries).await?;
        pause_after(started).await;
        let Self { door, threads, shared, mut writer, file, permit } = self;
        let write = move || {
            writer.pass(entries.len());
            for (path, entry) in entries {
                yield_to_requests();
                let body = document(&shared.tree, entry).and_then(|id| documents.get(&id));
                let text = text(&shared, &path, entry, body)?;
                writer.write_text(&path, &text).map_err(unwritable)?;
            }
            Ok((shared, writer))
        };
        let (shared, writer) = run(&threads, write).await?;
        Ok(Self { door, threads, shared, writer, file, permit })
    }

    /// Writes a part of a file. Returns the offset of the next part, if one is left.
    async fn continue_file(&mut self, id: FileId, from: u64) -> Result<Option<u64>> {
        let Some(file) = self.shared.tree.file(id) else { return Ok(None) };
        let (blob, size) = (file.blob, file.size);
        let end = size.min(from.saturating_add(CHUNK));
        if from >= end {
            return Ok(None);
        }
        let location = self.shared.blobs.of(blob);
        let bytes = self.door.storage().files().get(location, blob, Some(from..end)).await?;
        let missing =
            || Error::internal("the bytes of a file are not in the store", anyhow::anyhow!("{blob:?}"));
        self.writer.write(&bytes.ok_or_else(missing)?).map_err(unwritable)?;
        Ok((end < size).then_some(end))
    }

    /// Reads the documents of the first of these pages and reusable contents, up to the memory limit.
    async fn documents(&self, entries: Vec<(String, Entry)>) -> Result<(Vec<(String, Entry)>, Documents)> {
        let shared = Arc::clone(&self.shared);
        self.door
            .read(self.shared.caller, move |reader| {
                let entries = entries_within_limit(reader, &shared, &entries)?;
                let ids: Vec<DocumentId> =
                    entries.iter().filter_map(|(_, entry)| document(&shared.tree, *entry)).collect();
                let documents = reader.documents(&shared.content, &ids).map_err(missing)?;
                Ok((entries.to_vec(), documents))
            })
            .await
    }
}

/// Runs work on a thread that yields to the threads of requests.
async fn run<T: Send + 'static>(
    threads: &Threads,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    threads.run(work).await.map_err(|error| Error::internal("a thread of an export failed", error))?
}

/// Returns the next part of the archive, and the export that continues after it.
async fn next<D: Door>(mut export: Export<D>) -> Option<(Result<Bytes>, Option<Export<D>>)> {
    loop {
        match export.step().await {
            Ok(Step::Written(on)) => {
                let written = on.writer.take();
                // An empty part would end the body of the answer.
                if !written.is_empty() {
                    return Some((Ok(written), Some(on)));
                }
                export = on;
            }
            Ok(Step::Done(writer)) => {
                let end = writer.finish().map_err(unwritable);
                return Some((end, None));
            }
            Err(error) => {
                log::error!("an export failed: {error:?}");
                return Some((Err(error), None));
            }
        }
    }
}

/// Outcome of a step.
enum Step<D> {
    /// A part was written.
    Written(Export<D>),
    /// No entries are left.
    Done(Box<ArchiveWriter>),
}

/// Returns the first of these entries, at least one, until their documents exceed the memory limit.
fn entries_within_limit<'e>(
    reader: &mut Reader<'_>,
    shared: &Shared,
    entries: &'e [(String, Entry)],
) -> Result<&'e [(String, Entry)]> {
    let documents: Vec<(usize, DocumentId)> = (0..)
        .zip(entries)
        .filter_map(|(index, (_, entry))| Some((index, document(&shared.tree, *entry)?)))
        .collect();
    let ids: Vec<DocumentId> = documents.iter().map(|(_, id)| *id).collect();
    let fit = reader.documents_within(&shared.content, &ids, TEXT_BYTES)?;
    let end = documents.get(fit).map_or(entries.len(), |(index, _)| *index);
    Ok(entries.get(..end).unwrap_or(entries))
}

fn document(tree: &Tree, entry: Entry) -> Option<DocumentId> {
    match entry {
        Entry::Page(id) => tree.page(id)?.document,
        Entry::ReusableContent(id) => tree.reusable_content(id)?.document,
        Entry::File(_) => None,
    }
}

fn text(shared: &Shared, path: &str, entry: Entry, document: Option<&DocumentJson>) -> Result<String> {
    let refs = shared.layout.refs(path);
    match entry {
        Entry::Page(id) => {
            let page = shared.tree.page(id).ok_or_else(absent)?;
            let mut written = page.clone();
            if summary::link_title(page).is_some() {
                written.link_title = None;
            }
            page_text(&written, document, &refs, shared.layout.slug(page))
        }
        Entry::ReusableContent(id) => {
            let content = shared.tree.reusable_content(id).ok_or_else(absent)?;
            let document = document.map_or_else(|| Ok(Document::default()), stored_document)?;
            let front_matter = FrontMatter { title: Some(content.title.clone()), ..FrontMatter::default() };
            Ok(print_page(&front_matter, "", &document, &refs))
        }
        Entry::File(_) => Ok(String::new()),
    }
}

fn unwritable(error: io::Error) -> Error {
    Error::internal("an archive can't be written", error)
}

/// Returns an internal error for a missing stored document, which is not the caller's mistake.
fn missing(error: quire_storage::Error) -> Error {
    Error::internal("a document of an export can't be read", error)
}

fn absent() -> quire_storage::Error {
    quire_storage::Error::NotFound
}
