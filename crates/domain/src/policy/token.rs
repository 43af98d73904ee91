//! Limits of tokens: a token carries a part of its user's permissions.

use super::Action;
use crate::clock::Timestamp;
use crate::ids::OrganizationId;

/// Limits of a token.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct TokenLimits {
    /// The token is read-only.
    pub read_only: bool,
    /// The token is limited to certain organizations.
    pub organizations: bool,
}

/// Action of users for themselves, which no role decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OwnAction {
    /// Create a token.
    IssueToken,
    /// Accept an invite.
    AcceptInvite,
    /// Create an organization.
    CreateOrganization,
    /// Change the own name, password or notifications.
    ChangeUser,
    /// Mark entries of the own inbox as read.
    MarkInbox,
}

impl OwnAction {
    /// Every action of this kind.
    pub const ALL: [Self; 5] =
        [Self::IssueToken, Self::AcceptInvite, Self::CreateOrganization, Self::ChangeUser, Self::MarkInbox];
}

impl TokenLimits {
    /// Returns whether the token allows an action that its user may do.
    pub const fn allow(self, action: Action) -> bool {
        !self.read_only || action.is_read()
    }

    /// Returns whether the token allows an action of the user for themselves.
    pub const fn allow_own(self, action: OwnAction) -> bool {
        match action {
            OwnAction::IssueToken | OwnAction::AcceptInvite | OwnAction::MarkInbox => !self.read_only,
            // A token that is limited to certain organizations must not affect others: the new organization, and all
            // organizations of the user.
            OwnAction::CreateOrganization | OwnAction::ChangeUser => !self.read_only && !self.organizations,
        }
    }
}

/// Limits of a token, with the organizations and the expiry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The token is read-only.
    pub read_only: bool,
    /// Organizations of the token; `None` for all organizations of its user.
    pub organizations: Option<Vec<OrganizationId>>,
    /// Expiry; `None` for a token without expiry.
    pub expires_at: Option<Timestamp>,
}

impl Limits {
    /// Returns whether the token is valid for an organization of its user.
    pub fn record_tenant(&self, organization: OrganizationId) -> bool {
        self.organizations.as_ref().is_none_or(|own| own.contains(&organization))
    }

    /// Returns whether a token with these limits allows everything that a token with the limits `other` allows. A token
    /// can create only tokens that it covers.
    pub fn cover(&self, other: &Self) -> bool {
        let Self { read_only, organizations, expires_at } = self;
        let reaches = organizations.is_none()
            || other
                .organizations
                .as_ref()
                .is_some_and(|others| others.iter().all(|id| self.record_tenant(*id)));
        let lasts = expires_at.is_none_or(|own| other.expires_at.is_some_and(|other| other <= own));
        (!read_only || other.read_only) && reaches && lasts
    }

    /// Returns whether the token may revoke a token with the limits `other`: itself, and tokens that it covers.
    pub fn may_revoke(&self, other: &Self, is_itself: bool) -> bool {
        is_itself || self.cover(other)
    }
}

impl From<&Limits> for TokenLimits {
    fn from(limits: &Limits) -> Self {
        Self { read_only: limits.read_only, organizations: limits.organizations.is_some() }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_token_covers_only_what_is_no_stronger() {
        let [a, b] = [1, 2].map(|n| OrganizationId::from_uuid(Uuid::from_u128(n)));
        let [early, late] = [1, 2].map(|n| Timestamp::from_millis(n).unwrap());
        let all = Limits::default();
        let reader = Limits { read_only: true, ..Limits::default() };
        let of = |ids: &[OrganizationId]| Limits { organizations: Some(ids.to_vec()), ..Limits::default() };
        let until = |at| Limits { expires_at: Some(at), ..Limits::default() };
        assert!(all.record_tenant(a) && of(&[a]).record_tenant(a) && !of(&[a]).record_tenant(b));
        for (asking, wanted, expected) in [
            (&all, &reader, true),
            (&reader, &all, false),
            (&reader, &reader, true),
            (&all, &of(&[a]), true),
            (&of(&[a]), &all, false),
            (&of(&[a, b]), &of(&[b]), true),
            (&of(&[a]), &of(&[a, b]), false),
            (&all, &until(late), true),
            (&until(early), &all, false),
            (&until(early), &until(late), false),
            (&until(late), &until(early), true),
        ] {
            assert_eq!(asking.cover(wanted), expected, "{asking:?} {wanted:?}");
            assert_eq!(asking.may_revoke(wanted, false), expected, "{asking:?} {wanted:?}");
            assert!(asking.may_revoke(wanted, true), "{asking:?} {wanted:?}");
        }
    }
}
