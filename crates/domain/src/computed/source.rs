//! Sources of computed content.

use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use crate::ids::{OpenApiSpecId, OpenApiSpecVersionId};
use crate::object::OpenApiSpecTag;
use crate::openapi_specs::SpecSlug;
use crate::{object_only, patch, text_checks, texts};

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
#[skip_serializing_none]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionProps {
    /// `true` to include a page of the models.
    pub models: bool,
    /// `true` to link the source on the page about the specification, if the source is a URL.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub download_link: Option<bool>,
    /// Pages of the operations. The default is `by-tag`.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub grouping: Option<Grouping>,
}

/// Pages of the operations of a specification.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ComputedGrouping)]
pub enum Grouping {
    /// One page for each tag, with all its operations.
    #[default]
    ByTag,
    /// One page for each operation, below the page of its tag.
    ByOperation,
}

/// Document computed from a specification.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[validate(schema(function = "props_fit"))]
pub struct DocumentProps {
    /// Kind of the document.
    pub doc: SpecDocument,
    /// Name of the page in the specification: `tag-` and the name of a tag for `operations` and `tag`; `info`, or
    /// `info-` and the number of a heading for `info`; the path or the name of a webhook for `operation`. A number is
    /// read as its digits: the position of the document, from 1. Not allowed for `models`.
    #[serde(default, deserialize_with = "page_name")]
    #[validate(custom(function = "texts::SpecPage::check"))]
    #[schema(value_type = texts::SpecPage, nullable = false, required = false)]
    pub page: Option<String>,
    /// Method of the operation. Required for `operation`, not allowed for others.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub method: Option<SpecMethod>,
    /// `true` if the operation is deprecated. It does not change the document.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub deprecated: Option<bool>,
}

/// Kind of document of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpecDocument {
    /// All models.
    Models,
    /// Description of a tag and its operations.
    Operations,
    /// General information, or a section of the description of the specification.
    Info,
    /// One operation or webhook.
    Operation,
    /// Description of a tag, with links to the pages of its operations.
    Tag,
}

/// Method of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ComputedMethod)]
pub enum SpecMethod {
    /// GET.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// DELETE.
    Delete,
    /// PATCH.
    Patch,
    /// OPTIONS.
    Options,
    /// HEAD.
    Head,
    /// TRACE.
    Trace,
    /// QUERY (OpenAPI 3.2).
    Query,
    /// The request that the service sends to a webhook, with any method.
    Hook,
}

impl SpecMethod {
    /// Name in lowercase, as in specifications.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Put => "put",
            Self::Delete => "delete",
            Self::Patch => "patch",
            Self::Options => "options",
            Self::Head => "head",
            Self::Trace => "trace",
            Self::Query => "query",
            Self::Hook => "hook",
        }
    }

    /// Returns the method with this name in lowercase.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let all = [
            Self::Get,
            Self::Post,
            Self::Put,
            Self::Delete,
            Self::Patch,
            Self::Options,
            Self::Head,
            Self::Trace,
            Self::Query,
            Self::Hook,
        ];
        all.into_iter().find(|method| method.as_str() == name)
    }
}

/// Reads the name of a page. A number is accepted, because earlier versions numbered the pages.
fn page_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a string")]
    enum Name {
        Text(String),
        Number(u64),
    }

    Name::deserialize(deserializer).map(|name| match name {
        Name::Text(text) => Some(text),
        Name::Number(number) => Some(number.to_string()),
    })
}

fn props_fit(props: &DocumentProps) -> Result<(), ValidationError> {
    match (props.doc, &props.page, props.method) {
        (SpecDocument::Models, Some(_), _) => {
            Err(text_checks::error("page", "must be absent if `doc` is `models`"))
        }
        (SpecDocument::Models, None, None) => Ok(()),
        (_, None, _) => Err(text_checks::error("page", "is required unless `doc` is `models`")),
        (SpecDocument::Operation, _, None) => {
            Err(text_checks::error("method", "is required for `operation`"))
        }
        (SpecDocument::Operation, _, Some(_)) | (_, _, None) => Ok(()),
        (_, _, Some(_)) => Err(text_checks::error("method", "is allowed for `operation` only")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use validator::Validate as _;

    use super::*;

    fn read(props: Value) -> Option<Value> {
        let props: DocumentProps = serde_json::from_value(props).ok()?;
        props.validate().ok()?;
        serde_json::to_value(&props).ok()
    }

    #[test]
    fn pages_are_named_and_numbers_are_digits() {
        for props in [
            json!({"doc": "models"}),
            json!({"doc": "operations", "page": "tag-pets"}),
            json!({"doc": "info", "page": "info-0"}),
            json!({"doc": "tag", "page": "tag-default"}),
            json!({"doc": "operation", "page": "/pets", "method": "get", "deprecated": true}),
            json!({"doc": "operation", "page": "newPet", "method": "hook"}),
        ] {
            assert_eq!(read(props.clone()), Some(props));
        }
        let numbered = read(json!({"doc": "operations", "page": 12}));
        assert_eq!(numbered, Some(json!({"doc": "operations", "page": "12"})));
        for props in [
            json!({"doc": "operations", "page": ""}),
            json!({"doc": "operations", "page": null}),
            json!({"doc": "operations", "page": -1}),
            json!({"doc": "operations", "page": 1.5}),
            json!({"doc": "operations", "page": ["tag-pets"]}),
            json!({"doc": "operations", "page": "tag-pets", "method": "get"}),
            json!({"doc": "operations"}),
            json!({"doc": "models", "method": "get"}),
            json!({"doc": "operation", "page": "/pets"}),
            json!({"doc": "operation", "page": "/pets", "method": "fetch"}),
            json!({"doc": "operation", "page": "/pets", "method": null}),
            json!({"doc": "operation", "page": "x".repeat(5_000), "method": "get"}),
        ] {
            assert_eq!(read(props.clone()), None, "{props}");
        }
    }
}
