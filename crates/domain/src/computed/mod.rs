//! Computed content: documents and pages that are made from something else when they are read.
//!
//! The only source so far is a stored OpenAPI specification, `builtin:openapi`.

mod source;

use serde::{Deserialize, Serialize};

pub use self::source::{
    ComputedType, DocumentProps, DocumentSource, OpenApiDependencies, OpenApiRef, OpenApiRefKind,
    ResolvedSpec, RevisionProps, RevisionSource, SpecDependency, SpecDocument,
};
use crate::features::{ToSchema, Validate};
use crate::revisions::{File, Page};
use crate::{strict, texts};

/// The body that asks for a computed document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ComputedDocumentRequest {
    /// What it is computed from.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    pub source: DocumentSource,
    /// What the ids in it depend on: the same seed gives the same ids.
    #[validate(custom(function = "texts::Seed::check"))]
    pub seed: texts::Seed,
}

/// The body that asks for computed pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct ComputedRevisionRequest {
    /// What they are computed from.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    pub source: RevisionSource,
    /// What their ids depend on: the same seed gives the same ids.
    #[validate(custom(function = "texts::Seed::check"))]
    pub seed: texts::Seed,
}

/// Computed pages, with the files that they show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ComputedRevision {
    /// The pages, each with those below it.
    pub pages: Vec<Page>,
    /// The files.
    pub files: Vec<File>,
}
