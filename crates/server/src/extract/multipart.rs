//! Multipart bodies: uploads.

use actix_multipart::{Field, Multipart};
use actix_web::http::header::ContentDisposition;
use actix_web::web::{Bytes, BytesMut};
use quire_domain::error::Reason;

use super::BodyDeadline;
use crate::body_budget::BodyReservation;
use crate::error::{ApiError, ApiResult};

/// Part of a multipart body.
#[derive(Clone, Debug)]
pub struct Part {
    /// Name of the field.
    pub name: String,
    /// Name of the file, if present.
    pub file_name: Option<String>,
    /// Media type, if present.
    pub content_type: Option<String>,
    /// Bytes.
    pub bytes: Bytes,
}

/// Returns all parts of a body of at most `limit` bytes and `parts` parts. The bytes are reserved as they arrive.
///
/// # Errors
/// 413 above the limit, 408 if the body does not arrive in time, 503 if no memory is left, 400 for a malformed body or
/// a part without a name.
pub async fn read_parts(
    mut payload: Multipart,
    limit: usize,
    parts: usize,
    arrival: BodyDeadline,
    reservation: &mut BodyReservation,
) -> ApiResult<Vec<Part>> {
    let mut left = limit;
    let mut read = Vec::new();
    while let Some(field) = arrival.next(&mut payload).await? {
        let mut field = field.map_err(|error| malformed_multipart(&error))?;
        if read.len() >= parts {
            return Err(ApiError::new(Reason::InvalidBody)
                .with_message(format!("A multipart body must have at most {parts} parts.")));
        }
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field_file_name(&field);
        let content_type = field.content_type().map(ToString::to_string);
        let mut bytes = BytesMut::new();
        while let Some(chunk) = arrival.next(&mut field).await? {
            let chunk = chunk.map_err(|error| malformed_multipart(&error))?;
            left = left.checked_sub(chunk.len()).ok_or_else(|| {
                ApiError::new(Reason::PayloadTooLarge)
                    .with_message(format!("The upload is larger than {limit} bytes."))
            })?;
            reservation.take(chunk.len())?;
            bytes.extend_from_slice(&chunk);
        }
        read.push(Part { name, file_name, content_type, bytes: bytes.freeze() });
    }
    Ok(read)
}

/// Returns the file name of a form field.
pub fn field_file_name(field: &Field) -> Option<String> {
    field.content_disposition().and_then(file_name)
}

/// Returns the file name. The extended form, which states its encoding, takes precedence over the plain one.
fn file_name(disposition: &ContentDisposition) -> Option<String> {
    let extended = disposition.get_filename_ext().and_then(|name| String::from_utf8(name.value.clone()).ok());
    extended.or_else(|| disposition.get_filename().map(str::to_owned))
}

/// Returns 400 for a malformed form.
pub fn malformed_multipart(error: &impl std::fmt::Display) -> ApiError {
    ApiError::new(Reason::InvalidBody).with_message(format!("The multipart body could not be read: {error}."))
}
