//! Rendering of documents for programs that show them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use crate::documents::{self, DocumentInput};

/// Document to render.
#[derive(Clone, Debug, Deserialize, Validate, ToSchema)]
#[schema(as = Rendering)]
pub struct RenderRequest {
    /// Document. Links in Markdown name pages by their ids.
    #[validate(custom(function = "documents::check_content"))]
    pub document: DocumentInput,
}

/// Rendered document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RenderedDocument {
    /// Content of `<article class="document">`, as readers of a site get it.
    pub html: String,
}
