//! Actions that depend on a relation between user and resource.

use super::{Action, allows};
use crate::role::Role;

/// Relation of a user to a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// Author of a comment, reply or change request.
    Author,
    /// The member concerned.
    SelfUser,
    /// Owner of a team.
    TeamOwner,
}

impl Relation {
    /// Every relation.
    pub const ALL: [Self; 3] = [Self::Author, Self::SelfUser, Self::TeamOwner];
}

impl Action {
    /// Returns the relation that allows the action to users whose role does not, if they may see the resource.
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

    /// Returns whether a relation forbids the action for every role: authors do not review their own change requests.
    pub const fn is_barred_by(self, relation: Relation) -> bool {
        matches!((self, relation), (Self::ReviewContent, Relation::Author))
    }

    /// Returns whether the relation also allows the action in a blocked organization: members may leave it.
    pub const fn outlasts_block(self) -> bool {
        matches!(self, Self::RemoveMember)
    }

    /// Returns the broader action that requires the same role, or the action itself. The actions differ in the
    /// relation.
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

/// Returns whether a user with `role` and a relation to a resource may do `action` to it. The relation counts only for
/// users who may see the space.
pub fn allows_related(role: Option<Role>, relation: Option<Relation>, action: Action) -> bool {
    let is_given = relation.is_some_and(|relation| action.is_given_by(relation));
    allows(role, action) || (is_given && allows(role, Action::ViewSpace))
}
