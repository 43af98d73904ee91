//! Deleted pages.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::ids::{PageId, RevisionId};
use crate::object::DeletedPageTag;
use crate::users::User;

/// Page that was deleted from the current content of a space.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedPage {
    /// Always `deleted-page`.
    pub object: DeletedPageTag,
    /// Id of the page. `revert_page` restores it.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Title of the page when it was deleted.
    pub title: String,
    /// Last revision that has the page.
    pub revision: RevisionId,
    /// Time of the deletion.
    pub deleted_at: Timestamp,
    /// Author of the deletion. Absent if the user is gone.
    #[schema(nullable = false)]
    pub deleted_by: Option<User>,
}
