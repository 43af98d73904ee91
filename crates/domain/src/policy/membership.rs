//! Membership of a user in an organization, and the actions that it allows.

use super::{Action, Requirement, allows};
use crate::role::Role;

/// Membership of a user in an organization.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Membership {
    /// No membership.
    Outsider,
    /// Member whose access is disabled.
    Disabled,
    /// Member without a role, who sees only content with a grant.
    Guest,
    /// Member with a role.
    Member(Role),
}

impl Membership {
    /// Returns the membership of a member with this role; `None` for a guest.
    pub const fn of_member(role: Option<Role>, disabled: bool) -> Self {
        match role {
            _ if disabled => Self::Disabled,
            None => Self::Guest,
            Some(role) => Self::Member(role),
        }
    }

    /// Returns the membership of an active member with this role; `None` for a guest.
    pub const fn active(role: Option<Role>) -> Self {
        Self::of_member(role, false)
    }

    /// Returns the role in the organization.
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::Outsider | Self::Disabled | Self::Guest => None,
            Self::Member(role) => Some(role),
        }
    }

    /// Returns whether a user with this membership may do `action` to the organization.
    pub fn allows(self, action: Action) -> bool {
        match self {
            Self::Outsider | Self::Disabled => false,
            Self::Guest => action.requirement() == Requirement::Membership,
            Self::Member(role) => allows(Some(role), action),
        }
    }
}
