//! Results of merging a change request and of updating it from its space.

pub use quire_revision::Strategy;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{apply, skip_serializing_none};

use crate::features::{ToSchema, Validate};
use crate::ids::{FileId, PageId, ReusableContentId, RevisionId};
use crate::patch;

/// Result of a merge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergeResult {
    /// New revision of the space. With conflicts, the unchanged revision of the change request.
    pub revision: RevisionId,
    /// Outcome of the merge.
    pub result: MergeOutcome,
    /// Conflicts. If there are any, nothing was changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<MergeConflict>,
}

/// Outcome of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MergeOutcome {
    /// The change request was merged.
    Merge,
    /// There are conflicts, and nothing was changed.
    Conflicts,
}

/// Result of updating a change request from its space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateResult {
    /// Current revision of the change request.
    pub revision: RevisionId,
    /// Outcome of the update.
    pub result: UpdateOutcome,
    /// Conflicts. If there are any, nothing was changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<MergeConflict>,
}

/// Outcome of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum UpdateOutcome {
    /// The change request was updated.
    Update,
    /// There are conflicts, and nothing was changed.
    Conflicts,
}

/// Request body to update a change request from its space.
#[skip_serializing_none]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UpdateRequest {
    /// Side that wins every conflict. If absent, conflicts are returned and nothing is changed.
    #[serde(deserialize_with = "patch::present")]
    #[schema(value_type = Option<schema::StrategySchema>, nullable = false)]
    pub strategy: Option<Strategy>,
}

/// Conflict: incompatible changes to the same item on both sides.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergeConflict {
    /// Page of the conflict. Absent for other items.
    pub page: Option<ConflictedPage>,
    /// Id of the file of the conflict. Absent for other items.
    #[schema(value_type = String, format = "uuid", required = false)]
    pub file: Option<FileId>,
    /// Id of the reusable content of the conflict. Absent for other items.
    #[schema(value_type = String, format = "uuid", required = false)]
    pub reusable_content: Option<ReusableContentId>,
    /// Kind of difference, in kebab-case: `document`, `title`, `slug`, `moved`, `deleted-here`, `deleted-there`,
    /// `file`, `reusable-content` and others.
    pub kind: String,
    /// Value at the merge base. For a file or reusable content the whole record, as returned by its own operations; for
    /// a document its id.
    pub base: Option<Value>,
    /// Value in the change request.
    pub ours: Option<Value>,
    /// Value in the space.
    pub theirs: Option<Value>,
}

/// Page of a conflict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConflictedPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Title of the page.
    pub title: String,
    /// Path of the page.
    pub path: String,
}

#[cfg(feature = "openapi")]
mod schema {
    use std::borrow::Cow;

    use utoipa::openapi::RefOr;
    use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
    use utoipa::{PartialSchema, ToSchema};

    /// Schema of [`Strategy`](super::Strategy): `ours` is the change request, `theirs` the space.
    pub(super) struct StrategySchema;

    impl PartialSchema for StrategySchema {
        fn schema() -> RefOr<Schema> {
            let strategy = ObjectBuilder::new().schema_type(Type::String);
            let strategy = strategy.description(Some(
                "Side that wins every conflict: `ours` is the change request, `theirs` the space.",
            ));
            strategy.enum_values(Some(["ours", "theirs"])).into()
        }
    }

    impl ToSchema for StrategySchema {
        fn name() -> Cow<'static, str> {
            Cow::Borrowed("Strategy")
        }
    }
}
