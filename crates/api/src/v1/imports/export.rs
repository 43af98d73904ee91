//! `GET …/content/export`

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::http::{Method, header};
use actix_web::web::Bytes;
use futures_util::stream;
use quire_domain::ids::FileId;
use quire_markup::{Document, FrontMatter, print_page};
use quire_revision::{DocumentId, Tree};
use quire_storage::Reader;
use quire_storage::files::BlobPlaces;
use quire_storage::lookup::{Authorized, ContentAt, Credentials};
use quire_storage::spaces::blobs_of;
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::error::{ApiError, ApiResult};
use crate::exports::{ArchiveWriter, Entry, Layout};
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::v1::content::place::ContentPlace;
use crate::{present, respond};

/// Texts that are read at once, at most.
const TEXTS: usize = 50;

/// Bytes of documents that are read at once, unless a single one has more: how much of the content is in memory.
const TEXT_BYTES: u32 = 4 << 20;

/// Bytes of a file that are read at once.
const CHUNK: u64 = 1 << 20;

/// The form of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// A zip archive of Markdown files.
    #[default]
    Markdown,
}

/// How to export.
#[derive(Clone, Copy, Debug, Default, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// The form of the export.
    #[param(inline, default = "markdown")]
    pub format: ExportFormat,
}

/// All content as an archive, written while it is sent.
pub async fn handle(
    Caller(caller): Caller,
    Path(place): Path<ContentPlace>,
    Query(ExportQuery { format: ExportFormat::Markdown }): Query<ExportQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (content, tree, places) = state
        .read(caller, move |reader| {
            let (content, tree) = place.content_and_tree(reader)?;
            let places = reader.blob_places(content.space.id, &blobs_of(&tree))?;
            Ok((content, tree, places))
        })
        .await?;
    let tag = respond::revision_tag(&request, content.revision.id);
    if respond::caller_has(&request, &tag) {
        return respond::not_modified(&tag);
    }
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, "application/zip"))
        .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"content.zip\""))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::ETAG, tag))
        .insert_header((header::CONTENT_ENCODING, "identity"));
    if request.method() == Method::HEAD {
        // An empty stream: GET has no length in advance either.
        return Ok(response.streaming(stream::empty::<ApiResult<Bytes>>()));
    }
    // The entry of the audit log, before anything is sent.
    state.transact(caller, move |tx| Ok(place.content(tx).map(drop)?)).await?;
    let (shared, writer) = state
        .compute(move |_| {
            let layout = Layout::of(&tree);
            let writer = ArchiveWriter::begin(&tree, &layout).map_err(ApiError::internal)?;
            Ok((Arc::new(Shared { caller, content, tree, layout, places }), Box::new(writer)))
        })
        .await?;
    let export = Export { state, shared, writer, file: None };
    Ok(response.streaming(stream::unfold(Some(export), |export| async move { next(export?).await })))
}

struct Shared {
    caller: Credentials,
    content: Authorized<ContentAt>,
    tree: Tree,
    layout: Layout,
    /// Where the bytes of its files are.
    places: BlobPlaces,
}

struct Export {
    state: State,
    shared: Arc<Shared>,
    /// Too large to be passed on by value at each step.
    writer: Box<ArchiveWriter>,
    /// The file that is being written, and where its next byte is.
    file: Option<(FileId, u64)>,
}

/// The next piece of the archive, and what goes on with it.
async fn next(mut export: Export) -> Option<(ApiResult<Bytes>, Option<Export>)> {
    loop {
        match export.step().await {
            Ok(Step::Written(on)) => {
                let written = on.writer.take();
                // An empty piece would end the body.
                if !written.is_empty() {
                    return Some((Ok(written), Some(on)));
                }
                export = on;
            }
            Ok(Step::Done(writer)) => {
                let end = writer.finish().map_err(ApiError::internal);
                return Some((end, None));
            }
            Err(error) => {
                log::error!("an export broke off: {error:?}");
                return Some((Err(error), None));
            }
        }
    }
}

/// What a step came to.
enum Step {
    /// A little more is written.
    Written(Export),
    /// Nothing is left.
    Done(Box<ArchiveWriter>),
}

impl Export {
    /// Writes a little more.
    async fn step(mut self) -> ApiResult<Step> {
        if let Some((id, from)) = self.file {
            self.file = self.continue_file(id, from).await?.map(|next| (id, next));
            return Ok(Step::Written(self));
        }
        let entries = self.writer.next_entries(TEXTS);
        match entries.first() {
            None => return Ok(Step::Done(self.writer)),
            Some((path, Entry::File(id))) => {
                self.writer.start_file(path).map_err(ApiError::internal)?;
                self.file = Some((*id, 0));
                self.writer.pass(1);
            }
            Some(_) => self = self.write_texts(entries).await?,
        }
        Ok(Step::Written(self))
    }

    /// Writes the first of these texts, compressed on a thread that may block.
    async fn write_texts(self, entries: Vec<(String, Entry)>) -> ApiResult<Self> {
        let texts = self.texts(entries).await?;
        let Self { state, shared, mut writer, file } = self;
        let writer = state
            .compute(move |_| {
                writer.pass(texts.len());
                for (path, text) in texts {
                    writer.write_text(&path, &text).map_err(ApiError::internal)?;
                }
                Ok(writer)
            })
            .await?;
        Ok(Self { state, shared, writer, file })
    }

    /// Writes a part of a file; where the next begins, if one is left.
    async fn continue_file(&mut self, id: FileId, from: u64) -> ApiResult<Option<u64>> {
        let Some(file) = self.shared.tree.file(id) else { return Ok(None) };
        let (blob, size) = (file.blob, file.size);
        let end = size.min(from.saturating_add(CHUNK));
        if from >= end {
            return Ok(None);
        }
        let place = self.shared.places.of(blob);
        let bytes = self.state.storage.files().get(place, blob, Some(from..end)).await?;
        let missing = || ApiError::internal(anyhow::anyhow!("the bytes of a file are not in the store"));
        self.writer.write(&bytes.ok_or_else(missing)?).map_err(ApiError::internal)?;
        Ok((end < size).then_some(end))
    }

    /// The Markdown of the first of these pages and reusable contents: of as many as are held at once.
    async fn texts(&self, entries: Vec<(String, Entry)>) -> ApiResult<Vec<(String, String)>> {
        let shared = Arc::clone(&self.shared);
        self.state
            .read(self.shared.caller, move |reader| {
                let entries = held_at_once(reader, &shared, &entries)?;
                let ids: Vec<DocumentId> =
                    entries.iter().filter_map(|(_, entry)| document(&shared.tree, *entry)).collect();
                let documents = reader.documents(&shared.content, &ids).map_err(ApiError::internal)?;
                let body = |entry| {
                    document(&shared.tree, entry).and_then(|id| documents.get(&id)).map(|body| &**body)
                };
                entries
                    .iter()
                    .map(|(path, entry)| Ok((path.clone(), text(&shared, path, *entry, body(*entry))?)))
                    .collect()
            })
            .await
    }
}

/// The first of these entries, of which at least one is, up to those whose documents are more than is held at once.
fn held_at_once<'e>(
    reader: &mut Reader<'_>,
    shared: &Shared,
    entries: &'e [(String, Entry)],
) -> ApiResult<&'e [(String, Entry)]> {
    let documents: Vec<(usize, DocumentId)> = (0..)
        .zip(entries)
        .filter_map(|(place, (_, entry))| Some((place, document(&shared.tree, *entry)?)))
        .collect();
    let ids: Vec<DocumentId> = documents.iter().map(|(_, id)| *id).collect();
    let fit = reader.documents_within(&shared.content, &ids, TEXT_BYTES)?;
    let end = documents.get(fit).map_or(entries.len(), |(place, _)| *place);
    Ok(entries.get(..end).unwrap_or(entries))
}

fn document(tree: &Tree, entry: Entry) -> Option<DocumentId> {
    match entry {
        Entry::Page(id) => tree.page(id)?.document,
        Entry::ReusableContent(id) => tree.reusable_content(id)?.document,
        Entry::File(_) => None,
    }
}

fn text(shared: &Shared, path: &str, entry: Entry, document: Option<&Value>) -> ApiResult<String> {
    let refs = shared.layout.refs(path);
    match entry {
        Entry::Page(id) => {
            let page = shared.tree.page(id).ok_or_else(ApiError::not_found)?;
            present::page_text(page, document, &refs, shared.layout.slug(page))
        }
        Entry::ReusableContent(id) => {
            let content = shared.tree.reusable_content(id).ok_or_else(ApiError::not_found)?;
            let document = document.map_or_else(|| Ok(Document::default()), present::stored_document)?;
            let front_matter = FrontMatter { title: Some(content.title.clone()), ..FrontMatter::default() };
            Ok(print_page(&front_matter, "", &document, &refs))
        }
        Entry::File(_) => Ok(String::new()),
    }
}
