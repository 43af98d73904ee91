//! What merging a change request, or updating it from its space, answers.

pub use quire_revision::Strategy;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::features::{ToSchema, Validate};
use crate::ids::{FileId, PageId, ReusableContentId, RevisionId};
use crate::patch;

/// The answer to a merge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergeResult {
    /// The space's new revision; with conflicts the change request's current one, which stays.
    pub revision: RevisionId,
    /// How it went.
    pub result: MergeOutcome,
    /// What stood against it. Nothing was changed then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<MergeConflict>,
}

/// How a merge went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MergeOutcome {
    /// Merged.
    Merge,
    /// Nothing was changed.
    Conflicts,
}

/// The answer to an update of a change request from its space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateResult {
    /// The change request's revision.
    pub revision: RevisionId,
    /// How it went.
    pub result: UpdateOutcome,
    /// What stood against it. Nothing was changed then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<MergeConflict>,
}

/// How an update went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum UpdateOutcome {
    /// Updated.
    Update,
    /// Nothing was changed.
    Conflicts,
}

/// The body that updates a change request from its space.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UpdateRequest {
    /// Which side wins each conflict; without it conflicts are answered and change nothing.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schema::StrategySchema>, nullable = false)]
    pub strategy: Option<Strategy>,
}

/// Two changes to one thing that can't both hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergeConflict {
    /// The page, when it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub page: Option<ConflictedPage>,
    /// The file, when it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = "uuid", required = false)]
    pub file: Option<FileId>,
    /// The reusable content, when it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = "uuid", required = false)]
    pub reusable_content: Option<ReusableContentId>,
    /// What differs, in kebab-case: `document`, `title`, `slug`, `moved`, `deleted-here`, `deleted-there`, `file`,
    /// `reusable-content` and so on.
    pub kind: String,
    /// The value before both changes: of a file or a reusable content the whole record as its own operations answer it, of a document
    /// its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub base: Option<Value>,
    /// The value in the change request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ours: Option<Value>,
    /// The value in the space.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub theirs: Option<Value>,
}

/// The page of a conflict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConflictedPage {
    /// The page's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Its title.
    pub title: String,
    /// Its path.
    pub path: String,
}

#[cfg(feature = "openapi")]
mod schema {
    use std::borrow::Cow;

    use utoipa::openapi::RefOr;
    use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
    use utoipa::{PartialSchema, ToSchema};

    /// Schema of [`Strategy`](super::Strategy): *ours* is the change request, *theirs* the space.
    pub(super) struct StrategySchema;

    impl PartialSchema for StrategySchema {
        fn schema() -> RefOr<Schema> {
            let strategy = ObjectBuilder::new().schema_type(Type::String);
            let strategy = strategy.description(Some("Side that wins a conflict."));
            strategy.enum_values(Some(["ours", "theirs"])).into()
        }
    }

    impl ToSchema for StrategySchema {
        fn name() -> Cow<'static, str> {
            Cow::Borrowed("Strategy")
        }
    }
}
