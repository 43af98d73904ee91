//! Roles. Each role includes the weaker ones.

use serde::{Deserialize, Serialize};

use utoipa::ToSchema;

/// Role: `read` < `comment` < `edit` < `review` < `create` < `admin`. Each includes the weaker ones. A member without a
/// role is a guest, who sees only content with a grant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Read content and comments.
    Read,
    /// Read content and comments, and write comments.
    Comment,
    /// Edit content, live or through change requests.
    Edit,
    /// Review content and merge change requests.
    Review,
    /// Create spaces and collections.
    Create,
    /// Administer content: settings, permissions and deletion.
    Admin,
}

impl Role {
    /// Every role, weakest first.
    pub const ALL: [Self; 6] =
        [Self::Read, Self::Comment, Self::Edit, Self::Review, Self::Create, Self::Admin];

    /// Returns the rank, 1 (`read`) to 6 (`admin`), in which roles are stored and compared.
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

    /// Returns the role with a rank; `None` outside 1 to 6.
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

/// Default level in a request: a role, or the level of the parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DefaultLevel {
    /// Read content and comments.
    Read,
    /// Read content and comments, and write comments.
    Comment,
    /// Edit content, live or through change requests.
    Edit,
    /// Review content and merge change requests.
    Review,
    /// Create spaces and collections.
    Create,
    /// Administer content: settings, permissions and deletion.
    Admin,
    /// Level of the parent at the time of the request; `read` at the organization's root.
    Inherit,
}

impl DefaultLevel {
    /// Returns the role; `None` for `inherit`.
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
