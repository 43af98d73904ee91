//! Who may do what: one pure function over role and action, and one that finds the role.
//!
//! The full table stands in `tests/golden/policy.txt`, where somebody who reads no Rust can check it.

mod relation;

pub use self::relation::{OwnAction, Relation, TokenLimits};
use crate::role::Role;

/// What an action is done to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A space, with its content, change requests and comments.
    Space,
    /// A collection of spaces.
    Collection,
    /// An organization.
    Organization,
}

/// Something that needs permission: a role ([`Action::requirement`]) or a relation ([`Action::relation`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Read a space, its content, its change requests and its comments.
    ViewSpace,
    /// Post, reply and react.
    CommentOnSpace,
    /// Resolve a comment, or open it again.
    ResolveComment,
    /// Edit the text of a comment or reply.
    EditComment,
    /// Delete a comment or reply.
    DeleteComment,
    /// Edit content, live or through change requests; import; set custom field values.
    EditContent,
    /// See the imports into a space, and what they are fetched from.
    ViewImports,
    /// Review change requests.
    ReviewContent,
    /// Merge change requests.
    MergeChangeRequest,
    /// Start a synchronisation with Git.
    TriggerGitSync,
    /// Put a space on a site.
    PublishSpace,
    /// Change a space's title, emoji and level; delete, restore, move and transfer it; grant on it.
    AdministerSpace,
    /// See the invite links of a space or collection.
    ViewInviteLinks,
    /// Read a collection.
    ViewCollection,
    /// Change a collection's title, description and level; delete, move and transfer it; grant on it.
    AdministerCollection,
    /// Make spaces, collections and sites in a collection or at an organization's root.
    CreateContent,
    /// Read an organization.
    ViewOrganization,
    /// List the members of an organization.
    ListMembers,
    /// List the teams of an organization.
    ListTeams,
    /// List the integrations of an organization.
    ListIntegrations,
    /// See an organization's sites, custom fields, specifications and translations.
    ViewOrganizationContent,
    /// Make and change sites, their structure and their settings.
    ManageSites,
    /// See the keys of a site's share links.
    ViewShareLinks,
    /// Add OpenAPI specifications and translations.
    CreateOpenApiSpec,
    /// See the state of billing.
    ViewBilling,
    /// See what only administrators see: single sign-on, webhooks, invites, the audit log.
    InspectOrganization,
    /// Change an organization's settings, members, teams, single sign-on and custom fields.
    AdministerOrganization,
    /// Change a team and its members.
    ManageTeam,
    /// See a member, with the member's teams and spaces.
    ViewMember,
    /// Remove a member.
    RemoveMember,
    /// Be noted as seen in an organization, and leave it.
    VisitOrganization,
}

/// The least that an action asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// To be a member of the organization, if only as a guest.
    Membership,
    /// This role, or one above it.
    Role(Role),
}

impl Action {
    /// Every action, by what it is done to.
    pub const ALL: [Self; 31] = [
        Self::ViewSpace,
        Self::CommentOnSpace,
        Self::ResolveComment,
        Self::EditComment,
        Self::DeleteComment,
        Self::EditContent,
        Self::ViewImports,
        Self::ReviewContent,
        Self::MergeChangeRequest,
        Self::TriggerGitSync,
        Self::PublishSpace,
        Self::AdministerSpace,
        Self::ViewInviteLinks,
        Self::ViewCollection,
        Self::AdministerCollection,
        Self::CreateContent,
        Self::ViewOrganization,
        Self::ListMembers,
        Self::ListTeams,
        Self::ListIntegrations,
        Self::ViewOrganizationContent,
        Self::ManageSites,
        Self::ViewShareLinks,
        Self::CreateOpenApiSpec,
        Self::ViewBilling,
        Self::InspectOrganization,
        Self::AdministerOrganization,
        Self::ManageTeam,
        Self::ViewMember,
        Self::RemoveMember,
        Self::VisitOrganization,
    ];

    /// What the action can be done to.
    pub const fn kinds(self) -> &'static [Kind] {
        match self {
            Self::ViewSpace
            | Self::CommentOnSpace
            | Self::ResolveComment
            | Self::EditComment
            | Self::DeleteComment
            | Self::EditContent
            | Self::ViewImports
            | Self::ReviewContent
            | Self::MergeChangeRequest
            | Self::TriggerGitSync
            | Self::PublishSpace
            | Self::AdministerSpace => &[Kind::Space],
            Self::ViewInviteLinks => &[Kind::Space, Kind::Collection],
            Self::ViewCollection | Self::AdministerCollection => &[Kind::Collection],
            Self::CreateContent => &[Kind::Collection, Kind::Organization],
            Self::ViewOrganization
            | Self::ListMembers
            | Self::ListTeams
            | Self::ListIntegrations
            | Self::ViewOrganizationContent
            | Self::ManageSites
            | Self::ViewShareLinks
            | Self::CreateOpenApiSpec
            | Self::ViewBilling
            | Self::InspectOrganization
            | Self::AdministerOrganization
            | Self::ManageTeam
            | Self::ViewMember
            | Self::RemoveMember
            | Self::VisitOrganization => &[Kind::Organization],
        }
    }

    /// Whether the action changes nothing: a token that may only read allows it.
    pub const fn is_read(self) -> bool {
        matches!(
            self,
            Self::ViewSpace
                | Self::ViewImports
                | Self::ViewInviteLinks
                | Self::ViewCollection
                | Self::ViewOrganization
                | Self::ListMembers
                | Self::ViewMember
                | Self::ListTeams
                | Self::ListIntegrations
                | Self::ViewOrganizationContent
                | Self::ViewShareLinks
                | Self::ViewBilling
                | Self::InspectOrganization
        )
    }

    /// True for what only administrators may do: a refused attempt goes into the audit log.
    pub const fn is_administrative(self) -> bool {
        matches!(self.requirement(), Requirement::Role(Role::Admin))
    }

    /// The least that the action asks for.
    pub const fn requirement(self) -> Requirement {
        match self {
            Self::ViewOrganization | Self::VisitOrganization => Requirement::Membership,
            Self::ViewSpace
            | Self::ViewCollection
            | Self::ListMembers
            | Self::ListTeams
            | Self::ListIntegrations
            | Self::ViewOrganizationContent => Requirement::Role(Role::Read),
            Self::CommentOnSpace => Requirement::Role(Role::Comment),
            Self::EditContent | Self::ViewImports => Requirement::Role(Role::Edit),
            Self::ReviewContent | Self::MergeChangeRequest => Requirement::Role(Role::Review),
            Self::ViewInviteLinks
            | Self::TriggerGitSync
            | Self::PublishSpace
            | Self::CreateContent
            | Self::ManageSites
            | Self::ViewShareLinks
            | Self::CreateOpenApiSpec => Requirement::Role(Role::Create),
            Self::AdministerSpace
            | Self::AdministerCollection
            | Self::ViewBilling
            | Self::InspectOrganization
            | Self::AdministerOrganization
            | Self::ManageTeam => Requirement::Role(Role::Admin),
            Self::ResolveComment
            | Self::EditComment
            | Self::DeleteComment
            | Self::ViewMember
            | Self::RemoveMember => self.by_role_of().requirement(),
        }
    }
}

/// Whether somebody with `role` on a thing may do `action` to it. Without a role nothing is allowed: what a guest
/// may do in an organization is [`Membership::allows`].
pub fn allows(role: Option<Role>, action: Action) -> bool {
    match action.requirement() {
        Requirement::Membership => role.is_some(),
        Requirement::Role(least) => role >= Some(least),
    }
}

/// As [`allows`], for a user with a relation to the thing, a space's comment for example. A relation adds nothing for users
/// who may not see the space.
pub fn allows_related(role: Option<Role>, relation: Option<Relation>, action: Action) -> bool {
    let is_given = relation.is_some_and(|relation| action.is_given_by(relation));
    allows(role, action) || (is_given && allows(role, Action::ViewSpace))
}

/// Returns whether a role shows a record in the bin.
pub fn sees_deleted(role: Option<Role>) -> bool {
    allows(role, Action::AdministerSpace)
}

/// What a user is to an organization.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Membership {
    /// Nothing.
    Outsider,
    /// A member who has no access for now.
    Disabled,
    /// A member without a role: only what was granted explicitly is open.
    Guest,
    /// A member with a role.
    Member(Role),
}

impl Membership {
    /// The role in the organization itself.
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::Outsider | Self::Disabled | Self::Guest => None,
            Self::Member(role) => Some(role),
        }
    }

    /// Whether somebody with this membership may do `action` to the organization.
    pub fn allows(self, action: Action) -> bool {
        match self {
            Self::Outsider | Self::Disabled => false,
            Self::Guest => action.requirement() == Requirement::Membership,
            Self::Member(role) => allows(Some(role), action),
        }
    }
}

/// A role granted to the user, or to one of the user's teams, on a thing or on a collection above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grant {
    /// 0 on the thing itself, 1 on the collection that holds it, and so on upwards.
    pub distance: u32,
    /// What is granted.
    pub role: Role,
}

/// The role that counts on a space or collection.
///
/// Administrators of the organization are administrators everywhere in it. Otherwise the nearest place with a
/// grant decides, and there the strongest one: a grant can lower a role as well as raise it. Without any grant members
/// get the stronger of their role in the organization and `default_level`; guests and outsiders get nothing.
/// `default_level` is `None` where only grants count. A disabled member has no role.
///
/// `tests/golden/roles.txt` has the table.
pub fn effective_role(
    membership: Membership,
    grants: impl IntoIterator<Item = Grant>,
    default_level: Option<Role>,
) -> Option<Role> {
    match membership {
        Membership::Disabled => return None,
        Membership::Member(Role::Admin) => return Some(Role::Admin),
        Membership::Outsider | Membership::Guest | Membership::Member(_) => {}
    }
    let nearest = grants.into_iter().min_by_key(|grant| (grant.distance, std::cmp::Reverse(grant.role)));
    match (nearest, membership) {
        (Some(grant), _) => Some(grant.role),
        (None, Membership::Member(role)) => default_level.map(|level| level.max(role)),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests;
