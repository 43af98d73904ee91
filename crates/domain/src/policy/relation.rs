//! Rules that no role decides: what a user may do because of a relation to the thing, and the limits of tokens.

use super::Action;

/// Relation of a user to a thing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// The user who wrote it: a comment, a reply, a change request.
    Author,
    /// The user whom it is about: a member.
    SelfUser,
    /// An owner of it: a team.
    TeamOwner,
}

impl Relation {
    /// Every relation.
    pub const ALL: [Self; 3] = [Self::Author, Self::SelfUser, Self::TeamOwner];
}

impl Action {
    /// The relation that allows the action to users whose role does not, if they may see the thing.
    pub const fn relation(self) -> Option<Relation> {
        match self {
            Self::EditComment | Self::DeleteComment => Some(Relation::Author),
            Self::ViewMember | Self::RemoveMember => Some(Relation::SelfUser),
            Self::ManageTeam => Some(Relation::TeamOwner),
            _ => None,
        }
    }

    /// Returns whether a relation allows the action.
    pub fn is_given_by(self, relation: Relation) -> bool {
        self.relation() == Some(relation)
    }

    /// Returns whether a relation forbids the action, whatever the role is: authors do not review their own work.
    pub const fn is_barred_by(self, relation: Relation) -> bool {
        matches!((self, relation), (Self::ReviewContent, Relation::Author))
    }

    /// Returns whether its relation allows the action in a blocked organization, too: members may leave it.
    pub const fn outlasts_block(self) -> bool {
        matches!(self, Self::RemoveMember)
    }

    /// The broader action whose role this one asks for, or the action itself. Differences are in the relation.
    pub const fn by_role_of(self) -> Self {
        match self {
            Self::ResolveComment => Self::CommentOnSpace,
            Self::EditComment | Self::DeleteComment => Self::AdministerSpace,
            Self::ViewMember => Self::ListMembers,
            Self::RemoveMember => Self::AdministerOrganization,
            action => action,
        }
    }
}

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
