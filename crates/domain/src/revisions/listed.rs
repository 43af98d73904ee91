//! Revisions as items of lists.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use super::RevisionType;
use crate::clock::Timestamp;
use crate::ids::{RevisionId, UserId};
use crate::list;
use crate::object::RevisionTag;
use crate::users::User;

/// Revision in the history of a space, without its content.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedRevision {
    /// Always `revision`.
    pub object: RevisionTag,
    /// Id of the revision.
    pub id: RevisionId,
    /// Origin of the revision.
    #[serde(rename = "type")]
    pub revision_type: RevisionType,
    /// Parent revisions, the space's own first.
    pub parents: Vec<RevisionId>,
    /// Author of the revision. Absent if the user is gone.
    #[schema(nullable = false)]
    pub author: Option<User>,
    /// Creation time.
    pub created_at: Timestamp,
}

/// Query parameters of a list of revisions, in addition to those of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct RevisionListQuery {
    /// Returns only revisions by this user.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(value_type = String, format = "uuid", required = false)]
    pub author: Option<UserId>,
    /// Returns only revisions of this origin.
    #[serde(rename = "type")]
    #[param(inline, nullable = false)]
    pub revision_type: Option<RevisionType>,
}
