//! Common part of the import endpoints: synchronous or enqueued imports.

use actix_web::HttpResponse;
use quire_content::imports::{Destination, Import};
use quire_domain::imports::ImportResult;
use quire_importer::progress::Progress;
use quire_server::middleware::scope::RequestScope;
use quire_storage::Tx;
use quire_storage::lookup::Credentials;

use super::body::ImportBody;
use super::enqueue;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::preconditions::IfMatch;
use crate::preferences::Prefer;
use crate::respond;

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
    let import = Import {
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
