//! Spaces: documentation content as a sequence of revisions.

mod deletion;

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "postgres")]
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

pub use self::deletion::{Deletion, Event};
use crate::bounds::SPACE_TITLE_MAX;
use crate::clock::Timestamp;
use crate::git::GitSyncState;
use crate::ids::{CollectionId, OrganizationId, RevisionId, SpaceId};
use crate::merge_rules::{self, MergeRules};
use crate::object::SpaceTag;
use crate::patch::{self, Patch};
use crate::policy::{Action, allows};
use crate::role::{DefaultLevel, Role};
#[cfg(feature = "postgres")]
use crate::schema::spaces;
use crate::texts;
use crate::translations::Language;

/// Title of a space that is created without one.
pub const DEFAULT_TITLE: &str = "Untitled";
/// Emoji of a space that is created without one.
pub const DEFAULT_EMOJI: &str = "📄";

/// Suffix of the title of a duplicate.
const COPY_SUFFIX: &str = " (copy)";

/// Returns the title of a duplicate: the original's title, shortened so that the suffix fits.
pub fn copy_title(original: &str) -> String {
    let bound = usize::try_from(SPACE_TITLE_MAX).unwrap_or(usize::MAX);
    let room = bound.saturating_sub(COPY_SUFFIX.chars().count());
    let kept: String = original.chars().take(room).collect();
    format!("{}{COPY_SUFFIX}", kept.trim_end()).trim_start().to_owned()
}

/// Stored fields of a space, which responses contain unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable, Selectable, Insertable))]
#[cfg_attr(feature = "postgres", diesel(table_name = spaces, check_for_backend(Pg)))]
#[serde(rename_all = "camelCase")]
pub struct SpaceFacts {
    /// Id of the space.
    pub id: SpaceId,
    /// Title of the space, at most 50 characters.
    pub title: String,
    /// Emoji of the space.
    pub emoji: String,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change to the space or its content.
    pub updated_at: Timestamp,
    /// Time of the deletion. Absent for active spaces.
    pub deleted_at: Option<Timestamp>,
    /// Edit mode of the content.
    #[serde(default)]
    pub edit_mode: EditMode,
    /// Language of the content. Absent if not set. Sites show the spaces of a section in several languages as
    /// translations of each other.
    pub language: Option<Language>,
    /// Organization that owns the space.
    #[cfg_attr(feature = "postgres", diesel(column_name = organization_id))]
    pub organization: OrganizationId,
    /// Parent collection. Absent at the root of the organization.
    #[cfg_attr(feature = "postgres", diesel(column_name = collection_id))]
    pub parent: Option<CollectionId>,
    /// Current revision of the content.
    #[serde(rename = "revision")]
    #[cfg_attr(feature = "postgres", diesel(column_name = head_revision))]
    pub head: RevisionId,
    /// Least role of members without a grant. `null`: access by grant only.
    #[schema(required)]
    #[serialize_always]
    #[serde_with(skip_apply)]
    pub default_level: Option<Role>,
    /// Rules that change requests must meet to be merged. `none` for visitors of sites.
    pub merge_rules: MergeRules,
    /// Number of open comments.
    #[serde(rename = "comments")]
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = i32, skip_insertion))]
    pub comments_open: u64,
    /// Number of change requests.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = i32, skip_insertion))]
    pub change_requests: u64,
    /// Number of open change requests.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = i32, skip_insertion))]
    pub change_requests_open: u64,
    /// Number of draft change requests.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = i32, skip_insertion))]
    pub change_requests_draft: u64,
}

impl SpaceFacts {
    /// Returns the facts of a new space at the root of an organization.
    pub fn new(id: SpaceId, organization: OrganizationId, head: RevisionId, now: Timestamp) -> Self {
        Self {
            id,
            title: DEFAULT_TITLE.to_owned(),
            emoji: DEFAULT_EMOJI.to_owned(),
            created_at: now,
            updated_at: now,
            deleted_at: None,
            edit_mode: EditMode::default(),
            language: None,
            organization,
            parent: None,
            head,
            default_level: None,
            merge_rules: MergeRules::Inherit,
            comments_open: 0,
            change_requests: 0,
            change_requests_open: 0,
            change_requests_draft: 0,
        }
    }
}

/// Space: a body of documentation with one history.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Space {
    /// Always `space`.
    pub object: SpaceTag,
    /// Facts of the space.
    #[serde(flatten)]
    pub facts: SpaceFacts,
    /// Visibility of the space.
    pub visibility: Visibility,
    /// URLs of the space.
    pub urls: SpaceUrls,
    /// State of the connection to a Git repository. Absent if the space is not connected, and for visitors of sites.
    pub git_sync: Option<GitSyncState>,
    /// Authentication of visitors. Absent if not configured.
    pub visitor_auth: Option<VisitorAuth>,
    /// Permissions of the caller on the space.
    pub permissions: SpacePermissions,
}

/// Visibility of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// Anyone, listed by search engines.
    Public,
    /// Anyone, not listed by search engines.
    Unlisted,
    /// Anyone with the key of a share link.
    ShareLink,
    /// Visitors with a JWT that the organization signed.
    VisitorAuth,
    /// Users with access to the parent collection.
    InCollection,
    /// Members with access to the space.
    Private,
}

impl Visibility {
    /// Returns the visibility of a space: the most open one of its published sites, `site`, or else by its parent.
    pub fn of_space(site: Option<Self>, in_collection: bool) -> Self {
        site.unwrap_or(if in_collection { Self::InCollection } else { Self::Private })
    }

    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Unlisted => "unlisted",
            Self::ShareLink => "share-link",
            Self::VisitorAuth => "visitor-auth",
            Self::InCollection => "in-collection",
            Self::Private => "private",
        }
    }
}

/// Edit mode of the content of a space.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EditMode {
    /// Content can be edited directly.
    #[default]
    Live,
    /// Content changes only through change requests.
    Locked,
}

impl EditMode {
    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Locked => "locked",
        }
    }
}

/// URLs of a space.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceUrls {
    /// URL of the space in this API.
    pub location: String,
    /// URL of the space in the app.
    pub app: String,
    /// URL of the published site. Absent while the space is private.
    pub published: Option<String>,
    /// URL of the published site, if it is public.
    pub public: Option<String>,
    /// URL of the icon of the space.
    pub icon: Option<String>,
}

/// Authentication of a space's visitors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "backend", rename_all = "lowercase")]
pub enum VisitorAuth {
    /// Custom backend of the organization.
    Custom,
    /// Integration.
    Integration {
        /// Name of the integration.
        integration: String,
    },
}

/// Permissions of the caller on a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpacePermissions {
    /// `true` if the caller may read the content.
    pub view: bool,
    /// `true` if the caller may open the space in the app.
    pub access: bool,
    /// `true` if the caller may change the title, emoji and default level, and delete, restore, move and transfer the
    /// space.
    pub admin: bool,
    /// `true` if the caller may see its invite links.
    pub view_invite_links: bool,
    /// `true` if the caller may edit the content.
    pub edit: bool,
    /// `true` if the caller may start a synchronization with Git.
    pub trigger_git_sync: bool,
    /// `true` if the caller may comment.
    pub comment: bool,
    /// `true` if the caller may merge change requests.
    pub merge: bool,
    /// `true` if the caller may review change requests.
    pub review: bool,
    /// `true` if the caller may install integrations on the space.
    pub install_integration: bool,
}

impl SpacePermissions {
    /// Returns the permissions of a user with `role` on a space in this state.
    pub fn of(role: Option<Role>, deletion: Deletion) -> Self {
        Self {
            view: allows(role, Action::ViewSpace),
            access: allows(role, Action::ViewSpace),
            admin: allows(role, Action::AdministerSpace),
            view_invite_links: allows(role, Action::ViewInviteLinks),
            edit: allows(role, Action::EditContent) && deletion == Deletion::Active,
            trigger_git_sync: allows(role, Action::TriggerGitSync),
            comment: allows(role, Action::CommentOnSpace),
            merge: allows(role, Action::MergeChangeRequest),
            review: allows(role, Action::ReviewContent),
            install_integration: allows(role, Action::AdministerSpace),
        }
    }
}

/// Query parameters of the list of an organization's spaces, in addition to those of every list.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct SpaceListQuery {
    /// `true`: returns the deleted spaces that the caller may restore, last deleted first, instead of the others.
    #[param(nullable = false)]
    pub deleted: Option<bool>,
}

/// Request body to create a space. Every key is optional.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SpaceCreate {
    /// Title of the space. Default: `Untitled`.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SpaceTitle::check"))]
    #[schema(value_type = texts::SpaceTitle, required = false)]
    pub title: Option<texts::SpaceTitle>,
    /// Emoji of the space. Default: 📄.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Emoji::check"))]
    #[schema(value_type = texts::Emoji, required = false)]
    pub emoji: Option<texts::Emoji>,
    /// Deprecated. Accepted and ignored.
    #[serde(deserialize_with = "patch::present")]
    pub private: Option<bool>,
    /// Parent collection. Default: the root of the organization.
    #[serde(deserialize_with = "patch::present")]
    pub parent: Option<CollectionId>,
    /// Edit mode of the content. Default: `live`.
    #[serde(deserialize_with = "patch::present")]
    pub edit_mode: Option<EditMode>,
    /// Language of the content.
    #[serde(deserialize_with = "patch::present")]
    pub language: Option<Language>,
}

/// Request body to update a space. Absent keys leave their values unchanged.
// The changeset leaves out fields that can be removed, which `Patch::assign` writes, and fields that depend on others.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[cfg_attr(feature = "postgres", derive(AsChangeset))]
#[cfg_attr(feature = "postgres", diesel(table_name = spaces))]
#[serde(rename_all = "camelCase", default)]
pub struct SpaceUpdate {
    /// Edit mode of the content.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub edit_mode: Option<EditMode>,
    /// Title of the space.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::SpaceTitle::check"))]
    #[schema(value_type = texts::SpaceTitle, required = false)]
    pub title: Option<texts::SpaceTitle>,
    /// Least role of members without a grant. `inherit`: the level of the parent. `null`: access by grant only.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<DefaultLevel>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub default_level: Patch<DefaultLevel>,
    /// Emoji of the space. Replaces an icon. `null`: 📄.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Emoji::check"))]
    #[schema(value_type = Option<texts::Emoji>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub emoji: Patch<texts::Emoji>,
    /// URL of an icon shown instead of the emoji. `null` removes it. Excludes `emoji`.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = Option<texts::Url>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub icon: Patch<texts::Url>,
    /// Language of the content. `null` removes it.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<Language>)]
    #[cfg_attr(feature = "postgres", diesel(skip_update))]
    pub language: Patch<Language>,
    /// Rules that change requests must meet to be merged. Users that they name must be members of the organization.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "merge_rules::check_of_space"))]
    #[schema(nullable = false)]
    pub merge_rules: Option<MergeRules>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_of_a_duplicate_fits_and_keeps_what_tells_it_apart() {
        assert_eq!(copy_title("Guide"), "Guide (copy)");
        assert_eq!(copy_title("Guide (copy)"), "Guide (copy) (copy)");
        assert_eq!(copy_title(""), "(copy)");
        let long = copy_title(&"ä".repeat(50));
        assert_eq!(
            (long.chars().count(), long.as_str()),
            (50, format!("{} (copy)", "ä".repeat(43)).as_str())
        );
        assert_eq!(copy_title(&format!("{} b", "a".repeat(42))), format!("{} (copy)", "a".repeat(42)));
    }

    #[test]
    fn a_site_decides_who_sees_a_space_then_its_parent() {
        assert_eq!(Visibility::of_space(None, false), Visibility::Private);
        assert_eq!(Visibility::of_space(None, true), Visibility::InCollection);
        for in_collection in [false, true] {
            assert_eq!(Visibility::of_space(Some(Visibility::Unlisted), in_collection), Visibility::Unlisted);
        }
    }
}
