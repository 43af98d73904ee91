//! Rules for joining an organization: discovery, invites and the resulting role.

use super::{Action, Membership};
use crate::role::Role;

impl Membership {
    /// Returns whether a user with this membership may accept an invite. A member disabled by an administrator may not
    /// regain access through an invite.
    pub const fn may_accept_invites(self) -> bool {
        !matches!(self, Self::Disabled)
    }

    /// Returns whether a user with this membership who knows the id of an invite link may see it. While links are
    /// disabled, only users who may list the links see it.
    pub fn sees_invite_link(self, links_enabled: bool) -> bool {
        links_enabled || self.allows(Action::InspectOrganization)
    }

    /// Returns whether a user with this membership finds the organization by an e-mail domain. `has_address`: the user
    /// has a verified address in it.
    pub const fn finds_by_domain(self, has_address: bool) -> bool {
        match self {
            Self::Outsider => has_address,
            Self::Disabled => false,
            Self::Guest | Self::Member(_) => true,
        }
    }

    /// Returns whether an invite to the role `invited` gives nothing new to a user with this membership and the role
    /// `present` on the target.
    pub fn has_what_invite_gives(self, present: Option<Role>, invited: Option<Role>) -> bool {
        let is_active = match self {
            Self::Outsider | Self::Disabled => false,
            Self::Guest | Self::Member(_) => true,
        };
        is_active && present >= invited
    }
}

/// Returns the role after acceptance of an invite, which never lowers a role.
pub fn joined_role(present: Option<Role>, invited: Option<Role>) -> Option<Role> {
    present.max(invited)
}

/// Returns whether a member with this e-mail address may log in with the single sign-on of an organization with these
/// domains, in lowercase.
pub fn may_use_sso(email: &str, domains: &[String]) -> bool {
    let domain = email.split('@').next_back().unwrap_or_default().to_lowercase();
    domains.contains(&domain)
}

/// Returns whether accepting an invite allows single sign-on. It requires the invited address: the secret does not
/// prove its ownership.
pub const fn grants_sso(offered: bool, has_invited_address: bool) -> bool {
    offered && has_invited_address
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHERS: [Membership; 3] = [Membership::Outsider, Membership::Disabled, Membership::Guest];

    #[test]
    fn everyone_but_disabled_members_may_accept() {
        for membership in OTHERS.into_iter().chain(Role::ALL.map(Membership::Member)) {
            assert_eq!(membership.may_accept_invites(), membership != Membership::Disabled, "{membership:?}");
        }
    }

    #[test]
    fn disabled_links_are_shown_to_administrators() {
        for membership in OTHERS.into_iter().chain(Role::ALL.map(Membership::Member)) {
            assert!(membership.sees_invite_link(true), "{membership:?}");
            let expected = membership == Membership::Member(Role::Admin);
            assert_eq!(membership.sees_invite_link(false), expected, "{membership:?}");
        }
    }

    #[test]
    fn members_and_people_with_an_address_find_an_organization() {
        for (membership, has_address, expected) in [
            (Membership::Outsider, false, false),
            (Membership::Outsider, true, true),
            (Membership::Disabled, true, false),
            (Membership::Guest, false, true),
            (Membership::Member(Role::Read), false, true),
        ] {
            assert_eq!(membership.finds_by_domain(has_address), expected, "{membership:?} {has_address}");
        }
    }

    #[test]
    fn an_invite_gives_nothing_to_members_who_have_as_much() {
        let (read, edit) = (Some(Role::Read), Some(Role::Edit));
        for (membership, present, invited, expected) in [
            (Membership::Member(Role::Edit), edit, read, true),
            (Membership::Member(Role::Edit), edit, edit, true),
            (Membership::Member(Role::Read), read, edit, false),
            (Membership::Guest, None, None, true),
            (Membership::Guest, None, read, false),
            (Membership::Guest, edit, read, true),
            (Membership::Outsider, None, None, false),
            (Membership::Disabled, edit, read, false),
        ] {
            let found = membership.has_what_invite_gives(present, invited);
            assert_eq!(found, expected, "{membership:?} {present:?} {invited:?}");
        }
    }

    #[test]
    fn single_sign_on_needs_an_address_of_the_organization() {
        let domains = ["example.com".to_owned()];
        for (email, expected) in [
            ("ada@example.com", true),
            ("ada@EXAMPLE.com", true),
            ("ada@example.org", false),
            ("ada@sub.example.com", false),
            ("", false),
        ] {
            assert_eq!(may_use_sso(email, &domains), expected, "{email}");
        }
        assert!(grants_sso(true, true));
        assert!(!grants_sso(true, false) && !grants_sso(false, true) && !grants_sso(false, false));
    }

    #[test]
    fn joining_never_weakens_a_role() {
        let (read, edit) = (Some(Role::Read), Some(Role::Edit));
        for (present, invited, expected) in [
            (None, None, None),
            (None, read, read),
            (edit, None, edit),
            (edit, read, edit),
            (read, edit, edit),
        ] {
            assert_eq!(joined_role(present, invited), expected, "{present:?} {invited:?}");
        }
    }
}
