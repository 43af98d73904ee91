//! Roles: what somebody may do, on a ladder where each role includes the ones below it.

use serde::{Deserialize, Serialize};

use crate::features::ToSchema;

/// A step of the ladder `read < comment < edit < review < create < admin`. A caller without a role is a guest:
/// only content that was granted explicitly is open to them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Access content, cannot update it.
    Read,
    /// Access content and its discussions.
    Comment,
    /// Edit content, live or through change requests.
    Edit,
    /// Review content and merge change requests.
    Review,
    /// Create content.
    Create,
    /// Administrate content, create and delete spaces.
    Admin,
}

impl Role {
    /// Every role, weakest first.
    pub const ALL: [Self; 6] =
        [Self::Read, Self::Comment, Self::Edit, Self::Review, Self::Create, Self::Admin];

    /// The step on the ladder, 1 (`read`) to 6 (`admin`): the form in which roles are stored and compared.
    pub const fn rank(self) -> i16 {
        match self {
            Self::Read => 1,
            Self::Comment => 2,
            Self::Edit => 3,
            Self::Review => 4,
            Self::Create => 5,
            Self::Admin => 6,
        }
    }

    /// The role on a step of the ladder; `None` outside 1..=6.
    pub fn from_rank(rank: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.rank() == rank)
    }

    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Comment => "comment",
            Self::Edit => "edit",
            Self::Review => "review",
            Self::Create => "create",
            Self::Admin => "admin",
        }
    }
}

/// The default level that a body sets: a role, or that of what the space or collection is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DefaultLevel {
    /// Access content, cannot update it.
    Read,
    /// Access content and its discussions.
    Comment,
    /// Edit content, live or through change requests.
    Edit,
    /// Review content and merge change requests.
    Review,
    /// Create content.
    Create,
    /// Administrate content, create and delete spaces.
    Admin,
    /// The level that the parent has at that moment; `read` at the organization's root.
    Inherit,
}

impl DefaultLevel {
    /// The role that is named; `None` to inherit.
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::Read => Some(Role::Read),
            Self::Comment => Some(Role::Comment),
            Self::Edit => Some(Role::Edit),
            Self::Review => Some(Role::Review),
            Self::Create => Some(Role::Create),
            Self::Admin => Some(Role::Admin),
            Self::Inherit => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_order_and_names_agree() {
        for (step, role) in (1..).zip(Role::ALL) {
            assert_eq!(role.rank(), step);
            assert_eq!(Role::from_rank(step), Some(role));
            assert_eq!(serde_json::to_value(role).unwrap(), role.as_str());
        }
        assert!(Role::ALL.is_sorted());
        for role in Role::ALL {
            let level: DefaultLevel = serde_json::from_value(role.as_str().into()).unwrap();
            assert_eq!(level.role(), Some(role));
        }
        assert_eq!(serde_json::from_value::<DefaultLevel>("inherit".into()).unwrap().role(), None);
        assert_eq!(Role::from_rank(0), None);
        assert_eq!(Role::from_rank(7), None);
    }
}
