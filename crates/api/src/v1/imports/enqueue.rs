//! Imports in the background.

use actix_web::HttpResponse;
use quire_content::imports::{Destination, ImportInput};
use quire_domain::ids::{ImportId, RevisionId};
use quire_domain::policy::Action;
use quire_importer::spool::PIECE;
use quire_storage::content::files::StoredUpload;
use quire_storage::content::imports::{ImportOrigin, NewImport};
use quire_storage::lookup::Credentials;

use crate::api::Api;
use crate::error::ApiResult;
use crate::middleware::scope::RequestScope;
use crate::preferences::{PREFERENCE_APPLIED, RESPOND_ASYNC};
use crate::{present, respond};

/// Stores the upload, enqueues the import, and responds with 202 and the URL of its progress.
///
/// The audit log entry is written when the import ends, as for a synchronous one.
///
/// # Errors
/// 429 if too many imports into the space are pending; errors of the store.
pub async fn enqueue(
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
            Ok(tx.create_import(&content, NewImport { id, page, source, origin, expected, change })?)
        })
        .await;
    if made.is_err() && is_kept {
        // If this fails too, the sweep removes it.
        let _ = state.storage.files().remove_upload(upload).await;
    }
    let import = present::import(&state.urls, made?);
    let mut response = respond::accepted(&import.urls.location, &import)?;
    let applied = actix_web::http::header::HeaderValue::from_static(RESPOND_ASYNC);
    response.headers_mut().insert(PREFERENCE_APPLIED, applied);
    Ok(response)
}
