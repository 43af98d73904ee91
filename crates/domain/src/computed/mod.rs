//! Computed content: documents and pages that are generated when they are read.
//!
//! The only source is a stored OpenAPI specification, `builtin:openapi`.

mod source;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

pub use self::source::{
    ComputedType, DocumentProps, DocumentSource, Grouping, OpenApiDependencies, OpenApiRef, OpenApiRefKind,
    ResolvedSpec, RevisionProps, RevisionSource, SpecDependency, SpecDocument, SpecMethod,
};
use crate::revisions::{File, Page, ReusableContent};
use crate::{object_only, texts};

/// Request body to compute a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ComputedDocumentRequest {
    /// Source of the document.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub source: DocumentSource,
    /// Seed of the ids in the document. Equal seeds give equal ids.
    #[validate(custom(function = "texts::Seed::check"))]
    pub seed: texts::Seed,
}

/// Request body to compute pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ComputedRevisionRequest {
    /// Source of the pages.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub source: RevisionSource,
    /// Seed of the page ids. Equal seeds give equal ids.
    #[validate(custom(function = "texts::Seed::check"))]
    pub seed: texts::Seed,
}

/// Computed pages, with the files that they use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComputedRevision {
    /// Pages at the top of the tree, each with its subpages.
    pub pages: Vec<Page>,
    /// Files that the pages use.
    pub files: Vec<File>,
    /// Reusable contents that the pages use.
    pub reusable_contents: Vec<ReusableContent>,
}
