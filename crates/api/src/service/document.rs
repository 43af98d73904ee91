//! The served OpenAPI document.

use std::sync::OnceLock;

use actix_web::web::Bytes;

use crate::error::{ApiError, ApiResult};

/// Function that writes the document of the API below a base path.
type Write = fn(&str) -> serde_json::Result<String>;

/// OpenAPI document, written on the first request.
pub struct OpenApiDocument {
    base_path: String,
    write: Write,
    written: OnceLock<Bytes>,
}

impl OpenApiDocument {
    /// Creates the document of the API below `base_path`.
    pub fn new(base_path: String, write: Write) -> Self {
        Self { base_path, write, written: OnceLock::new() }
    }

    /// Returns the document.
    ///
    /// # Errors
    /// A failure to write it.
    pub fn bytes(&self) -> ApiResult<Bytes> {
        if let Some(document) = self.written.get() {
            return Ok(document.clone());
        }
        let document = (self.write)(&self.base_path).map_err(ApiError::internal)?;
        Ok(self.written.get_or_init(|| Bytes::from(document)).clone())
    }
}
