//! Collections: where an organization's spaces stand, and who may see them unless they say else.

use serde::{Deserialize, Serialize};

use crate::features::{IntoParams, ToSchema, Validate};
use crate::ids::{CollectionId, OrganizationId};
use crate::object::CollectionTag;
use crate::patch::{self, Patch};
use crate::policy::{Action, allows};
use crate::role::{DefaultLevel, Role};
use crate::texts;

/// The title of a collection that was made without one.
pub const DEFAULT_TITLE: &str = "Untitled";

/// A collection of spaces and of other collections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Collection {
    /// Always `collection`.
    pub object: CollectionTag,
    /// The collection's id.
    pub id: CollectionId,
    /// Its title, at most 50 characters.
    pub title: String,
    /// What it is for, at most 100 characters; left out without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// The organization that owns it.
    pub organization: OrganizationId,
    /// The collection that holds it; left out at the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub parent: Option<CollectionId>,
    /// The role of members without a grant; null where only grants count.
    #[schema(required)]
    pub default_level: Option<Role>,
    /// Where the collection is found.
    pub urls: CollectionUrls,
    /// What the caller may do.
    pub permissions: CollectionPermissions,
}

/// Where a collection is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CollectionUrls {
    /// The collection in this API.
    pub location: String,
    /// The collection in the app.
    pub app: String,
}

/// What the caller may do with a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CollectionPermissions {
    /// See it.
    pub view: bool,
    /// Change its title, description and level; delete, move and transfer it.
    pub admin: bool,
    /// See its invite links.
    pub view_invite_links: bool,
    /// Make spaces and collections in it.
    pub create: bool,
}

impl CollectionPermissions {
    /// What somebody with `role` may do with a collection.
    pub fn of(role: Option<Role>) -> Self {
        Self {
            view: allows(role, Action::ViewCollection),
            admin: allows(role, Action::AdministerCollection),
            view_invite_links: allows(role, Action::ViewInviteLinks),
            create: allows(role, Action::CreateContent),
        }
    }
}

/// The body that makes a collection. Every key is optional.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CollectionCreate {
    /// Title; `Untitled` when absent.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::CollectionTitle::check"))]
    #[schema(value_type = texts::CollectionTitle, required = false)]
    pub title: Option<texts::CollectionTitle>,
    /// The collection to make it in; the organization's root when absent.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub parent: Option<CollectionId>,
}

/// The body that changes a collection. An absent key keeps what is there.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CollectionUpdate {
    /// Its title.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::CollectionTitle::check"))]
    #[schema(value_type = texts::CollectionTitle, required = false)]
    pub title: Option<texts::CollectionTitle>,
    /// What it is for; null or empty for nothing.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::CollectionDescription::check"))]
    #[schema(value_type = Option<texts::CollectionDescription>)]
    pub description: Patch<texts::CollectionDescription>,
    /// The least role of members without a grant; `inherit` for that of the parent, null to let only grants count.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<DefaultLevel>)]
    pub default_level: Patch<DefaultLevel>,
}

/// Which collections of an organization are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct CollectionQuery {
    /// Whether collections that stand in others are listed, too.
    #[param(default = true, required = false)]
    pub nested: bool,
}

impl Default for CollectionQuery {
    fn default() -> Self {
        Self { nested: true }
    }
}
