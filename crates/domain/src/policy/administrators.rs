//! Administrators of an organization. At least one must remain.

use super::Membership;
use crate::role::Role;

/// Role of administrators, and of the user who creates an organization.
pub const ADMINISTRATOR: Role = Role::Admin;

/// Active administrators of an organization, in relation to one of its members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Administrators {
    /// `true` if the member is one of them.
    pub includes_member: bool,
    /// Number of other administrators.
    pub others: u64,
}

impl Administrators {
    /// Returns whether the membership may change: the last administrator cannot leave, or be removed, demoted or
    /// disabled.
    pub fn allow_change_to(self, membership: Membership) -> bool {
        !self.includes_member || self.others > 0 || membership.is_administrator()
    }
}

impl Membership {
    /// Returns whether the member is an active administrator.
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
            // An organization created by `quire admin` has no administrator at first.
            assert!(administrators(false, 0).allow_change_to(after), "{after:?}");
            assert!(!after.is_administrator(), "{after:?}");
        }
        assert!(last.allow_change_to(Membership::Member(Role::Admin)));
    }
}
