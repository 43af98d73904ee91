//! The least role that each action asks for.

use super::Action;
use crate::role::Role;

/// The least that an action asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// To be a member of the organization, if only as a guest.
    Membership,
    /// This role, or one above it.
    Role(Role),
}

impl Action {
    /// True for what only administrators may do: a refused attempt goes into the audit log.
    pub const fn is_administrative(self) -> bool {
        matches!(self.requirement(), Requirement::Role(Role::Admin))
    }

    /// The least role that allows the action; `None` where membership is enough. Statements that filter by role take it as a
    /// parameter.
    pub const fn least_role(self) -> Option<Role> {
        match self.requirement() {
            Requirement::Membership => None,
            Requirement::Role(role) => Some(role),
        }
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

/// Returns whether somebody with `role` on a thing may do `action` to it. Without a role nothing is allowed: what a guest
/// may do in an organization is [`Membership::allows`](super::Membership::allows).
pub fn allows(role: Option<Role>, action: Action) -> bool {
    match action.requirement() {
        Requirement::Membership => role.is_some(),
        Requirement::Role(least) => role >= Some(least),
    }
}

/// Returns whether a role shows a record in the bin.
pub fn sees_deleted(role: Option<Role>) -> bool {
    allows(role, Action::AdministerSpace)
}
