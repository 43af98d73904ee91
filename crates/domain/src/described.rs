//! Schemas of values that this crate does not interpret: documents, content references and schemas of claims.
//!
//! No value has one of these types. Fields that hold such values refer to them in the OpenAPI document.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use serde_with::apply;
use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

use crate::object::tags;

tags! {
    /// Names a document.
    DocumentTag = "document";
    /// Names a block of a document.
    DocumentBlockTag = "block";
    /// Names an inline of a document.
    DocumentInlineTag = "inline";
    /// Names a text of a document.
    DocumentTextTag = "text";
    /// Names a leaf of a text.
    DocumentLeafTag = "leaf";
    /// Names a mark of a leaf.
    DocumentMarkTag = "mark";
    /// Names a fragment of a block or an inline.
    DocumentFragmentTag = "fragment";
}

/// Document: a tree of blocks, inlines and texts.
#[derive(Serialize, ToSchema)]
pub struct Document {
    /// Always `document`.
    pub object: DocumentTag,
    /// Properties of the document, among them `schemaVersion`.
    #[schema(schema_with = document_data, required = false)]
    pub data: Map<String, Value>,
    /// Blocks in reading order.
    pub nodes: Vec<DocumentBlock>,
}

/// Block of a document.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentBlock {
    /// Always `block`.
    pub object: DocumentBlockTag,
    /// Kind of the block.
    #[serde(rename = "type")]
    pub kind: String,
    /// Key of the block, for comments and links.
    pub key: Option<String>,
    /// `true` for a kind without `nodes`.
    pub is_void: Option<bool>,
    /// Properties of the kind.
    #[schema(value_type = Object, required = false)]
    pub data: Option<Map<String, Value>>,
    /// Metadata of editors, stored unchanged.
    #[schema(value_type = Object, required = false)]
    pub meta: Option<Map<String, Value>>,
    /// Content in reading order.
    pub nodes: Option<Vec<DocumentNode>>,
    /// Content outside the main flow, such as captions and table cells.
    pub fragments: Option<Vec<DocumentFragment>>,
}

/// Node of a document.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum DocumentNode {
    /// Block.
    #[schema(no_recursion)]
    Block(Box<DocumentBlock>),
    /// Inline.
    Inline(DocumentInline),
    /// Text.
    Text(DocumentText),
}

/// Inline of a document: a node within a line of text that is not text.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentInline {
    /// Always `inline`.
    pub object: DocumentInlineTag,
    /// Kind of the inline.
    #[serde(rename = "type")]
    pub kind: String,
    /// Key of the inline, for comments and links.
    pub key: Option<String>,
    /// `true` for a kind without `nodes`.
    pub is_void: Option<bool>,
    /// Properties of the kind.
    #[schema(value_type = Object, required = false)]
    pub data: Option<Map<String, Value>>,
    /// Metadata of editors, stored unchanged.
    #[schema(value_type = Object, required = false)]
    pub meta: Option<Map<String, Value>>,
    /// Content in reading order.
    #[schema(no_recursion)]
    pub nodes: Option<Vec<DocumentNode>>,
    /// Content outside the main flow, such as footnotes.
    #[schema(no_recursion)]
    pub fragments: Option<Vec<DocumentFragment>>,
}

/// Text of a document.
#[derive(Serialize, ToSchema)]
pub struct DocumentText {
    /// Always `text`.
    pub object: DocumentTextTag,
    /// Key of the text.
    #[schema(nullable = false)]
    pub key: Option<String>,
    /// Runs of characters with the same marks.
    pub leaves: Vec<DocumentLeaf>,
}

/// Run of characters with the same marks.
#[derive(Serialize, ToSchema)]
pub struct DocumentLeaf {
    /// Always `leaf`.
    pub object: DocumentLeafTag,
    /// Text of the leaf.
    pub text: String,
    /// Marks of the leaf.
    #[schema(nullable = false)]
    pub marks: Option<Vec<DocumentMark>>,
}

/// Mark of a text, such as bold.
#[derive(Serialize, ToSchema)]
pub struct DocumentMark {
    /// Always `mark`.
    pub object: DocumentMarkTag,
    /// Kind of the mark.
    #[serde(rename = "type")]
    pub kind: String,
    /// Properties of the kind.
    #[schema(value_type = Object, required = false)]
    pub data: Option<Map<String, Value>>,
}

/// Content of a block or inline outside the main flow.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Serialize, ToSchema)]
pub struct DocumentFragment {
    /// Always `fragment`.
    pub object: DocumentFragmentTag,
    /// Key of the fragment.
    pub key: Option<String>,
    /// Name of the fragment within its node, such as the name of a table cell.
    pub fragment: Option<String>,
    /// Role of the fragment, such as `caption`.
    #[serde(rename = "type")]
    pub role: Option<String>,
    /// Blocks in reading order.
    #[schema(no_recursion)]
    pub nodes: Vec<DocumentBlock>,
}

/// Reference to content, a URL or another resource.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ContentRef {
    /// Reference to a URL.
    Url {
        /// URL.
        url: String,
    },
    /// Reference to a file.
    File {
        /// Id of the file.
        file: String,
        /// Id of the file's space. Default: the current space.
        space: Option<String>,
    },
    /// Reference to a page.
    Page {
        /// Id of the page.
        page: String,
        /// Id of the page's space. Default: the current space.
        space: Option<String>,
    },
    /// Reference to a heading or another anchor of a page.
    Anchor {
        /// Name of the anchor.
        anchor: String,
        /// Id of the page. Default: the page that holds the reference.
        page: Option<String>,
        /// Id of the page's space. Default: the current space.
        space: Option<String>,
    },
    /// Reference to a user.
    User {
        /// Id of the user.
        user: String,
    },
    /// Reference to a collection.
    Collection {
        /// Id of the collection.
        collection: String,
    },
    /// Reference to a space.
    Space {
        /// Id of the space.
        space: String,
    },
    /// Reference to a reusable content.
    ReusableContent {
        /// Id of the reusable content.
        #[serde(rename = "reusableContent")]
        reusable_content: String,
        /// Id of the reusable content's space. Default: the current space.
        space: Option<String>,
    },
    /// Reference to an OpenAPI specification.
    #[serde(rename = "openapi")]
    OpenApi {
        /// Slug of the specification.
        spec: String,
    },
    /// Reference to a snippet.
    Snippet {
        /// Id of the snippet.
        snippet: String,
        /// Id of the organization.
        organization: String,
    },
    /// Reference to a tag.
    Tag {
        /// Name of the tag.
        tag: String,
        /// Id of the tag's space. Default: the current space.
        space: Option<String>,
    },
}

/// Type of a JSON schema object.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AdaptiveObjectType {
    /// Object.
    Object,
}

/// Type of a claim.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AdaptiveClaimType {
    /// Boolean.
    Boolean,
    /// String.
    String,
    /// Number.
    Number,
    /// List of strings, numbers or booleans.
    Array,
    /// Object with further claims.
    Object,
}

/// JSON schema (draft-07) of visitors' claims: an object without additional properties at any level.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveJsonSchema {
    /// Always `http://json-schema.org/draft-07/schema#`.
    #[serde(rename = "$schema")]
    pub schema: Option<String>,
    /// Identifier of the schema.
    #[serde(rename = "$id")]
    pub id: Option<String>,
    /// Always `object`.
    #[serde(rename = "type")]
    pub kind: AdaptiveObjectType,
    /// Claims by name. `unsigned` holds the claims that visitors can set themselves.
    pub properties: BTreeMap<String, AdaptiveClaim>,
    /// Always `false`.
    pub additional_properties: bool,
}

/// Schema of a claim.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveClaim {
    /// Type of the claim.
    #[serde(rename = "type")]
    pub kind: AdaptiveClaimType,
    /// Purpose of the claim.
    pub description: Option<String>,
    /// Allowed values of a string claim.
    #[serde(rename = "enum")]
    pub values: Option<Vec<String>>,
    /// Items of an `array`.
    #[schema(no_recursion)]
    pub items: Option<Box<AdaptiveClaim>>,
    /// Claims of an `object` by name.
    #[schema(no_recursion)]
    pub properties: Option<BTreeMap<String, AdaptiveClaim>>,
    /// Always `false`. Present for an `object`.
    pub additional_properties: Option<bool>,
}

fn document_data() -> RefOr<Schema> {
    ObjectBuilder::new()
        .description(Some("Properties of the document."))
        .property(
            "schemaVersion",
            ObjectBuilder::new()
                .schema_type(Type::Integer)
                .description(Some("Version of the schema of the document.")),
        )
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .into()
}
