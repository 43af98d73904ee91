//! Administrators of an organization: who is one, and that one is left.

use super::Membership;
use crate::role::Role;

/// The role of administrators, and of the user who makes an organization.
pub const ADMINISTRATOR: Role = Role::Admin;

/// The active administrators of an organization, as one of its members sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Administrators {
    /// The member is one of them.
    pub includes_member: bool,
    /// Number of the others.
    pub others: u64,
}

impl Administrators {
    /// Returns whether the membership may become this: the last administrator can neither leave, be removed, be demoted nor
    /// be disabled.
    pub fn allow_change_to(self, membership: Membership) -> bool {
        !self.includes_member || self.others > 0 || membership.is_administrator()
    }
}

impl Membership {
    /// Returns whether this is an active administrator.
    pub fn is_administrator(self) -> bool {
        self.role() >= Some(ADMINISTRATOR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_administrator_is_left() {
        let administrators = |includes_member, others| Administrators { includes_member, others };
        let (last, one_of_two, member) =
            (administrators(true, 0), administrators(true, 1), administrators(false, 1));
        let weaker = [
            Membership::Outsider,
            Membership::Disabled,
            Membership::Guest,
            Membership::Member(Role::Read),
            Membership::Member(Role::Create),
        ];
        for after in weaker {
            assert!(!last.allow_change_to(after), "{after:?}");
            assert!(one_of_two.allow_change_to(after), "{after:?}");
            assert!(member.allow_change_to(after), "{after:?}");
            // An organization that `quire admin` made has none at first.
            assert!(administrators(false, 0).allow_change_to(after), "{after:?}");
            assert!(!after.is_administrator(), "{after:?}");
        }
        assert!(last.allow_change_to(Membership::Member(Role::Admin)));
    }
}
