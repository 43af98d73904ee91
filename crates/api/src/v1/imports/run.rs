//! The one way in which every import begins: look, then either do it all, or have it done.

use std::collections::HashMap;

use actix_web::HttpResponse;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{FileId, PageId, SpaceId};
use quire_domain::imports::{ImportRequest, ImportSource};
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_importer::apply::{Applied, apply, check_destination};
use quire_importer::plan::{ImportPlan, NewIds, plan};
use quire_importer::progress::Progress;
use quire_importer::refusal;
use quire_importer::source::{self, Announced, GatherError};
use quire_importer::spool::PIECE;
use quire_importer::tree::SourceTree;
use quire_revision::{BlobHash, Tree};
use quire_storage::content::Commit;
use quire_storage::lookup::{ContentSelector, Credentials};

use super::body::{ImportBody, Material};
use super::later;
use crate::api::{Api, ApiData};
use crate::error::{ApiError, ApiResult};
use crate::preconditions::IfMatch;
use crate::preferences::Prefer;
use crate::respond;

/// Files that are written at the same time: each waits for the disk.
const PARALLEL_FILES: usize = 4;

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

/// Imports, and answers 201 when all of it is stored; otherwise nothing is. A caller who prefers not to wait is answered 202.
pub async fn run(
    api: ApiData,
    caller: Credentials,
    destination: Destination,
    body: ImportBody,
    if_match: IfMatch,
    prefer: Prefer,
) -> ApiResult<HttpResponse> {
    look(&api, caller, destination, if_match.clone()).await?;
    // Held until the answer: a body that is taken in lies on the disk, and what is unpacked as well.
    let _place = if prefer.respond_async { None } else { Some(api.imports.begin().await?) };
    let material = body.receive(&api).await?;
    if prefer.respond_async {
        return later::accept(&api.state, caller, destination, material, if_match).await;
    }
    let field = material.field();
    let (source, files) = gather(&api, material).await?;
    let files = files.map_err(|error| match refusal::of_gathering(field, &error) {
        Some(refused) => refused.into(),
        None => ApiError::internal(error),
    })?;
    let plan = api
        .compute_import(move |storage| {
            plan(source, files, &mut NewIds(storage.ids()))
                .map_err(|error| refusal::of_planning(field, &error).into())
        })
        .await?;
    let hashes = put_files(&api, destination.space, &plan).await?;
    store(&api, caller, destination, (plan, hashes), if_match).await
}

/// Refuses before anything is fetched or taken in what would be refused in the end.
async fn look(api: &Api, caller: Credentials, destination: Destination, if_match: IfMatch) -> ApiResult<()> {
    let Destination { space, selector, page } = destination;
    api.state
        .read(caller, move |reader| {
            let content = reader.content(space, selector)?.authorize(Action::EditContent)?;
            content.require_editable()?;
            if_match.check_revision(content.revision.id)?;
            let Some(page) = page else { return Ok(()) };
            let tree = reader.tree(&content)?;
            check_destination(tree.page(page).ok_or_else(ApiError::not_found)?)
                .map_err(|error| refusal::of_placing(&error).into())
        })
        .await
}

/// The outer error is of the service, the inner one of the content.
async fn gather(api: &Api, material: Material) -> ApiResult<(ImportSource, Result<SourceTree, GatherError>)> {
    let (limits, progress) = (api.settings.imports, Progress::default());
    match material {
        Material::Url(ImportRequest { url, source }) => {
            Ok((source, source::gather(&api.fetcher, limits, source, &url, &progress).await))
        }
        Material::Upload { source, file_name, content } => {
            let announced = Announced { content_type: None, file_name };
            let open = move || source::open(source, limits, &announced, content, &progress);
            Ok((source, api.compute_import(move |_| Ok(open())).await?))
        }
    }
}

/// Puts the bytes of the plan's files into the store, a few at a time: they are never in memory together.
async fn put_files(api: &Api, space: SpaceId, plan: &ImportPlan) -> ApiResult<HashMap<FileId, BlobHash>> {
    let put = plan.files.iter().map(|file| {
        let (id, content) = (file.id, file.content.clone());
        async move {
            let hashed = content.clone();
            let hash = move || BlobHash::of_pieces(hashed.parts(PIECE)).map_err(ApiError::internal);
            let hash = api.compute_import(move |_| hash()).await?;
            api.state.storage.files().put_pieces(space, hash, content.stream(PIECE)).await?;
            Ok((id, hash))
        }
    });
    stream::iter(put).buffer_unordered(PARALLEL_FILES).try_collect().await
}

async fn store(
    api: &Api,
    caller: Credentials,
    destination: Destination,
    (mut plan, hashes): (ImportPlan, HashMap<FileId, BlobHash>),
    if_match: IfMatch,
) -> ApiResult<HttpResponse> {
    let Destination { space, selector, page } = destination;
    let seen = api
        .state
        .read(caller, move |reader| {
            let content = reader.content(space, selector)?.authorize(Action::EditContent)?;
            Ok(reader.tree(&content)?)
        })
        .await?;
    let result = plan.result();
    let place = move |tree: &Tree, now: Timestamp| {
        let applied = apply(tree, plan.clone(), &hashes, page, now.millis());
        applied.map_err(|error| ApiError::from(refusal::of_placing(&error)))
    };
    let (place, draft) = api
        .compute_import(move |storage| {
            let Applied { tree, documents, blobs } = place(&seen, storage.clock().now())?;
            Ok((place, (seen.root(), (tree, storage.analyze(documents), blobs))))
        })
        .await?;
    // Storing a large import takes a while. The turn bounds the connections that imports hold.
    let _turn = api.imports.turn().await?;
    let result = api
        .state
        .transact(caller, move |tx| {
            let content = tx.content(space, selector)?.authorize(Action::EditContent)?;
            let head = tx.lock_for_edit(&content)?;
            if_match.check_revision(head.revision.id)?;
            let (root, drafted) = draft;
            let (tree, documents, blobs) = if root == head.tree.root() {
                drafted
            } else {
                // The head moved after the draft was made.
                let Applied { tree, documents, blobs } = place(&head.tree, tx.now())?;
                (tree, tx.storage().analyze_others(documents, drafted.1), blobs)
            };
            tx.store_blobs(&content, &blobs)?;
            let commit = Commit {
                kind: RevisionType::Edits,
                other_parent: None,
                merged_from: None,
                tree: &tree,
                documents: &documents,
            };
            let revision = tx.commit(&head, &commit)?;
            tx.note_made("revision", revision.id);
            Ok(result(revision.id))
        })
        .await?;
    let location = api.state.urls.api(format_args!("spaces/{space}/revisions/{}", result.revision));
    respond::created(&location, &result)
}
