//! What content is computed from.

use serde::{Deserialize, Serialize};

use crate::features::{ToSchema, Validate, ValidationError};
use crate::ids::{OpenApiSpecId, OpenApiSpecVersionId};
use crate::object::OpenApiSpecTag;
use crate::openapi_specs::SpecSlug;
use crate::{list, patch, strict, text, texts};

/// What computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[schema(as = ComputedSourceType)]
pub enum ComputedType {
    /// The service itself, from an OpenAPI specification of the space's organization.
    #[serde(rename = "builtin:openapi")]
    OpenApi,
}

/// What a document is computed from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[schema(as = ComputedDocumentSource)]
pub struct DocumentSource {
    /// What computes.
    #[serde(rename = "type")]
    pub computed_type: ComputedType,
    /// What it computes from.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    pub dependencies: OpenApiDependencies,
    /// Which document.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    pub props: DocumentProps,
}

/// What pages are computed from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[schema(as = ComputedRevisionSource)]
pub struct RevisionSource {
    /// What computes.
    #[serde(rename = "type")]
    pub computed_type: ComputedType,
    /// What it computes from.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    pub dependencies: OpenApiDependencies,
    /// Which pages.
    #[serde(deserialize_with = "strict::object")]
    pub props: RevisionProps,
}

/// What `builtin:openapi` computes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct OpenApiDependencies {
    /// The specification.
    #[serde(deserialize_with = "strict::object")]
    #[validate(nested)]
    pub spec: SpecDependency,
}

/// A specification that content depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct SpecDependency {
    /// Which one is meant.
    #[serde(rename = "ref", deserialize_with = "strict::object")]
    #[validate(nested)]
    pub reference: OpenApiRef,
    /// The one that was found. Answers say it; what requests say of it is ignored.
    #[serde(default, skip_deserializing, skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub value: Option<ResolvedSpec>,
}

/// A reference to an OpenAPI specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct OpenApiRef {
    /// Always `openapi`.
    pub kind: OpenApiRefKind,
    /// The slug or the id of the specification.
    #[validate(custom(function = "texts::SpecName::check"))]
    #[schema(value_type = texts::SpecName)]
    pub spec: String,
}

/// The kind of a reference to a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OpenApiRefKind {
    /// An OpenAPI specification.
    OpenApi,
}

/// The specification that a reference leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedSpec {
    /// Always `openapi-spec`.
    pub object: OpenApiSpecTag,
    /// Its id.
    pub id: OpenApiSpecId,
    /// Its slug.
    pub slug: SpecSlug,
    /// The version that the content was computed from.
    pub last_version: OpenApiSpecVersionId,
}

/// Which pages of a specification.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RevisionProps {
    /// Whether the models have pages, too.
    pub models: bool,
}

/// A document computed from a specification: `models`, or one of the numbered pages of `info` and `operations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[validate(schema(function = "number_fits"))]
pub struct DocumentProps {
    /// The kind of the document.
    pub doc: SpecDocument,
    /// The number of the page, from 1. `models` is one page without a number.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "list::page_number"))]
    #[schema(minimum = 1, nullable = false)]
    pub page: Option<u32>,
}

/// Pages of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpecDocument {
    /// The page that lists the models.
    Models,
    /// The tags in their order, and then the operations in theirs.
    Operations,
    /// The specification itself, and then the models in their order.
    Info,
}

fn number_fits(props: &DocumentProps) -> Result<(), ValidationError> {
    match (props.doc, props.page) {
        (SpecDocument::Models, Some(_)) => {
            Err(text::error("page", "`models` is one page, and takes no `page`"))
        }
        (SpecDocument::Operations | SpecDocument::Info, None) => {
            Err(text::error("page", "`operations` and `info` need a `page`"))
        }
        _ => Ok(()),
    }
}
