//! The one way in which every import runs: look, gather, plan, store.

use std::collections::HashMap;

use actix_multipart::Multipart;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use futures_util::future::LocalBoxFuture;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use quire_domain::error::Reason;
use quire_domain::ids::{FileId, PageId, SpaceId};
use quire_domain::imports::{ImportRequest, ImportResult, ImportSource};
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_importer::plan::{ImportPlan, plan};
use quire_importer::source::{self, GatherLimits};
use quire_importer::tree::SourceTree;
use quire_revision::BlobHash;
use quire_storage::Storage;
use quire_storage::content::Commit;
use quire_storage::lookup::{ContentSelector, Credentials};

use crate::error::{ApiError, ApiResult};
use crate::extract::{Json, Rejection, read_parts};
use crate::imports::{NewIds, apply, gather_error, plan_error};
use crate::preconditions::IfMatch;
use crate::respond;
use crate::state::State;

/// Files that are written at the same time: each waits for the disk.
const PARALLEL_FILES: usize = 4;

/// What to import: named by a URL, or uploaded.
pub enum ImportBody {
    /// To be fetched.
    Url(ImportRequest),
    /// Here already.
    Upload {
        /// What it is.
        source: ImportSource,
        /// How the caller names it.
        file_name: Option<String>,
        /// The bytes.
        bytes: Bytes,
    },
}

impl FromRequest for ImportBody {
    type Error = Rejection;
    type Future = LocalBoxFuture<'static, Result<Self, Rejection>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if !content_type
            .is_some_and(|value| value.trim_start().to_ascii_lowercase().starts_with("multipart/form-data"))
        {
            let body = Json::<ImportRequest>::from_request(request, payload);
            return Box::pin(async move { Ok(Self::Url(body.await?.0)) });
        }
        let limit = request.app_data::<State>().map_or(0, |state| state.settings.max_upload);
        let multipart = Multipart::new(request.headers(), payload.take());
        Box::pin(async move { Ok(upload(read_parts(multipart, limit, 8).await?)?) })
    }
}

fn upload(parts: Vec<crate::extract::Part>) -> ApiResult<ImportBody> {
    let (mut source, mut file) = (None, None);
    for part in parts {
        match part.name.as_str() {
            "source" => source = Some(part),
            "file" => file = Some(part),
            _ => {}
        }
    }
    let source = source.ok_or_else(|| ApiError::invalid_field("source", "is needed"))?;
    let name = std::str::from_utf8(&source.bytes).unwrap_or_default().trim();
    let source = ImportSource::ALL
        .into_iter()
        .find(|source| source.as_str() == name)
        .ok_or_else(|| ApiError::invalid_field("source", "is not a source of imports"))?;
    let file = file.ok_or_else(|| ApiError::invalid_field("file", "is needed"))?;
    Ok(ImportBody::Upload { source, file_name: file.file_name, bytes: file.bytes })
}

/// Where an import goes.
#[derive(Clone, Copy)]
pub struct Destination {
    /// The space.
    pub space: SpaceId,
    /// Its main content or a change request's.
    pub selector: ContentSelector,
    /// The page whose document the import replaces; `None`: below the root.
    pub page: Option<PageId>,
}

/// Imports, and answers 201 when all of it is stored; otherwise nothing is.
pub async fn run(
    state: State,
    caller: Credentials,
    destination: Destination,
    body: ImportBody,
    if_match: IfMatch,
) -> ApiResult<HttpResponse> {
    look(&state, caller, destination).await?;
    let field = match &body {
        ImportBody::Url(_) => "url",
        ImportBody::Upload { .. } => "file",
    };
    let (source, files) = gather(&state, body).await.map_err(|error| match error {
        Gathered::Refused(error) => gather_error(field, error),
        Gathered::Failed(error) => error,
    })?;
    let plan = state
        .compute(move |storage| {
            plan(source, files, &mut NewIds(storage)).map_err(|error| plan_error(field, error))
        })
        .await?;
    let hashes = put_files(&state, destination.space, &plan).await?;
    store(&state, caller, destination, (plan, hashes), if_match).await
}

/// Puts the bytes of the plan's files into the store, a few at a time: they are never in memory together.
async fn put_files(state: &State, space: SpaceId, plan: &ImportPlan) -> ApiResult<HashMap<FileId, BlobHash>> {
    let put = plan.files.iter().map(|file| {
        let (id, content) = (file.id, file.content.clone());
        async move {
            let read = move |_: &Storage| {
                let bytes = content.read().map_err(ApiError::internal)?;
                Ok((BlobHash::of(&bytes), bytes))
            };
            let (hash, bytes) = state.compute(read).await?;
            state.storage.files().put(space, hash, bytes).await?;
            Ok((id, hash))
        }
    });
    stream::iter(put).buffer_unordered(PARALLEL_FILES).try_collect().await
}

/// Refuses before anything is fetched what would be refused in the end.
async fn look(state: &State, caller: Credentials, destination: Destination) -> ApiResult<()> {
    let Destination { space, selector, page } = destination;
    state
        .read(caller, move |reader| {
            let content = reader.content(space, selector)?.authorize(Action::EditContent)?;
            match page {
                Some(page) if reader.tree(&content)?.page(page).is_none() => Err(ApiError::not_found()),
                _ => Ok(()),
            }
        })
        .await
}

enum Gathered {
    Refused(source::GatherError),
    Failed(ApiError),
}

async fn gather(state: &State, body: ImportBody) -> Result<(ImportSource, SourceTree), Gathered> {
    let limits = GatherLimits::default();
    match body {
        ImportBody::Url(ImportRequest { url, source }) => {
            let files =
                source::gather(&state.fetcher, limits, source, &url).await.map_err(Gathered::Refused)?;
            Ok((source, files))
        }
        ImportBody::Upload { source, file_name, bytes } => {
            let opened = state
                .compute(move |_| Ok(source::open(source, limits, None, file_name.as_deref(), &bytes)))
                .await
                .map_err(Gathered::Failed)?;
            Ok((source, opened.map_err(Gathered::Refused)?))
        }
    }
}

async fn store(
    state: &State,
    caller: Credentials,
    destination: Destination,
    (plan, hashes): (ImportPlan, HashMap<FileId, BlobHash>),
    if_match: IfMatch,
) -> ApiResult<HttpResponse> {
    let Destination { space, selector, page } = destination;
    let imported = u64::try_from(plan.resources()).unwrap_or(u64::MAX);
    let total = u64::try_from(plan.found).unwrap_or(u64::MAX);
    let report = plan.report.clone();
    let revision = state
        .transact(caller, move |tx| {
            let content = tx.content(space, selector)?.authorize(Action::EditContent)?;
            let head = tx.lock_for_edit(&content)?;
            if_match.check_revision(head.revision.id)?;
            let applied = apply(&head.tree, plan, &hashes, page, tx.now().millis()).map_err(|error| {
                ApiError::new(Reason::ImportInvalid)
                    .with_message(format!("The import doesn't fit here: {error}."))
            })?;
            tx.store_blobs(&content, &applied.blobs)?;
            let commit = Commit {
                kind: RevisionType::Edits,
                other_parent: None,
                merged_from: None,
                tree: &applied.tree,
                documents: &applied.documents,
            };
            let revision = tx.commit(&head, &commit)?;
            tx.note_made("revision", revision.id);
            Ok(revision)
        })
        .await?;
    let result = ImportResult {
        revision: revision.id,
        imported_resources: imported,
        total_resources: total.max(imported),
        report,
    };
    respond::created(&state.urls.api(format_args!("spaces/{space}/revisions/{}", revision.id)), &result)
}
