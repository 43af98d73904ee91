//! Exports of content.

use actix_web::http::Method;
use actix_web::web::Bytes;
use futures_util::stream;
use quire_content::exports::Export;
use quire_storage::content::spaces::blobs_of;

use crate::prelude::*;
use crate::v1::content::path::ContentPath;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::Content.at("/v1/spaces/{spaceId}/content/export", Some(Object::Space)),
            Needs(Action::ViewSpace),
            "Export a space's content",
            export_content,
        )
        .query::<ExportQuery>()
        .answers_media("application/zip")
        .audited(),
        Route::get(
            Tag::Content.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/export",
                Some(Object::ChangeRequest),
            ),
            Needs(Action::ViewSpace),
            "Export a change request's content",
            export_content,
        )
        .operation("exportChangeRequestContent")
        .query::<ExportQuery>()
        .answers_media("application/zip")
        .audited(),
    ]
}

/// Format of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// Zip archive of Markdown files.
    #[default]
    Markdown,
}

/// Query parameters of an export.
#[derive(Clone, Copy, Debug, Default, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// Format of the export.
    #[param(inline, default = "markdown")]
    pub format: ExportFormat,
}

async fn export_content(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Query(ExportQuery { format: ExportFormat::Markdown }): Query<ExportQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let (content, tree, blobs) = api
        .state
        .read(caller, move |reader| {
            let (content, tree) = reader.content_with_tree(path.space(), path.selector())?;
            let blobs = reader.blob_locations(content.space.id, &blobs_of(&tree))?;
            Ok((content, tree, blobs))
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
        // HEAD responds with an empty stream, because the length of a GET response is not known either.
        return Ok(response.streaming(stream::empty::<ApiResult<Bytes>>()));
    }
    // The audit log entry is written before anything is sent.
    let audit = move |tx: &mut Tx<'_>| {
        Ok(tx.content(path.space(), path.selector())?.authorize(Action::ViewSpace).map(drop)?)
    };
    api.state.transact(caller, audit).await?;
    let api = api.into_inner();
    let export = Export::begin(Arc::clone(&api), &api.exports, caller, content, tree, blobs).await?;
    Ok(response.streaming(export.into_stream()))
}
