//! Joining an organization: finding it, invites to it, and the role that accepting one leads to.

use super::{Action, Membership};
use crate::role::Role;

impl Membership {
    /// Returns whether somebody with this membership may accept an invite. Administrators disabled a member on purpose, so an
    /// invite does not give the access back.
    pub const fn may_accept_invites(self) -> bool {
        !matches!(self, Self::Disabled)
    }

    /// Returns whether somebody with this membership who has the id of an invite link is shown it. While the organization's
    /// links are disabled, only those see it whom the list of links shows it to.
    pub fn sees_invite_link(self, links_enabled: bool) -> bool {
        links_enabled || self.allows(Action::InspectOrganization)
    }

    /// Returns whether somebody with this membership finds the organization by one of its e-mail domains, in which they have a
    /// verified address or not.
    pub const fn finds_by_domain(self, has_address: bool) -> bool {
        match self {
            Self::Outsider => has_address,
            Self::Disabled => false,
            Self::Guest | Self::Member(_) => true,
        }
    }

    /// Returns whether an invite to the role `invited` gives nothing to somebody with this membership, who has the role
    /// `present` on the target already.
    pub fn has_what_invite_gives(self, present: Option<Role>, invited: Option<Role>) -> bool {
        let is_active = match self {
            Self::Outsider | Self::Disabled => false,
            Self::Guest | Self::Member(_) => true,
        };
        is_active && present >= invited
    }
}

/// The role after an invite is accepted: an invite never weakens a role.
pub fn joined_role(present: Option<Role>, invited: Option<Role>) -> Option<Role> {
    present.max(invited)
}

/// Returns whether a member with this e-mail address may log in with the single sign-on of an organization with these domains,
/// which are lowercase.
pub fn may_use_sso(email: &str, domains: &[String]) -> bool {
    let domain = email.split('@').next_back().unwrap_or_default().to_lowercase();
    domains.contains(&domain)
}

/// Returns whether accepting an invite that offers single sign-on, or not, allows it. It needs the invited address itself: the
/// secret of an invite does not prove that its bearer owns the address.
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
