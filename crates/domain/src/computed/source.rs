//! Sources of computed content.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::features::{ToSchema, Validate, ValidationError};
use crate::ids::{OpenApiSpecId, OpenApiSpecVersionId};
use crate::object::OpenApiSpecTag;
use crate::openapi_specs::SpecSlug;
use crate::{list, object_only, patch, text_checks, texts};

/// Generator of computed content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[schema(as = ComputedSourceType)]
pub enum ComputedType {
    /// The service itself, from an OpenAPI specification of the space's organization.
    #[serde(rename = "builtin:openapi")]
    OpenApi,
}

/// Source of a computed document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[schema(as = ComputedDocumentSource)]
pub struct DocumentSource {
    /// Generator of the document.
    #[serde(rename = "type")]
    pub computed_type: ComputedType,
    /// Resources that the document is generated from.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub dependencies: OpenApiDependencies,
    /// Selection of the document.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub props: DocumentProps,
}

/// Source of computed pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[schema(as = ComputedRevisionSource)]
pub struct RevisionSource {
    /// Generator of the pages.
    #[serde(rename = "type")]
    pub computed_type: ComputedType,
    /// Resources that the pages are generated from.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub dependencies: OpenApiDependencies,
    /// Options of the generator.
    #[serde(deserialize_with = "object_only::object")]
    pub props: RevisionProps,
}

/// Resources that `builtin:openapi` generates content from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct OpenApiDependencies {
    /// OpenAPI specification.
    #[serde(deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub spec: SpecDependency,
}

/// Specification that content depends on.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct SpecDependency {
    /// Reference to the specification.
    #[serde(rename = "ref", deserialize_with = "object_only::object")]
    #[validate(nested)]
    pub reference: OpenApiRef,
    /// Specification that the reference resolved to. Set in responses; ignored in requests.
    #[serde(default, skip_deserializing)]
    #[schema(ignore)]
    pub value: Option<ResolvedSpec>,
}

/// Reference to an OpenAPI specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct OpenApiRef {
    /// Always `openapi`.
    pub kind: OpenApiRefKind,
    /// Slug or id of the specification.
    #[validate(custom(function = "texts::SpecName::check"))]
    #[schema(value_type = texts::SpecName)]
    pub spec: String,
}

/// Kind of a reference to a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OpenApiRefKind {
    /// OpenAPI specification.
    OpenApi,
}

/// Specification that a reference resolved to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedSpec {
    /// Always `openapi-spec`.
    pub object: OpenApiSpecTag,
    /// Id of the specification.
    pub id: OpenApiSpecId,
    /// Slug of the specification.
    pub slug: SpecSlug,
    /// Version that the content was computed from.
    pub last_version: OpenApiSpecVersionId,
}

/// Options for pages of a specification.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RevisionProps {
    /// `true` to include pages of the models.
    pub models: bool,
}

/// Document computed from a specification: `models`, or a numbered page of `info` or `operations`.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[validate(schema(function = "number_fits"))]
pub struct DocumentProps {
    /// Kind of the document.
    pub doc: SpecDocument,
    /// Number of the page, from 1. Not allowed for `models`.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "list::page_number"))]
    #[schema(minimum = 1, nullable = false)]
    pub page: Option<u32>,
}

/// Kind of document of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpecDocument {
    /// List of the models.
    Models,
    /// Tags in order, then operations in order.
    Operations,
    /// General information on page 1, then one page for each model in order.
    Info,
}

fn number_fits(props: &DocumentProps) -> Result<(), ValidationError> {
    match (props.doc, props.page) {
        (SpecDocument::Models, Some(_)) => Err(text_checks::error("page", "must be absent for `models`")),
        (SpecDocument::Operations | SpecDocument::Info, None) => {
            Err(text_checks::error("page", "is required for `operations` and `info`"))
        }
        _ => Ok(()),
    }
}
