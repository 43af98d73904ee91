//! Imports of external content, each as one revision.

mod body;
pub mod export;

use quire_content::imports as content_imports;
use quire_content::imports::{Destination, ImportInput};
use quire_domain::imports::{Import, ImportRequest, ImportResult};
use quire_importer::progress::Progress;
use quire_importer::spool::PIECE;
use quire_server::middleware::scope::RequestScope;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::files::StoredUpload;
use quire_storage::content::imports::ImportOrigin;

use crate::preferences::{PREFERENCE_APPLIED, Prefer, RESPOND_ASYNC};
use crate::prelude::*;
use crate::v1::imports::body::{ImportBody, ImportUpload};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const CONTENT: Resource = Tag::Content.at("/v1/spaces/{spaceId}/content/import", Some(Object::Space));
    const PAGE: Resource =
        Tag::Content.at("/v1/spaces/{spaceId}/content/page/{pageId}/import", Some(Object::Page));
    const CHANGE_REQUEST: Resource = Tag::Content.at(
        "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import",
        Some(Object::ChangeRequest),
    );
    const CHANGE_REQUEST_PAGE: Resource = Tag::Content.at(
        "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import",
        Some(Object::Page),
    );
    let needed = Needs(Action::EditContent);
    let importing = |route: Route| {
        let route = route.body::<ImportRequest>().form::<ImportUpload>();
        route.answers::<ImportResult>(201).async_response::<Import>()
    };
    vec![
        importing(Route::post(CONTENT, needed, "Import content into a space", import_content)),
        importing(Route::post(PAGE, needed, "Import content into a page", import_content_in_page_by_id)),
        importing(Route::post(
            CHANGE_REQUEST,
            needed,
            "Import content into a change request",
            import_content_in_change_request,
        )),
        importing(Route::post(
            CHANGE_REQUEST_PAGE,
            needed,
            "Import content into a change request page",
            import_content_in_change_request_page_by_id,
        )),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/imports", None),
            Needs(Action::ViewImports),
            "List a space's imports",
            list_imports,
        )
        .query::<PageQuery>()
        .lists::<Import>(),
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/imports/{importId}", Some(Object::Import)),
            Needs(Action::ViewImports),
            "Get an import",
            get_import,
        )
        .answers::<Import>(200),
        Route::delete(
            Tag::Content.at("/v1/spaces/{spaceId}/imports/{importId}", Some(Object::Import)),
            needed,
            "Cancel an import",
            cancel_import,
        )
        .answers_nothing(),
    ]
}

/// Imports content atomically and responds with 201, or with 202 for `Prefer: respond-async`.
pub async fn import(
    api: ApiData,
    caller: Credentials,
    destination: Destination,
    body: ImportBody,
    if_match: IfMatch,
    prefer: Prefer,
) -> ApiResult<HttpResponse> {
    let expected = if_match.revisions();
    api.imports.preflight(&**api, caller, destination, expected.clone().into()).await?;
    // The permit is held until the response, because the body and its unpacked content use disk space.
    let _permit = if prefer.respond_async { None } else { Some(api.imports.limiter.begin().await?) };
    let input = body.receive(&api).await?;
    if prefer.respond_async {
        return enqueue(&api, caller, destination, input, expected).await;
    }
    let import = content_imports::Import {
        credentials: caller,
        destination,
        limits: api.settings.imports,
        expected: expected.into(),
        change: RequestScope::current().defer(),
    };
    let finish = |tx: &mut Tx<'_>, result: &ImportResult| {
        tx.record_created("revision", result.revision);
        Ok(())
    };
    let result = api.imports.run(&**api, import, input, &Progress::default(), finish).await?;
    let space = destination.space;
    let location = api.state.urls.api(format_args!("spaces/{space}/revisions/{}", result.revision));
    respond::created(&location, &result)
}

async fn import_content(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    body: ImportBody,
    if_match: IfMatch,
    prefer: Prefer,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let destination = Destination { space, selector: ContentSelector::Space, page: None };
    import(api, caller, destination, body, if_match, prefer).await
}

async fn import_content_in_page_by_id(
    Caller(caller): Caller,
    Path((space, page)): Path<(SpaceId, PageId)>,
    body: ImportBody,
    if_match: IfMatch,
    prefer: Prefer,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let destination = Destination { space, selector: ContentSelector::Space, page: Some(page) };
    import(api, caller, destination, body, if_match, prefer).await
}

async fn import_content_in_change_request(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    body: ImportBody,
    if_match: IfMatch,
    prefer: Prefer,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let destination = Destination { space, selector: ContentSelector::ChangeRequest(key), page: None };
    import(api, caller, destination, body, if_match, prefer).await
}

async fn import_content_in_change_request_page_by_id(
    Caller(caller): Caller,
    Path((space, key, page)): Path<(SpaceId, ChangeRequestKey, PageId)>,
    body: ImportBody,
    if_match: IfMatch,
    prefer: Prefer,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let destination = Destination { space, selector: ContentSelector::ChangeRequest(key), page: Some(page) };
    import(api, caller, destination, body, if_match, prefer).await
}

async fn list_imports(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::new(format!("imports of {space}"), &page)?;
    let (below, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewImports)?;
            Ok(reader.imports(&space, below, limit)?)
        })
        .await?;
    list.respond(&request, slice, |record| record.id, |record| Ok(present::import(&state.urls, record)))
}

async fn get_import(
    Caller(caller): Caller,
    Path((space, import)): Path<(SpaceId, ImportId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let found = state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewImports)?;
            Ok(reader.import(&space, import)?)
        })
        .await?;
    respond::ok(&request, &present::import(&state.urls, found))
}

async fn cancel_import(
    Caller(caller): Caller,
    Path((space, import)): Path<(SpaceId, ImportId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let space = tx.space(space)?.authorize(Action::EditContent)?;
            Ok(tx.cancel_import(&space, import)?)
        })
        .await?;
    if let Err(error) = state.storage.files().remove_upload(StoredUpload { space, import }).await {
        // The import is cancelled nevertheless, and the sweep will remove the upload.
        log::warn!("the upload of import {import} could not be removed: {error}");
    }
    Ok(respond::no_content())
}

/// Stores the upload, enqueues the import, and responds with 202 and the URL of its progress.
///
/// The audit log entry is written when the import ends, as for a synchronous import.
///
/// # Errors
/// 429 if too many imports into the space are pending; errors of the store.
async fn enqueue(
    api: &Api,
    caller: Credentials,
    destination: Destination,
    input: ImportInput,
    expected: Option<Vec<RevisionId>>,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    let Destination { space, selector, page } = destination;
    let id = ImportId::from_uuid(state.storage.ids().uuid());
    let upload = StoredUpload { space, import: id };
    let (source, origin) = match input {
        ImportInput::Url { url, source } => (source, ImportOrigin::Url(url)),
        ImportInput::Upload { source, file_name, content } => {
            let size = u64::try_from(content.len()).unwrap_or(u64::MAX);
            state
                .storage
                .files()
                .keep_upload(upload, content.stream(PIECE, api.imports.fetcher.threads()))
                .await?;
            (source, ImportOrigin::Upload { file_name, size })
        }
    };
    let is_kept = matches!(origin, ImportOrigin::Upload { .. });
    let change = RequestScope::current().defer();
    let made = state
        .transact(caller, move |tx| {
            let content = tx.content(space, selector)?.authorize(Action::EditContent)?;
            Ok(tx.create_import(&content, id, (source, origin), page, expected, change)?)
        })
        .await;
    if made.is_err() && is_kept {
        // If this fails, too, the sweep removes the upload.
        let _ = state.storage.files().remove_upload(upload).await;
    }
    let import = present::import(&state.urls, made?);
    let mut response = respond::accepted(&import.urls.location, &import)?;
    let applied = header::HeaderValue::from_static(RESPOND_ASYNC);
    response.headers_mut().insert(PREFERENCE_APPLIED, applied);
    Ok(response)
}
