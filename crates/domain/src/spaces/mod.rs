//! Spaces: documentation content as a sequence of revisions.

mod deletion;

use serde::{Deserialize, Serialize};

pub use self::deletion::{Deletion, Event};
use crate::bounds::SPACE_TITLE_MAX;
use crate::clock::Timestamp;
use crate::features::{ToSchema, Validate};
use crate::ids::{CollectionId, OrganizationId, RevisionId, SpaceId};
use crate::object::SpaceTag;
use crate::patch::{self, Patch};
use crate::policy::{Action, allows};
use crate::role::{DefaultLevel, Role};
use crate::texts;

/// The title of a space that was made without one.
pub const DEFAULT_TITLE: &str = "Untitled";
/// The emoji of a space that was made without one.
pub const DEFAULT_EMOJI: &str = "📄";

/// What the title of a duplicate ends with.
const COPY_SUFFIX: &str = " (copy)";

/// The title of a duplicate: the original's, shortened so that it fits the bound together with what tells it apart.
pub fn copy_title(original: &str) -> String {
    let bound = usize::try_from(SPACE_TITLE_MAX).unwrap_or(usize::MAX);
    let room = bound.saturating_sub(COPY_SUFFIX.chars().count());
    let kept: String = original.chars().take(room).collect();
    format!("{}{COPY_SUFFIX}", kept.trim_end()).trim_start().to_owned()
}

/// A space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Space {
    /// Always `space`.
    pub object: SpaceTag,
    /// Id of the space.
    pub id: SpaceId,
    /// Title of the space, at most 50 characters.
    pub title: String,
    /// Emoji of the space.
    pub emoji: String,
    /// Who can see it.
    pub visibility: Visibility,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change to the space or its content.
    pub updated_at: Timestamp,
    /// When it was deleted. Absent while it is active.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deleted_at: Option<Timestamp>,
    /// Whether its content can be edited directly.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub edit_mode: Option<EditMode>,
    /// URLs of the space.
    pub urls: SpaceUrls,
    /// The organization that owns it.
    pub organization: OrganizationId,
    /// The collection that holds it. Absent at the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub parent: Option<CollectionId>,
    /// The state of its synchronisation with Git. Absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub git_sync: Option<GitSync>,
    /// How visitors are authenticated. Absent when they aren't.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub visitor_auth: Option<VisitorAuth>,
    /// The current revision of its content.
    pub revision: RevisionId,
    /// The role of members without a grant; `null` where only grants count.
    #[schema(required)]
    pub default_level: Option<Role>,
    /// How many comments are open.
    pub comments: u64,
    /// How many change requests there are.
    pub change_requests: u64,
    /// How many of them are open.
    pub change_requests_open: u64,
    /// How many of them are drafts.
    pub change_requests_draft: u64,
    /// Permissions of the caller on the space.
    pub permissions: SpacePermissions,
}

/// Who can see a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// Anyone, and search engines list it.
    Public,
    /// Anyone, and search engines don't list it.
    Unlisted,
    /// Anyone with a secret token in the URL.
    ShareLink,
    /// Anyone authenticated through a JWT.
    VisitorAuth,
    /// Anyone who can access the collection that holds it.
    InCollection,
    /// Authorized members.
    Private,
}

impl Visibility {
    /// That of a space: on published sites the most open of theirs, `site`; else it follows from where the space stands.
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

/// Whether content can be edited directly.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EditMode {
    /// Direct edits are allowed.
    #[default]
    Live,
    /// Content changes through change requests only.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpaceUrls {
    /// URL of the space in this API.
    pub location: String,
    /// URL of the space in the app.
    pub app: String,
    /// The published site. Absent while the space is private.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub published: Option<String>,
    /// The published site, when anyone can read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub public: Option<String>,
    /// The space's icon.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<String>,
}

/// The state of a space's synchronisation with Git.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitSync {
    /// The repository's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub repo_name: Option<String>,
    /// Who hosts the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub installation_provider: Option<GitProvider>,
    /// The integration that synchronises.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub integration: Option<String>,
    /// The repository's tree, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub url: Option<String>,
    /// When it was last synchronised.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub updated_at: Option<Timestamp>,
}

/// Who hosts a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GitProvider {
    /// GitHub.
    Github,
    /// GitLab.
    Gitlab,
    /// GitHub, through the older kind of application.
    GithubLegacy,
}

/// How visitors of a space are authenticated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "backend", rename_all = "lowercase")]
pub enum VisitorAuth {
    /// By a backend of the organization's own.
    Custom,
    /// By an integration.
    Integration {
        /// The integration's name.
        integration: String,
    },
}

/// Permissions of the caller on a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpacePermissions {
    /// Read its content.
    pub view: bool,
    /// Open it in the app.
    pub access: bool,
    /// Change its title, emoji and level; delete, restore, move and transfer it.
    pub admin: bool,
    /// See its invite links.
    pub view_invite_links: bool,
    /// Edit its content.
    pub edit: bool,
    /// Start a synchronisation with Git.
    pub trigger_git_sync: bool,
    /// Discuss its content.
    pub comment: bool,
    /// Merge change requests.
    pub merge: bool,
    /// Review change requests.
    pub review: bool,
}

impl SpacePermissions {
    /// What somebody with `role` may do with a space in this state.
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
        }
    }
}

/// Request body to create a space. Every key is optional.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SpaceCreate {
    /// Title; `Untitled` when absent.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SpaceTitle::check"))]
    #[schema(value_type = texts::SpaceTitle, required = false)]
    pub title: Option<texts::SpaceTitle>,
    /// Emoji; 📄 when absent.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Emoji::check"))]
    #[schema(value_type = texts::Emoji, required = false)]
    pub emoji: Option<texts::Emoji>,
    /// Deprecated: accepted, and does nothing.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub private: Option<bool>,
    /// The collection to make it in; the organization's root when absent.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub parent: Option<CollectionId>,
}

/// Request body to update a space. Absent keys leave their values unchanged.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SpaceUpdate {
    /// Whether its content can be edited directly.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub edit_mode: Option<EditMode>,
    /// Title of the space.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::SpaceTitle::check"))]
    #[schema(value_type = texts::SpaceTitle, required = false)]
    pub title: Option<texts::SpaceTitle>,
    /// The least role of members without a grant; `inherit` for that of the parent, `null` to let only grants count.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<DefaultLevel>)]
    pub default_level: Patch<DefaultLevel>,
    /// Emoji, which replaces an icon; `null` for 📄.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Emoji::check"))]
    #[schema(value_type = Option<texts::Emoji>)]
    pub emoji: Patch<texts::Emoji>,
    /// The address of a picture to show in place of the emoji; `null` for none. Not together with an emoji.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = Option<texts::Url>)]
    pub icon: Patch<texts::Url>,
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
    fn a_site_decides_who_sees_a_space_then_its_place() {
        assert_eq!(Visibility::of_space(None, false), Visibility::Private);
        assert_eq!(Visibility::of_space(None, true), Visibility::InCollection);
        for in_collection in [false, true] {
            assert_eq!(Visibility::of_space(Some(Visibility::Unlisted), in_collection), Visibility::Unlisted);
        }
    }
}
