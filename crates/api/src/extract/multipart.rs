//! Bodies of several parts: uploads.

use actix_multipart::{Field, Multipart};
use actix_web::http::header::ContentDisposition;
use actix_web::web::Bytes;
use futures_util::StreamExt as _;
use quire_domain::error::Reason;

use crate::error::{ApiError, ApiResult};

/// One part of a body.
#[derive(Clone, Debug)]
pub struct Part {
    /// The name of the field.
    pub name: String,
    /// The name of the file, when it is one.
    pub file_name: Option<String>,
    /// Its media type, when the caller says one.
    pub content_type: Option<String>,
    /// Its bytes.
    pub bytes: Bytes,
}

/// All parts of a body, which may be `limit` bytes together and `parts` in number.
///
/// # Errors
/// 413 above the limit, 400 when the body can't be read or a part has no name.
pub async fn read_parts(mut payload: Multipart, limit: usize, parts: usize) -> ApiResult<Vec<Part>> {
    let mut left = limit;
    let mut read = Vec::new();
    while let Some(field) = payload.next().await {
        let mut field = field.map_err(|error| malformed_multipart(&error))?;
        if read.len() >= parts {
            return Err(ApiError::new(Reason::InvalidBody)
                .with_message(format!("A body may have {parts} parts at most.")));
        }
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field_file_name(&field);
        let content_type = field.content_type().map(ToString::to_string);
        let bytes = field
            .bytes(left)
            .await
            .map_err(|_| {
                ApiError::new(Reason::PayloadTooLarge)
                    .with_message(format!("The upload is larger than {limit} bytes."))
            })?
            .map_err(|error| malformed_multipart(&error))?;
        left = left.saturating_sub(bytes.len());
        read.push(Part { name, file_name, content_type, bytes });
    }
    Ok(read)
}

/// The name of a file in a form.
pub(crate) fn field_file_name(field: &Field) -> Option<String> {
    field.content_disposition().and_then(file_name)
}

/// The name in its extended form, which says how it is encoded, before the plain one.
fn file_name(disposition: &ContentDisposition) -> Option<String> {
    let extended = disposition.get_filename_ext().and_then(|name| String::from_utf8(name.value.clone()).ok());
    extended.or_else(|| disposition.get_filename().map(str::to_owned))
}

/// 400 for a body that is no form.
pub(crate) fn malformed_multipart(error: &impl std::fmt::Display) -> ApiError {
    ApiError::new(Reason::InvalidBody).with_message(format!("The multipart body can't be read: {error}."))
}
