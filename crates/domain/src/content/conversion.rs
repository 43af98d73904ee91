//! Content of a page that is converted without a write.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use crate::described::Document;
use crate::documents::{self, DocumentInput, DocumentJson};

/// Request body to convert the content of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ConversionRequest {
    /// Markdown or a document. Markdown has neither front matter nor title.
    #[validate(custom(function = "documents::check_content"))]
    pub document: DocumentInput,
}

/// Content of a page as Markdown and as a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Conversion {
    /// Markdown of the request, or its document as Markdown. References are written by id.
    pub markdown: String,
    /// Document that `markdown` is read as.
    #[schema(value_type = Document)]
    pub document: DocumentJson,
}
