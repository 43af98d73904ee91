//! Actions that a relation to the thing allows or forbids to a user.

use super::{Action, allows};
use crate::role::Role;

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

/// As [`allows`], for a user with a relation to the thing, a space's comment for example. A relation adds nothing for users
/// who may not see the space.
pub fn allows_related(role: Option<Role>, relation: Option<Relation>, action: Action) -> bool {
    let is_given = relation.is_some_and(|relation| action.is_given_by(relation));
    allows(role, action) || (is_given && allows(role, Action::ViewSpace))
}
