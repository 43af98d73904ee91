//! Lookups of sites.

use std::collections::HashSet;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Nullable, SmallInt, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, SiteId, SiteSpaceId, UserId};
use quire_domain::policy::{Action, Membership, SiteReader, Visitor};
use quire_domain::sites::customization::CustomizationFavicon;
use quire_domain::sites::{self, SiteType, SiteVisibility};
use serde::Deserialize as _;
use serde_json::Value;

use crate::content::git_installations::ShownGitSync;
use crate::diesel_types::Json;
use crate::lookup::{
    ActorRow, Authorized, Found, Guarded, OfOrganization, joined_membership, role_from_rank,
};
use crate::operations::keys::KeyOwner;
use crate::sites::key_hash;
use crate::sites::published::SiteVisitor;
use crate::transaction::Reader;
use crate::views::{Access, site_access};
use crate::{Error, Result};

/// Stored site.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = site_access, check_for_backend(Pg))]
pub struct SiteRecord {
    /// Id.
    pub id: SiteId,
    /// Owning organization.
    #[diesel(column_name = organization_id)]
    pub organization: OrganizationId,
    /// Plan of the site.
    #[diesel(column_name = type_)]
    pub kind: SiteType,
    /// Title.
    pub title: String,
    /// Audience of the published site.
    pub visibility: SiteVisibility,
    /// `true` if the site is published.
    pub published: bool,
    /// Custom host name.
    pub hostname: Option<String>,
    /// Name set for the default address.
    pub basename: Option<String>,
    /// Host and path of a proxy in front of the site.
    pub proxy_origin: Option<String>,
    /// `true` to evaluate visitors' claims; `None` until it is set.
    pub adaptive_content: Option<bool>,
    /// Stored settings; `None` for the default settings.
    pub customization: Option<Value>,
    /// Number of its spaces that the reader may see.
    pub site_spaces: i64,
    /// Time of its creation.
    pub created_at: Timestamp,
    /// Host name that replaces `hostname` once it is proven.
    pub pending_hostname: Option<String>,
    /// Host and path that replace `proxy_origin` once the host name is proven.
    pub pending_proxy_origin: Option<String>,
    /// Name of the site in its default address.
    pub name: String,
    /// Name of the organization in the default address.
    pub organization_name: String,
    /// Connection to a Git repository.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub git_sync: Option<Box<ShownGitSync>>,
}

impl SiteRecord {
    /// Returns the address of the published site: a URL, or a path below the URL of the deployment.
    #[must_use]
    pub fn address(&self) -> String {
        sites::site_address(
            &self.organization_name,
            &self.name,
            self.hostname.as_deref(),
            self.proxy_origin.as_deref(),
        )
    }

    /// Returns the path of the site below the URL of the deployment.
    #[must_use]
    pub fn default_address(&self) -> String {
        sites::default_address(&self.organization_name, &self.name)
    }

    /// Returns the host of the proxy, or the custom host name; `None` for a site with an address of the deployment.
    #[must_use]
    pub fn own_host(&self) -> Option<&str> {
        self.proxy_origin.as_deref().map(sites::host_of).or(self.hostname.as_deref())
    }

    /// Returns the host names of the site's addresses without duplicates, with `true` for proven ones.
    #[must_use]
    pub fn hostnames(&self) -> Vec<(&str, bool)> {
        let live = [self.hostname.as_deref(), self.proxy_origin.as_deref().map(sites::host_of)];
        let pending =
            [self.pending_hostname.as_deref(), self.pending_proxy_origin.as_deref().map(sites::host_of)];
        let live = live.into_iter().flatten().map(|host| (host, true));
        let pending = pending.into_iter().flatten().map(|host| (host, false));
        let mut hostnames: Vec<(&str, bool)> = Vec::new();
        for (host, is_verified) in live.chain(pending) {
            if !hostnames.iter().any(|(known, _)| *known == host) {
                hostnames.push((host, is_verified));
            }
        }
        hostnames
    }

    /// Returns the favicon in the stored settings; `None` if it has none.
    #[must_use]
    pub fn icon(&self) -> Option<CustomizationFavicon> {
        let favicon = self.customization.as_ref()?.get("favicon")?;
        let favicon = CustomizationFavicon::deserialize(favicon).ok()?;
        (favicon != CustomizationFavicon::default()).then_some(favicon)
    }
}

impl OfOrganization for SiteRecord {
    fn organization(&self) -> OrganizationId {
        self.organization
    }
}

impl Guarded for SiteRecord {
    const VIEW: Action = Action::ViewOrganization;

    /// Members may view the sites of their organization. A guest gets 403, and an outsider 404.
    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }
}

/// Site that the visitor may see, possibly without being a member.
#[derive(Clone, Debug)]
pub struct VisitedSite {
    site: SiteRecord,
    /// Role of a member in the organization; `None` for other visitors.
    role: Option<Role>,
    reader: SiteReader,
    /// `true` if the visitor sees a preview, which lists the site spaces that it shows.
    is_preview: bool,
}

impl VisitedSite {
    /// Returns the site.
    #[must_use]
    pub fn site(&self) -> &SiteRecord {
        &self.site
    }

    /// Returns whether the visitor is a member with a role. Such members see the site before it is published.
    #[must_use]
    pub fn is_member(&self) -> bool {
        self.role.is_some()
    }

    /// Returns the relation of the visitor to the site.
    #[must_use]
    pub fn reader(&self) -> SiteReader {
        self.reader
    }

    /// Returns the role of a member in the organization; `None` for other visitors.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        self.role
    }
}

/// Site whose parts the holder may read, as a member or as a visitor.
#[derive(Clone, Copy, Debug)]
pub struct ReadableSite<'a> {
    site: &'a SiteRecord,
    has_all_spaces: bool,
}

impl ReadableSite<'_> {
    /// Returns whether its spaces are read regardless of roles: for managers of the site, and for visitors of a
    /// published site, whose part [`SiteReader::sees`] selects.
    pub(crate) fn has_all_spaces(&self) -> bool {
        self.has_all_spaces
    }
}

impl std::ops::Deref for ReadableSite<'_> {
    type Target = SiteRecord;

    fn deref(&self) -> &SiteRecord {
        self.site
    }
}

impl<'a> From<&'a Authorized<SiteRecord>> for ReadableSite<'a> {
    fn from(site: &'a Authorized<SiteRecord>) -> Self {
        let manages = Membership::active(site.role()).allows(Action::ManageSites);
        Self { site, has_all_spaces: site.published || manages }
    }
}

impl<'a> From<&'a VisitedSite> for ReadableSite<'a> {
    fn from(visited: &'a VisitedSite) -> Self {
        let site = &visited.site;
        Self { site, has_all_spaces: site.published || visited.reader.manages || visited.is_preview }
    }
}

/// Credentials of a visitor of a site.
#[derive(Queryable)]
pub(super) struct Visit {
    /// `true` for a valid token.
    has_token: bool,
    member_role: Option<i16>,
    member_disabled: Option<bool>,
    /// `true` for the key of a share link.
    pub(super) has_key: bool,
    pub(super) wrapped_visitor_key: Option<Vec<u8>>,
}

/// SQL types of a [`Visit`].
pub(super) type VisitTypes = (Bool, Nullable<SmallInt>, Nullable<Bool>, Bool, Nullable<Binary>);

sql_files! {
    VisitSite(Binary, Timestamptz, SqlUuid, SqlUuid, Nullable<Binary>)
        -> (VisitTypes, dsl::SqlTypeOf<dsl::AsSelect<SiteRecord, Pg>>) = "visit.sql";
}

impl Visit {
    /// Returns the visitor, for whom the organization has `vouched`.
    pub(super) fn visitor(&self, vouched: bool) -> Result<Visitor> {
        Ok(Visitor {
            membership: joined_membership(self.member_role, self.member_disabled)?,
            has_token: self.has_token,
            has_key: self.has_key,
            is_vouched: vouched,
        })
    }
}

impl Reader<'_> {
    /// Returns the site with this id to members of its organization. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist or the actor is not a member.
    pub fn site(&mut self, organization: OrganizationId, id: SiteId) -> Result<Found<SiteRecord>> {
        let row: Option<(ActorRow, Option<i16>, bool, SiteRecord)> = site_access::table
            .filter(self.token_is_valid::<site_access::table>())
            .filter(site_access::organization_id.eq(organization))
            .filter(site_access::id.eq(id))
            .select((
                site_access::table::actor(),
                site_access::member_role,
                site_access::organization_is_blocked,
                SiteRecord::as_select(),
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, role, blocked, value)) = row else { return self.not_found() };
        self.record_tenant(organization, None);
        Ok(Found { actor: self.record_actor(actor)?, role: role_from_rank(role)?, blocked, value })
    }

    /// Returns a site to its visitors. Members with a role see it at any time. Once it is published, it is visible to
    /// holders of a share link key if it is shared by links, and otherwise to holders of a valid token, and to visitors
    /// for whom the organization has `vouched`.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] for an invalid token, otherwise [`Error::NotFound`].
    pub fn visit_site(
        &mut self,
        organization: OrganizationId,
        id: SiteId,
        share_key: Option<&str>,
        vouched: bool,
    ) -> Result<VisitedSite> {
        let asks_for_token = share_key.is_none() && !vouched;
        let row = self.visit_row(organization, id, share_key.map(key_hash))?;
        let Some((visit, site)) = row else { return self.no_visit(asks_for_token) };
        let visitor = visit.visitor(vouched)?;
        let membership = visitor.membership;
        if visitor.may_visit(site.visibility, site.published) {
            let role = match membership {
                Membership::Member(role) => Some(role),
                _ => None,
            };
            let reader = SiteReader::new(membership, visitor.is_audience(site.visibility, site.published));
            return Ok(VisitedSite { site, role, reader, is_preview: false });
        }
        self.no_visit(asks_for_token)
    }

    /// Returns a site to a visitor without an API token. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist or the visitor may not read it; [`Error::Unauthenticated`] if the key
    /// that signed the visitor's token was replaced.
    pub fn visit_site_as(&mut self, visitor: &SiteVisitor) -> Result<VisitedSite> {
        let share_key = visitor.share_key.map(|key| key.as_bytes().to_vec());
        let row = self.visit_row(visitor.organization, visitor.site, share_key)?;
        let (Visit { has_key, wrapped_visitor_key, .. }, site) = row.ok_or(Error::NotFound)?;
        let owner = KeyOwner::VisitorKey(site.organization);
        let key = wrapped_visitor_key.filter(|_| visitor.vouched_by.is_some());
        let key = key.map(|key| self.unwrap_key(owner, &key)).transpose()?;
        let is_vouched = visitor.is_vouched(key.as_ref())?;
        let visitor = Visitor { membership: Membership::Outsider, has_token: false, has_key, is_vouched };
        if !visitor.may_read_pages(site.visibility, site.published) {
            return Err(Error::NotFound);
        }
        Ok(VisitedSite { site, role: None, reader: SiteReader::VISITOR, is_preview: false })
    }

    /// Returns the site of a preview to its holder, with the site spaces that the preview shows. Takes one statement.
    ///
    /// # Errors
    /// See [`Reader::previewed_site`].
    pub fn visit_site_in_preview(
        &mut self,
        visitor: &SiteVisitor,
        user: UserId,
    ) -> Result<(VisitedSite, HashSet<SiteSpaceId>)> {
        let found = self.previewed_site(visitor, user)?;
        let shown = found.spaces.iter().map(|space| space.id).collect();
        Ok((
            VisitedSite {
                site: found.site.clone(),
                role: None,
                reader: SiteReader::VISITOR,
                is_preview: true,
            },
            shown,
        ))
    }

    fn visit_row(
        &mut self,
        organization: OrganizationId,
        id: SiteId,
        share_key: Option<Vec<u8>>,
    ) -> Result<Option<(Visit, SiteRecord)>> {
        let row =
            VisitSite::bind((self.credentials.token_hash.as_slice(), self.now, organization, id, share_key));
        Ok(row.get_result(self.connection).optional()?)
    }

    /// Returns the error of a refused visit. Only visitors who need a token get 401: those without a share key, for
    /// whom the organization does not vouch.
    fn no_visit<T>(&mut self, asks_for_token: bool) -> Result<T> {
        if !asks_for_token && self.credentials.is_anonymous() {
            Err(Error::NotFound)
        } else {
            self.not_found()
        }
    }
}
