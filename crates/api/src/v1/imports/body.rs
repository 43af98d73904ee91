//! Input of an import: a URL, or an upload that is stored while it arrives.

use actix_multipart::{Field, Multipart};
use actix_web::FromRequest;
use actix_web::dev::Payload;
use futures_util::future::LocalBoxFuture;
use quire_content::imports::ImportInput;
use quire_domain::imports::{ImportRequest, ImportSource};
use quire_importer::blocking::Threads;
use quire_importer::spool::{Content, Incoming, IncomingError};

use crate::extract::{BodyDeadline, field_file_name, malformed_multipart};
use crate::prelude::*;

/// Longest name of a source in bytes.
const MAX_NAME: u64 = 256;
/// Most parts of a form.
const MAX_PARTS: usize = 8;

/// Problem of a form with several files.
const ONE_FILE: &str = "must be given once; several files are imported as an archive with the source `zip`";

/// Form of an upload to import.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "forms are read part by part; this is their schema")]
pub struct ImportUpload {
    /// Type of the source.
    pub source: ImportSource,
    /// File to import.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    pub file: Vec<u8>,
}

/// Input of an import: a URL, or a form. The form is read only after authorization, so that a caller without permission
/// cannot fill the disk.
pub enum ImportBody {
    /// URL to fetch.
    Url(ImportRequest),
    /// Form to read.
    Form(Multipart),
}

impl FromRequest for ImportBody {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if !content_type
            .is_some_and(|value| value.trim_start().to_ascii_lowercase().starts_with("multipart/form-data"))
        {
            let body = Json::<ImportRequest>::from_request(request, payload);
            return Box::pin(async move { Ok(Self::Url(body.await?.0)) });
        }
        let form = Multipart::new(request.headers(), payload.take());
        Box::pin(async move { Ok(Self::Form(form)) })
    }
}

impl ImportBody {
    /// Stores an upload within the size bound of imports.
    ///
    /// # Errors
    /// 413 for a larger upload, 408 if it does not arrive in time, 400 for a malformed form or a missing part.
    pub async fn receive(self, api: &Api) -> ApiResult<ImportInput> {
        match self {
            Self::Url(ImportRequest { url, source }) => {
                Ok(ImportInput::Url { url: url.into_text()?, source })
            }
            Self::Form(form) => {
                let limit = api.settings.imports.max_bytes;
                let threads = api.imports.fetcher.threads();
                upload(form, limit, BodyDeadline::of(&api.state.settings, limit), threads).await
            }
        }
    }
}

async fn upload(
    mut form: Multipart,
    limit: u64,
    arrival: BodyDeadline,
    threads: &Threads,
) -> ApiResult<ImportInput> {
    let (mut source, mut file) = (None, None);
    let mut parts = 0_usize;
    while let Some(field) = arrival.next(&mut form).await? {
        let field = field.map_err(|error| malformed_multipart(&error))?;
        parts = parts.saturating_add(1);
        if parts > MAX_PARTS {
            return Err(ApiError::new(Reason::InvalidBody)
                .with_message(format!("A multipart body must have at most {MAX_PARTS} parts.")));
        }
        match field.name().unwrap_or_default() {
            "source" if source.is_some() => {
                return Err(ApiError::invalid_field("source", "must be given once"));
            }
            // A file must not be dropped without notice.
            "file" if file.is_some() => return Err(ApiError::invalid_field("file", ONE_FILE)),
            "source" => source = Some(named_source(field, arrival, threads).await?),
            "file" => {
                let file_name = field_file_name(&field);
                file = Some((file_name, taken(field, limit, arrival, threads).await?));
            }
            // Other parts are read and dropped, within the same bound.
            _ => drop(taken(field, limit, arrival, threads).await?),
        }
    }
    let source = source.ok_or_else(|| ApiError::invalid_field("source", "is required"))?;
    let (file_name, content) = file.ok_or_else(|| ApiError::invalid_field("file", "is required"))?;
    Ok(ImportInput::Upload { source, file_name, content })
}

async fn named_source(field: Field, arrival: BodyDeadline, threads: &Threads) -> ApiResult<ImportSource> {
    let unknown = || ApiError::invalid_field("source", "is not a source of imports");
    let name = taken(field, MAX_NAME, arrival, threads).await.map_err(|error| match error.reason() {
        Reason::PayloadTooLarge => unknown(),
        _ => error,
    })?;
    let name = name.read().map_err(ApiError::internal)?;
    std::str::from_utf8(&name).unwrap_or_default().trim().parse().map_err(|_| unknown())
}

async fn taken(mut field: Field, limit: u64, arrival: BodyDeadline, threads: &Threads) -> ApiResult<Content> {
    let mut content = Incoming::new(limit, threads);
    while let Some(chunk) = arrival.next(&mut field).await? {
        let chunk = chunk.map_err(|error| malformed_multipart(&error))?;
        content.push(&chunk).await.map_err(|error| match error {
            IncomingError::TooLarge { limit } => ApiError::new(Reason::PayloadTooLarge)
                .with_message(format!("The upload is larger than {limit} bytes.")),
            IncomingError::Disk(error) => ApiError::unavailable(error),
        })?;
    }
    content.finish().await.map_err(ApiError::unavailable)
}
