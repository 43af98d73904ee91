//! Pages of a change request that a user has viewed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use crate::bounds::VIEWED_PAGES_MAX;
use crate::ids::{DocumentId, PageId};
use crate::text_checks;

/// Pages of a change request that the caller has marked as viewed. A mark ends when the document of the page changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ViewedPages {
    /// Ids of pages, each with the id of the document that was viewed. `null` for a page without a document, such as a
    /// deleted one.
    #[validate(custom(function = "few_pages"))]
    #[schema(value_type = BTreeMap<String, Option<String>>)]
    pub pages: BTreeMap<PageId, Option<DocumentId>>,
}

fn few_pages(pages: &BTreeMap<PageId, Option<DocumentId>>) -> Result<(), ValidationError> {
    if pages.len() <= VIEWED_PAGES_MAX {
        return Ok(());
    }
    let message = format!("must have at most {VIEWED_PAGES_MAX} pages, has {}", pages.len());
    Err(text_checks::error("length", message))
}
