//! Access to published resources: sites and integrations.

use super::{Action, Membership, allows};
use crate::integrations::IntegrationVisibility;
use crate::role::Role;
use crate::sites::SiteVisibility;

/// Credentials of a visitor of a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visitor {
    /// Membership of the visitor in the organization of the site.
    pub membership: Membership,
    /// The visitor has a valid token for the organization.
    pub has_token: bool,
    /// The visitor has the key of one of the site's share links.
    pub has_key: bool,
    /// The visitor has a visitor token that the organization signed.
    pub is_vouched: bool,
}

impl Visitor {
    /// Returns whether the visitor may see a site. Members who may see the organization's sites always do; others see a
    /// published site according to its visibility.
    pub fn may_visit(self, visibility: SiteVisibility, published: bool) -> bool {
        let is_audience = match visibility {
            SiteVisibility::ShareLink => self.has_key,
            SiteVisibility::Public | SiteVisibility::Unlisted | SiteVisibility::VisitorAuth => {
                self.has_token || self.is_vouched
            }
        };
        self.is_insider() || (published && is_audience)
    }

    /// Returns whether the visitor may read the pages of a site in a browser. Unlike the API, a public or unlisted site
    /// needs no token.
    pub fn may_read_pages(self, visibility: SiteVisibility, published: bool) -> bool {
        let is_audience = match visibility {
            SiteVisibility::VisitorAuth => self.is_vouched,
            _ => visibility.is_open() || self.has_key,
        };
        self.is_insider() || (published && is_audience)
    }

    /// Returns whether the visitor may read the content of a published site with an API token: any token opens public
    /// and unlisted sites.
    pub fn may_read_with_token(self, visibility: SiteVisibility) -> bool {
        self.has_token && visibility.is_open()
    }

    /// Returns whether the visitor sees sites as a member.
    pub fn is_insider(self) -> bool {
        self.membership.allows(Action::ViewOrganizationContent)
    }
}

/// Returns whether a reader of a site with this role on a space is shown that the space is on the site.
pub fn sees_site_space(published: bool, role: Option<Role>) -> bool {
    published || allows(role, Action::ViewSpace)
}

impl IntegrationVisibility {
    /// Returns whether the integration is in the list of all integrations.
    pub const fn is_listed(self) -> bool {
        matches!(self, Self::Public)
    }

    /// Returns whether a user with this membership in the owner finds the integration by its name.
    pub fn is_found_by(self, membership: Membership) -> bool {
        match self {
            Self::Public | Self::Unlisted => true,
            Self::Private => membership.allows(Action::ViewOrganization),
        }
    }

    /// Returns whether the integration may be installed on an organization. `on_owner`: the organization is the owner.
    pub const fn may_be_installed(self, on_owner: bool) -> bool {
        on_owner || !matches!(self, Self::Private)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: Visitor =
        Visitor { membership: Membership::Outsider, has_token: false, has_key: false, is_vouched: false };

    #[test]
    fn visitors_see_published_sites_that_are_meant_for_them() {
        use SiteVisibility::{Public, ShareLink, Unlisted, VisitorAuth};
        let token = Visitor { has_token: true, ..EMPTY };
        let key = Visitor { has_key: true, ..EMPTY };
        let vouched = Visitor { is_vouched: true, ..EMPTY };
        let guest = Visitor { membership: Membership::Guest, has_token: true, ..EMPTY };
        #[rustfmt::skip]
        let table = [
            // visitor public  unlisted share    auth
            (EMPTY,   [false,  false,   false,   false]),
            (token,   [true,   true,    false,   true]),
            (key,     [false,  false,   true,    false]),
            (vouched, [true,   true,    false,   true]),
            (guest,   [true,   true,    false,   true]),
        ];
        for (visitor, expected) in table {
            for (visibility, expected) in [Public, Unlisted, ShareLink, VisitorAuth].into_iter().zip(expected)
            {
                assert_eq!(visitor.may_visit(visibility, true), expected, "{visitor:?} {visibility:?}");
                assert!(!visitor.may_visit(visibility, false), "{visitor:?} {visibility:?}");
            }
        }
        let member = Visitor { membership: Membership::Member(Role::Read), ..EMPTY };
        for visibility in [Public, Unlisted, ShareLink, VisitorAuth] {
            assert!(
                member.may_visit(visibility, false) && member.may_visit(visibility, true),
                "{visibility:?}"
            );
        }
    }

    #[test]
    fn pages_of_open_sites_are_for_everyone() {
        use SiteVisibility::{Public, ShareLink, Unlisted, VisitorAuth};
        let token = Visitor { has_token: true, ..EMPTY };
        let key = Visitor { has_key: true, ..EMPTY };
        let vouched = Visitor { is_vouched: true, ..EMPTY };
        let member = Visitor { membership: Membership::Member(Role::Read), ..EMPTY };
        for (visitor, expected) in [
            (EMPTY, [true, true, false, false]),
            (token, [true, true, false, false]),
            (key, [true, true, true, false]),
            (vouched, [true, true, false, true]),
            (member, [true, true, true, true]),
        ] {
            for (visibility, expected) in [Public, Unlisted, ShareLink, VisitorAuth].into_iter().zip(expected)
            {
                assert_eq!(visitor.may_read_pages(visibility, true), expected, "{visitor:?} {visibility:?}");
                let is_member = visitor.is_insider();
                assert_eq!(
                    visitor.may_read_pages(visibility, false),
                    is_member,
                    "{visitor:?} {visibility:?}"
                );
            }
        }
    }

    #[test]
    fn a_token_opens_the_content_of_open_sites_only() {
        use SiteVisibility::{Public, ShareLink, Unlisted, VisitorAuth};
        let token = Visitor { has_token: true, ..EMPTY };
        let others = Visitor { has_key: true, is_vouched: true, ..EMPTY };
        for (visibility, opens) in
            [(Public, true), (Unlisted, true), (ShareLink, false), (VisitorAuth, false)]
        {
            assert_eq!(token.may_read_with_token(visibility), opens, "{visibility:?}");
            assert!(!others.may_read_with_token(visibility), "{visibility:?}");
        }
    }

    #[test]
    fn spaces_of_unpublished_sites_are_shown_to_their_readers() {
        assert!(sees_site_space(true, None));
        assert!(sees_site_space(false, Some(Role::Read)));
        assert!(!sees_site_space(false, None));
    }

    #[test]
    fn integrations_are_found_by_their_visibility() {
        use IntegrationVisibility::{Private, Public, Unlisted};
        let others = [Membership::Outsider, Membership::Disabled];
        let members = [Membership::Guest, Membership::Member(Role::Read)];
        for (visibility, listed, found, installed) in
            [(Public, true, true, true), (Unlisted, false, true, true), (Private, false, false, false)]
        {
            assert_eq!(visibility.is_listed(), listed, "{visibility:?}");
            assert_eq!(visibility.may_be_installed(false), installed, "{visibility:?}");
            assert!(visibility.may_be_installed(true), "{visibility:?}");
            assert!(others.iter().all(|other| visibility.is_found_by(*other) == found), "{visibility:?}");
            assert!(members.iter().all(|member| visibility.is_found_by(*member)), "{visibility:?}");
        }
    }
}
