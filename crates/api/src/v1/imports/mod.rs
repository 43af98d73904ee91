//! Imports of external content, each as one revision.

mod body;
mod enqueue;
pub mod export;

use actix_web::{HttpRequest, HttpResponse};
use quire_content::imports as content_imports;
use quire_content::imports::Destination;
use quire_domain::ids::{ImportId, PageId, SpaceId};
use quire_domain::imports::{Import, ImportRequest, ImportResult};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_importer::progress::Progress;
use quire_server::middleware::scope::RequestScope;
use quire_storage::Tx;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::files::StoredUpload;
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;

use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::preconditions::IfMatch;
use crate::preferences::Prefer;
use crate::route::Access::Needs;
use crate::route::{Object, Route, Tag};
use crate::state::State;
use crate::v1::imports::body::{ImportBody, ImportUpload};
use crate::{present, respond};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    let needed = Needs(Action::EditContent);
    vec![
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/import", Some(Object::Space)),
            needed,
            "Import content into a space",
            import_content,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .async_response::<Import>(),
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/page/{pageId}/import", Some(Object::Page)),
            needed,
            "Import content into a page",
            import_content_in_page_by_id,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .async_response::<Import>(),
        Route::post(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import",
                Some(Object::ChangeRequest),
            ),
            needed,
            "Import content into a change request",
            import_content_in_change_request,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .async_response::<Import>(),
        Route::post(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import",
                Some(Object::Page),
            ),
            needed,
            "Import content into a change request page",
            import_content_in_change_request_page_by_id,
        )
        .body::<ImportRequest>()
        .form::<ImportUpload>()
        .answers::<ImportResult>(201)
        .async_response::<Import>(),
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
    // Held until the response, because the body and its unpacked content use disk space.
    let _permit = if prefer.respond_async { None } else { Some(api.imports.limiter.begin().await?) };
    let input = body.receive(&api).await?;
    if prefer.respond_async {
        return enqueue::enqueue(&api, caller, destination, input, expected).await;
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
        // The import is cancelled anyway, and the sweep tries again.
        log::warn!("the upload of import {import} was not removed: {error}");
    }
    Ok(respond::no_content())
}
