//! What the limits of a token leave of what its user may do.

use super::Action;

/// Limits of a token.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct TokenLimits {
    /// It may only read.
    pub read_only: bool,
    /// It is limited to certain organizations.
    pub organizations: bool,
}

/// Something that users do for themselves, which no role decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OwnAction {
    /// Make a token.
    IssueToken,
    /// Accept an invite.
    AcceptInvite,
    /// Make an organization.
    CreateOrganization,
}

impl OwnAction {
    /// Every action of this kind.
    pub const ALL: [Self; 3] = [Self::IssueToken, Self::AcceptInvite, Self::CreateOrganization];
}

impl TokenLimits {
    /// Returns whether the token may be used for an action that its user may do.
    pub const fn allow(self, action: Action) -> bool {
        !self.read_only || action.is_read()
    }

    /// Returns whether the token may be used for something that its user does alone.
    pub const fn allow_own(self, action: OwnAction) -> bool {
        match action {
            OwnAction::IssueToken | OwnAction::AcceptInvite => !self.read_only,
            // The new organization would not be among those that the token is limited to.
            OwnAction::CreateOrganization => !self.read_only && !self.organizations,
        }
    }
}
