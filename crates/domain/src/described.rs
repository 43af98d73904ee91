//! Schemas of values that this crate passes on unread: documents, content references and schemas of claims.
//!
//! No value has one of these types. The fields that hold such values refer to them in the OpenAPI document.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
#[cfg(feature = "openapi")]
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Type};
#[cfg(feature = "openapi")]
use utoipa::openapi::{RefOr, Schema};

use crate::features::ToSchema;
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

/// Document: a tree of blocks, which hold blocks, or inlines and texts.
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
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentBlock {
    /// Always `block`.
    pub object: DocumentBlockTag,
    /// Kind of the block.
    #[serde(rename = "type")]
    pub kind: String,
    /// Key that comments and links name the block by.
    #[schema(nullable = false)]
    pub key: Option<String>,
    /// True for a kind without `nodes`.
    #[schema(nullable = false)]
    pub is_void: Option<bool>,
    /// Properties of the kind.
    #[schema(value_type = Object, required = false)]
    pub data: Option<Map<String, Value>>,
    /// Notes of editors, kept as they are.
    #[schema(value_type = Object, required = false)]
    pub meta: Option<Map<String, Value>>,
    /// Content in reading order.
    #[schema(nullable = false)]
    pub nodes: Option<Vec<DocumentNode>>,
    /// Content outside of the running text, such as captions and cells.
    #[schema(nullable = false)]
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

/// Inline of a document: an element of running text that isn't text.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentInline {
    /// Always `inline`.
    pub object: DocumentInlineTag,
    /// Kind of the inline.
    #[serde(rename = "type")]
    pub kind: String,
    /// Key that comments and links name the inline by.
    #[schema(nullable = false)]
    pub key: Option<String>,
    /// True for a kind without `nodes`.
    #[schema(nullable = false)]
    pub is_void: Option<bool>,
    /// Properties of the kind.
    #[schema(value_type = Object, required = false)]
    pub data: Option<Map<String, Value>>,
    /// Notes of editors, kept as they are.
    #[schema(value_type = Object, required = false)]
    pub meta: Option<Map<String, Value>>,
    /// Content in reading order.
    #[schema(no_recursion, nullable = false)]
    pub nodes: Option<Vec<DocumentNode>>,
    /// Content outside of the running text: notes.
    #[schema(no_recursion, nullable = false)]
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
    /// Pieces with the same marks.
    pub leaves: Vec<DocumentLeaf>,
}

/// Piece of a text with the same marks.
#[derive(Serialize, ToSchema)]
pub struct DocumentLeaf {
    /// Always `leaf`.
    pub object: DocumentLeafTag,
    /// Characters.
    pub text: String,
    /// Marks of the characters.
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

/// Content of a block or an inline outside of the running text.
#[derive(Serialize, ToSchema)]
pub struct DocumentFragment {
    /// Always `fragment`.
    pub object: DocumentFragmentTag,
    /// Key of the fragment.
    #[schema(nullable = false)]
    pub key: Option<String>,
    /// Name of the fragment within its node, such as that of a cell.
    #[schema(nullable = false)]
    pub fragment: Option<String>,
    /// Role of the fragment, such as `caption`.
    #[serde(rename = "type")]
    #[schema(nullable = false)]
    pub role: Option<String>,
    /// Blocks in reading order.
    #[schema(no_recursion)]
    pub nodes: Vec<DocumentBlock>,
}

/// Content reference.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ContentRef {
    /// Reference to an address.
    Url {
        /// Address.
        url: String,
    },
    /// Reference to a file.
    File {
        /// Id of the file.
        file: String,
        /// Space of the file; the same space when absent.
        #[schema(nullable = false)]
        space: Option<String>,
    },
    /// Reference to a page.
    Page {
        /// Id of the page.
        page: String,
        /// Space of the page; the same space when absent.
        #[schema(nullable = false)]
        space: Option<String>,
    },
    /// Reference to a heading or another named place of a page.
    Anchor {
        /// Anchor of the place.
        anchor: String,
        /// Id of the page; the page that holds the reference when absent.
        #[schema(nullable = false)]
        page: Option<String>,
        /// Space of the page; the same space when absent.
        #[schema(nullable = false)]
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
        /// Space of the reusable content; the same space when absent.
        #[schema(nullable = false)]
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
        /// Space of the tag; the same space when absent.
        #[schema(nullable = false)]
        space: Option<String>,
    },
}

/// Type of an object.
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
    /// Truth value.
    Boolean,
    /// Text.
    String,
    /// Number.
    Number,
    /// List of texts, numbers or truth values.
    Array,
    /// Object of claims.
    Object,
}

/// JSON schema of draft-07 that describes the claims of visitors: an object that is closed at every level.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveJsonSchema {
    /// Always `http://json-schema.org/draft-07/schema#`.
    #[serde(rename = "$schema")]
    #[schema(nullable = false)]
    pub schema: Option<String>,
    /// Identifier of the schema.
    #[serde(rename = "$id")]
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Always `object`.
    #[serde(rename = "type")]
    pub kind: AdaptiveObjectType,
    /// Claims by their names; `unsigned` holds those that visitors can make up.
    pub properties: BTreeMap<String, AdaptiveClaim>,
    /// Always `false`.
    pub additional_properties: bool,
}

/// Description of a claim.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveClaim {
    /// Type of the claim.
    #[serde(rename = "type")]
    pub kind: AdaptiveClaimType,
    /// Purpose of the claim.
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Values of a text claim.
    #[serde(rename = "enum")]
    #[schema(nullable = false)]
    pub values: Option<Vec<String>>,
    /// Items of an `array`.
    #[schema(no_recursion, nullable = false)]
    pub items: Option<Box<AdaptiveClaim>>,
    /// Claims of an `object` by their names.
    #[schema(no_recursion, nullable = false)]
    pub properties: Option<BTreeMap<String, AdaptiveClaim>>,
    /// Always `false`, of an `object`.
    #[schema(nullable = false)]
    pub additional_properties: Option<bool>,
}

#[cfg(feature = "openapi")]
fn document_data() -> RefOr<Schema> {
    ObjectBuilder::new()
        .description(Some("Properties of the document."))
        .property("schemaVersion", ObjectBuilder::new().schema_type(Type::Integer))
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .into()
}
