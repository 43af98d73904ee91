//! Results of merging a change request and of updating it from its space.

pub use quire_revision::Strategy;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use crate::bounds::RESOLUTIONS_MAX;
use crate::described::Document;
use crate::ids::{FileId, PageId, ReusableContentId, RevisionId};
use crate::{object_only, patch, text_checks};

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
    /// Revisions that the conflicts are between. Absent without conflicts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub revisions: Option<MergedRevisions>,
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
    /// Revisions that the conflicts are between. Absent without conflicts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub revisions: Option<MergedRevisions>,
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

/// Request body to merge a change request.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[validate(schema(function = "resolves_known_revisions_of_merge"))]
pub struct MergeRequest {
    /// Resolutions of conflicts. If one of the conflicts has none, all others are returned and nothing is changed.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "object_only::objects")]
    #[validate(custom(function = "text_checks::count::<0, RESOLUTIONS_MAX, _>"), nested)]
    #[schema(max_items = 1000)]
    pub resolutions: Vec<ConflictResolution>,
    /// Revisions that the resolutions are made for, as the conflicts were returned with. If one of them is no longer
    /// the current one, the request fails with `stale-revision`.
    #[serde(deserialize_with = "object_only::present")]
    #[schema(nullable = false)]
    pub revisions: Option<MergedRevisions>,
    /// `true` to merge although the rules for merging are not met. Only for users that the rules allow to bypass them.
    /// The audit log records it as `mergeChangeRequest.bypass-rules`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bypass_rules: bool,
}

/// Request body to update a change request from its space.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[validate(schema(function = "resolves_known_revisions_of_update"))]
pub struct UpdateRequest {
    /// Side that wins every conflict without a resolution. If absent, these conflicts are returned and nothing is
    /// changed.
    #[serde(deserialize_with = "patch::present")]
    #[schema(value_type = Option<schema::StrategySchema>, nullable = false)]
    pub strategy: Option<Strategy>,
    /// Resolutions of conflicts.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "object_only::objects")]
    #[validate(custom(function = "text_checks::count::<0, RESOLUTIONS_MAX, _>"), nested)]
    #[schema(max_items = 1000)]
    pub resolutions: Vec<ConflictResolution>,
    /// Revisions that the resolutions are made for, as the conflicts were returned with. If one of them is no longer
    /// the current one, the request fails with `stale-revision`.
    #[serde(deserialize_with = "object_only::present")]
    #[schema(nullable = false)]
    pub revisions: Option<MergedRevisions>,
}

/// Current revisions of the two sides of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergedRevisions {
    /// Revision of the change request.
    pub change_request: RevisionId,
    /// Revision of the space.
    pub space: RevisionId,
}

/// Resolution of one conflict.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
#[validate(schema(function = "has_its_document"))]
pub struct ConflictResolution {
    /// Id of the conflict, or of one of its blocks.
    #[validate(custom(function = "text_checks::check::<1, 64>"))]
    #[schema(min_length = 1, max_length = 64)]
    pub conflict: String,
    /// Version to take.
    pub take: Taken,
    /// Document with the blocks to take, for `take` `document`, of the same form as the versions of the conflict.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = Option<Document>, nullable = false)]
    pub document: Option<Value>,
}

/// Version that resolves a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Taken {
    /// Version of the change request.
    Ours,
    /// Version of the space.
    Theirs,
    /// Blocks of the space, then those of the change request. For conflicts of blocks.
    Both,
    /// Blocks of `document`. For conflicts of blocks.
    Document,
}

fn resolves_known_revisions_of_merge(request: &MergeRequest) -> Result<(), ValidationError> {
    resolves_known_revisions(&request.resolutions, request.revisions)
}

fn resolves_known_revisions_of_update(request: &UpdateRequest) -> Result<(), ValidationError> {
    resolves_known_revisions(&request.resolutions, request.revisions)
}

fn resolves_known_revisions(
    resolutions: &[ConflictResolution],
    revisions: Option<MergedRevisions>,
) -> Result<(), ValidationError> {
    match revisions {
        None if !resolutions.is_empty() => Err(text_checks::error(
            "needed",
            "requires `revisions`, the revisions that `resolutions` refer to",
        )),
        _ => Ok(()),
    }
}

fn has_its_document(resolution: &ConflictResolution) -> Result<(), ValidationError> {
    match (resolution.take, &resolution.document) {
        (Taken::Document, None) => Err(text_checks::error("needed", "requires a `document`")),
        (Taken::Ours | Taken::Theirs | Taken::Both, Some(_)) => {
            Err(text_checks::error("excess", "may have a `document` only if `take` is `document`"))
        }
        _ => Ok(()),
    }
}

/// Conflict: incompatible changes to the same item on both sides.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergeConflict {
    /// Id of the conflict: the same for each merge of the same changes. A resolution with the id of a document conflict
    /// resolves all its blocks.
    pub id: String,
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
    /// Blocks of the document that conflict. Absent for other conflicts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockConflict>,
}

/// Conflict of blocks of a document. Changes inside the blocks that do not conflict are merged in both versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlockConflict {
    /// Id of the conflict.
    pub id: String,
    /// Path of the first block in the merged document: the index of each block in its parent, from the outermost block
    /// inwards, separated by dots. An index after `f` is the index of a fragment, such as a table cell. The merged
    /// document has the version of the space there.
    pub path: String,
    /// Number of blocks at the path. If it is 0, the path is that of the block that follows.
    pub length: usize,
    /// Document with the blocks at the merge base, and the blocks around them. Without nodes if there were no blocks.
    #[schema(value_type = Document)]
    pub base: Value,
    /// Document with the blocks in the change request. Without nodes if it removed them.
    #[schema(value_type = Document)]
    pub ours: Value,
    /// Document with the blocks in the space. Without nodes if it removed them.
    #[schema(value_type = Document)]
    pub theirs: Value,
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
