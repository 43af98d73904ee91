//! Collections of an organization's spaces, with default access levels.

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "postgres")]
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::ids::{CollectionId, OrganizationId};
use crate::object::CollectionTag;
use crate::patch::{self, Patch};
use crate::policy::{Action, allows};
use crate::role::{DefaultLevel, Role};
#[cfg(feature = "postgres")]
use crate::schema::collections;
use crate::texts;

/// Title of a collection that is created without one.
pub const DEFAULT_TITLE: &str = "Untitled";

/// Stored fields of a collection, which responses contain unchanged.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable, Selectable, Insertable))]
#[cfg_attr(feature = "postgres", diesel(table_name = collections, check_for_backend(Pg)))]
#[serde(rename_all = "camelCase")]
pub struct CollectionFacts {
    /// Id of the collection.
    pub id: CollectionId,
    /// Title of the collection, at most 50 characters.
    pub title: String,
    /// Description of the collection, at most 100 characters. Absent if empty.
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Organization that owns the collection.
    #[cfg_attr(feature = "postgres", diesel(column_name = organization_id))]
    pub organization: OrganizationId,
    /// Parent collection. Absent at the root of the organization.
    #[schema(nullable = false)]
    #[cfg_attr(feature = "postgres", diesel(column_name = parent_id))]
    pub parent: Option<CollectionId>,
    /// Least role of members without a grant. `null`: access by grant only.
    #[schema(required)]
    #[serialize_always]
    pub default_level: Option<Role>,
}

/// A collection of spaces and of other collections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Collection {
    /// Always `collection`.
    pub object: CollectionTag,
    /// Facts of the collection.
    #[serde(flatten)]
    pub facts: CollectionFacts,
    /// URLs of the collection.
    pub urls: CollectionUrls,
    /// Permissions of the caller on the collection.
    pub permissions: CollectionPermissions,
}

/// URLs of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CollectionUrls {
    /// URL of the collection in this API.
    pub location: String,
    /// URL of the collection in the app.
    pub app: String,
}

/// Permissions of the caller on a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CollectionPermissions {
    /// `true` if the caller may see the collection.
    pub view: bool,
    /// `true` if the caller may change the title, description and default level, and delete, move and transfer the
    /// collection.
    pub admin: bool,
    /// `true` if the caller may see its invite links.
    pub view_invite_links: bool,
    /// `true` if the caller may create spaces and collections in it.
    pub create: bool,
}

impl CollectionPermissions {
    /// Returns the permissions of a user with `role`.
    pub fn of(role: Option<Role>) -> Self {
        Self {
            view: allows(role, Action::ViewCollection),
            admin: allows(role, Action::AdministerCollection),
            view_invite_links: allows(role, Action::ViewInviteLinks),
            create: allows(role, Action::CreateContent),
        }
    }
}

/// Request body to create a collection. Every key is optional.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CollectionCreate {
    /// Title of the collection. Default: `Untitled`.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::CollectionTitle::check"))]
    #[schema(value_type = texts::CollectionTitle, required = false)]
    pub title: Option<texts::CollectionTitle>,
    /// Parent collection. Default: the root of the organization.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub parent: Option<CollectionId>,
}

/// Request body to update a collection. Absent keys leave their values unchanged.
// The changeset leaves out fields that can be removed, which `Patch::assign` writes, and fields that depend on others.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[cfg_attr(feature = "postgres", derive(AsChangeset))]
#[cfg_attr(feature = "postgres", diesel(table_name = collections))]
#[serde(rename_all = "camelCase", default)]
pub struct CollectionUpdate {
    /// Title of the collection.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::CollectionTitle::check"))]
    #[schema(value_type = texts::CollectionTitle, required = false)]
    pub title: Option<texts::CollectionTitle>,
    /// Description of the collection. `null` or empty removes it.
    #[serde(deserialize_with = "patch::empty_clears", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::CollectionDescription::check"))]
    #[schema(value_type = Option<texts::CollectionDescription>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub description: Patch<texts::CollectionDescription>,
    /// Least role of members without a grant. `inherit`: the level of the parent. `null`: access by grant only.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<DefaultLevel>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub default_level: Patch<DefaultLevel>,
}

/// Filter of a list of collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct CollectionQuery {
    /// Set to `false` to return only collections at the root of the organization.
    #[param(default = true, required = false)]
    pub nested: bool,
}

impl Default for CollectionQuery {
    fn default() -> Self {
        Self { nested: true }
    }
}
