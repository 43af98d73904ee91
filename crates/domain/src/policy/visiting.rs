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
    /// published site according to its visibility. [`SiteReader::sees`] decides what they see of its spaces.
    pub fn may_visit(self, visibility: SiteVisibility, published: bool) -> bool {
        self.is_insider() || self.is_audience(visibility, published)
    }

    /// Returns whether the API shows the structure of a published site to the visitor by the visitor's credentials
    /// alone, without the membership.
    pub fn is_audience(self, visibility: SiteVisibility, published: bool) -> bool {
        published
            && match visibility {
                SiteVisibility::ShareLink => self.has_key,
                SiteVisibility::Public | SiteVisibility::Unlisted | SiteVisibility::VisitorAuth => {
                    self.has_token || self.is_vouched
                }
            }
    }

    /// Returns whether the visitor may read the pages of a site in a browser. Unlike in the API, a public or unlisted
    /// site needs no token. Membership alone gives no access.
    pub fn may_read_pages(self, visibility: SiteVisibility, published: bool) -> bool {
        published
            && match visibility {
                SiteVisibility::VisitorAuth => self.is_vouched,
                _ => visibility.is_open() || self.has_key,
            }
    }

    /// Returns whether the visitor may read the content of a published site with an API token: any token opens public
    /// and unlisted sites.
    pub fn may_read_with_token(self, visibility: SiteVisibility) -> bool {
        self.has_token && visibility.is_open()
    }

    /// Returns whether the visitor sees sites as a member of the organization.
    pub fn is_insider(self) -> bool {
        self.membership.allows(Action::ViewOrganizationContent)
    }
}

/// Reader of a site, apart from roles on its spaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteReader {
    /// The site is published, and the reader may read it as a visitor with the same credentials.
    pub is_audience: bool,
    /// The reader manages the sites of the organization.
    pub manages: bool,
}

/// Parts of a space on a site that a reader sees, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SiteSpaceView {
    /// Nothing: the space is absent.
    Hidden,
    /// Title and path of the space in the structure.
    Structure,
    /// The content, without the parts whose conditions the reader doesn't meet.
    AsVisitor,
    /// All of the content, as the reader sees it outside of the site.
    AsUser,
}

impl SiteReader {
    /// Reader who only visits the site.
    pub const VISITOR: Self = Self { is_audience: true, manages: false };

    /// Returns the reader with this membership. `is_audience`: a visitor with the same credentials may read the site.
    pub fn new(membership: Membership, is_audience: bool) -> Self {
        Self { is_audience, manages: membership.allows(Action::ManageSites) }
    }

    /// Returns what the reader sees of a space on the site. `role`: the reader's role on the space. `meets_conditions`:
    /// a visitor with the reader's claims meets the conditions of the space and of what contains it; `false` for a
    /// draft.
    ///
    /// Membership in the organization alone gives no access: members see what a visitor with the same credentials sees,
    /// and the spaces on which they have a role. Users who manage sites see the whole structure.
    pub fn sees(self, role: Option<Role>, meets_conditions: bool) -> SiteSpaceView {
        if allows(role, Action::ViewSpace) {
            SiteSpaceView::AsUser
        } else if self.is_audience && meets_conditions {
            SiteSpaceView::AsVisitor
        } else if self.manages {
            SiteSpaceView::Structure
        } else {
            SiteSpaceView::Hidden
        }
    }
}

impl SiteSpaceView {
    /// Returns whether the reader may read the content of the space.
    pub fn opens_content(self) -> bool {
        self >= Self::AsVisitor
    }
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
            (member, [true, true, false, false]),
        ] {
            for (visibility, expected) in [Public, Unlisted, ShareLink, VisitorAuth].into_iter().zip(expected)
            {
                assert_eq!(visitor.may_read_pages(visibility, true), expected, "{visitor:?} {visibility:?}");
                assert!(!visitor.may_read_pages(visibility, false), "{visitor:?} {visibility:?}");
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
    fn a_membership_opens_no_space_of_a_site() {
        use SiteSpaceView::{AsUser, AsVisitor, Hidden, Structure};
        let reader = |membership| move |is_audience| SiteReader::new(membership, is_audience);
        let member = reader(Membership::Member(Role::Read));
        let manager = reader(Membership::Member(Role::Create));
        let guest = reader(Membership::Guest);
        #[rustfmt::skip]
        let table = [
            // reader         no role, meets, no role, fails, role, fails
            (member(false),  [Hidden,         Hidden,         AsUser]),
            (member(true),   [AsVisitor,      Hidden,         AsUser]),
            (manager(false), [Structure,      Structure,      AsUser]),
            (manager(true),  [AsVisitor,      Structure,      AsUser]),
            (guest(false),   [Hidden,         Hidden,         AsUser]),
            (guest(true),    [AsVisitor,      Hidden,         AsUser]),
        ];
        for (reader, expected) in table {
            let seen =
                [reader.sees(None, true), reader.sees(None, false), reader.sees(Some(Role::Read), false)];
            assert_eq!(seen, expected, "{reader:?}");
        }
        assert!(AsVisitor.opens_content() && !Structure.opens_content());
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
