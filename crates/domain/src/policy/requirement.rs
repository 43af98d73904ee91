//! Least role for each action.

use super::Action;
use crate::role::Role;

/// Requirement of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// Membership of the organization, also as a guest.
    Membership,
    /// This role, or a stronger one.
    Role(Role),
}

impl Action {
    /// Returns whether the action is administrative: the audit log records refused attempts.
    pub const fn is_administrative(self) -> bool {
        matches!(self.requirement(), Requirement::Role(Role::Admin))
    }

    /// Returns the least role that allows the action; `None` if membership suffices. Statements that filter by role
    /// take it as a parameter.
    pub const fn least_role(self) -> Option<Role> {
        match self.requirement() {
            Requirement::Membership => None,
            Requirement::Role(role) => Some(role),
        }
    }

    /// Returns the requirement of the action.
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
            | Self::ViewGitHost
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

/// Returns whether a user with `role` on a resource may do `action` to it. Without a role nothing is allowed.
/// [`Membership::allows`](super::Membership::allows) decides for guests of an organization.
pub fn allows(role: Option<Role>, action: Action) -> bool {
    match action.requirement() {
        Requirement::Membership => role.is_some(),
        Requirement::Role(least) => role >= Some(least),
    }
}

/// Returns whether a role may see deleted records.
pub fn sees_deleted(role: Option<Role>) -> bool {
    allows(role, Action::AdministerSpace)
}
