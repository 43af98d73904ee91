//! Sites.

use diesel::prelude::*;
use diesel::sql_types::{
    BigInt, Binary, Bool, Jsonb, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid,
};
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::policy::{Action, Membership, Visitor};
use quire_domain::sites::customization::CustomizationFavicon;
use quire_domain::sites::{self, SiteType, SiteVisibility};
use serde::Deserialize as _;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::actor::{ActorColumns, actor_columns, valid_token};
use super::organizations::organization_is_blocked;
use super::{Authorized, Found, Guarded, joined_membership, role_from_rank};
use crate::sites::key_hash;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, moment, stored};

/// A site as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteRecord {
    /// Its id.
    pub id: SiteId,
    /// The owning organization.
    pub organization: OrganizationId,
    /// What it can do.
    pub kind: SiteType,
    /// Its title.
    pub title: String,
    /// Who can see it once it is published.
    pub visibility: SiteVisibility,
    /// Whether it is published.
    pub published: bool,
    /// A host name of its own.
    pub hostname: Option<String>,
    /// Its name in the default address.
    pub basename: Option<String>,
    /// The host and path that it is shown below.
    pub proxy_origin: Option<String>,
    /// Whether visitors' claims count; `None` until somebody said so.
    pub adaptive_content: Option<bool>,
    /// The stored settings; `None` while they are the defaults.
    pub customization: Option<Value>,
    /// The favicon of the stored settings; `None` without one.
    pub icon: Option<CustomizationFavicon>,
    /// The number of spaces on it that its reader may see.
    pub site_spaces: i64,
    /// When it was made.
    pub created_at: Timestamp,
}

impl SiteRecord {
    /// Where it is shown once it is published: a URL, or a path below the deployment's own.
    #[must_use]
    pub fn address(&self) -> String {
        sites::site_address(
            self.organization,
            self.id,
            self.basename.as_deref(),
            self.hostname.as_deref(),
            self.proxy_origin.as_deref(),
        )
    }
}

impl Guarded for SiteRecord {
    const VIEW: Action = Action::ViewOrganization;

    /// Members find the sites of their organization, and guests that there are some: a guest is told 403, and an outsider 404.
    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }
}

/// Condition for the site spaces `p` of spaces `s` on a site `w` that the reader may see: none of deleted spaces, and
/// before the site is published only those of spaces that the reader has a role on. `$1` and `$2` are the token.
macro_rules! seen_on_site {
    () => {
        concat!(
            "site_spaces p \
             JOIN spaces s ON s.organization_id = p.organization_id AND s.id = p.space_id AND s.deleted_at IS NULL \
             LEFT JOIN api_tokens t ON ", $crate::lookup::valid_token!(), " \
               AND (t.organizations IS NULL OR p.organization_id = ANY (t.organizations)) \
             LEFT JOIN organization_members m ON m.organization_id = p.organization_id AND m.user_id = t.user_id \
             LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id \
             WHERE p.organization_id = w.organization_id AND p.site_id = w.id AND (w.published OR ", $crate::lookup::shows!($crate::lookup::space_role!()), ")"
        )
    };
}
pub(crate) use seen_on_site;

/// The columns of a site `w`. `$1` and `$2` are the token of its reader.
macro_rules! site_columns {
    () => {
        concat!(
            "w.id AS site_id, w.organization_id, w.type AS kind, w.title, w.visibility, w.published, w.hostname, w.basename, \
             w.proxy_origin, w.adaptive_content, w.customization, w.created_at, \
             (SELECT count(*) FROM ", $crate::lookup::seen_on_site!(), ") AS site_spaces"
        )
    };
}
pub(crate) use site_columns;

#[derive(QueryableByName)]
pub(crate) struct SiteColumns {
    #[diesel(sql_type = SqlUuid)]
    site_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Text)]
    visibility: String,
    #[diesel(sql_type = Bool)]
    published: bool,
    #[diesel(sql_type = Nullable<Text>)]
    hostname: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    basename: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    proxy_origin: Option<String>,
    #[diesel(sql_type = Nullable<Bool>)]
    adaptive_content: Option<bool>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    customization: Option<Value>,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = BigInt)]
    site_spaces: i64,
}

impl TryFrom<SiteColumns> for SiteRecord {
    type Error = Error;

    fn try_from(row: SiteColumns) -> Result<Self> {
        Ok(Self {
            icon: row.customization.as_ref().map(icon).transpose()?.flatten(),
            id: SiteId::from_uuid(row.site_id),
            organization: OrganizationId::from_uuid(row.organization_id),
            kind: stored(&row.kind)?,
            title: row.title,
            visibility: stored(&row.visibility)?,
            published: row.published,
            hostname: row.hostname,
            basename: row.basename,
            proxy_origin: row.proxy_origin,
            adaptive_content: row.adaptive_content,
            customization: row.customization,
            site_spaces: row.site_spaces,
            created_at: moment(row.created_at)?,
        })
    }
}

/// The favicon of stored settings.
fn icon(customization: &Value) -> Result<Option<CustomizationFavicon>> {
    let favicon = customization.get("favicon").map(CustomizationFavicon::deserialize).transpose();
    let favicon = favicon.map_err(|error| Error::corrupt("a favicon is damaged", error))?;
    Ok(favicon.filter(|favicon| *favicon != CustomizationFavicon::default()))
}

/// The rank of the member's role in the organization, and whether that is blocked.
#[derive(QueryableByName)]
struct MemberColumns {
    #[diesel(sql_type = Nullable<SmallInt>)]
    member_role: Option<i16>,
    #[diesel(sql_type = Bool)]
    organization_is_blocked: bool,
}

/// What a visitor's token, if there is one, says.
#[derive(QueryableByName)]
struct VisitorRow {
    #[diesel(sql_type = Bool)]
    has_token: bool,
    #[diesel(sql_type = Nullable<SmallInt>)]
    member_role: Option<i16>,
    #[diesel(sql_type = Nullable<Bool>)]
    member_disabled: Option<bool>,
    #[diesel(sql_type = Bool)]
    has_key: bool,
}

impl VisitorRow {
    /// The credentials of the visitor.
    fn shown(&self, is_vouched: bool) -> Result<Visitor> {
        let membership = joined_membership(self.member_role, self.member_disabled)?;
        Ok(Visitor { membership, has_token: self.has_token, has_key: self.has_key, is_vouched })
    }
}

/// A site that somebody may see who needn't be a member, and why.
#[derive(Clone, Debug)]
pub struct VisitedSite {
    site: SiteRecord,
    is_member: bool,
}

impl VisitedSite {
    /// The site.
    #[must_use]
    pub fn site(&self) -> &SiteRecord {
        &self.site
    }

    /// Whether the visitor is a member with a role, who sees the site before it is published, and all that stands on it.
    #[must_use]
    pub fn is_member(&self) -> bool {
        self.is_member
    }
}

/// A site whose parts its holder may read: as a member, or as a visitor.
#[derive(Clone, Copy, Debug)]
pub struct ReadableSite<'a>(&'a SiteRecord);

impl std::ops::Deref for ReadableSite<'_> {
    type Target = SiteRecord;

    fn deref(&self) -> &SiteRecord {
        self.0
    }
}

impl<'a> From<&'a Authorized<SiteRecord>> for ReadableSite<'a> {
    fn from(site: &'a Authorized<SiteRecord>) -> Self {
        Self(site)
    }
}

impl<'a> From<&'a VisitedSite> for ReadableSite<'a> {
    fn from(visited: &'a VisitedSite) -> Self {
        Self(&visited.site)
    }
}

statements! {
    FindSite = concat!(
        "SELECT ", actor_columns!(), ", m.role AS member_role, ", organization_is_blocked!("w.organization_id"), ", ", site_columns!(),
        " FROM api_tokens t \
          JOIN sites w ON t.organizations IS NULL OR w.organization_id = ANY (t.organizations) \
          JOIN organization_members m ON m.organization_id = w.organization_id AND m.user_id = t.user_id AND NOT m.disabled \
          WHERE ", valid_token!(), " AND w.organization_id = $3 AND w.id = $4"
    );
    VisitSite = concat!(
        "SELECT t.id IS NOT NULL AS has_token, m.role AS member_role, m.disabled AS member_disabled, \
                EXISTS (SELECT 1 FROM site_share_links l WHERE l.organization_id = w.organization_id AND l.site_id = w.id \
                        AND l.active AND l.key_hash = $5) AS has_key, ", site_columns!(),
        " FROM sites w LEFT JOIN api_tokens t ON ", valid_token!(), " \
          AND (t.organizations IS NULL OR w.organization_id = ANY (t.organizations)) \
          LEFT JOIN organization_members m ON m.organization_id = w.organization_id AND m.user_id = t.user_id \
          WHERE w.organization_id = $3 AND w.id = $4"
    );
}

impl Reader<'_> {
    /// The site with this id, for members of its organization: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] when there is none or the actor isn't a member.
    pub fn site(&mut self, organization: OrganizationId, id: SiteId) -> Result<Found<SiteRecord>> {
        let row: Option<(ActorColumns, MemberColumns, SiteColumns)> = FindSite::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((actor, member, site)) = row else { return self.not_found() };
        self.reach(organization, None);
        let role = role_from_rank(member.member_role)?;
        Ok(Found {
            actor: self.seen(actor)?,
            role,
            blocked: member.organization_is_blocked,
            value: site.try_into()?,
        })
    }

    /// A site for whoever may visit it: members with a role at any time; once it is published, anyone with the key of one of its
    /// share links, where it is shared by links, and otherwise anyone with a valid token, or whom the organization has `vouched` for.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] for a token that isn't valid, [`Error::NotFound`] for everybody else.
    pub fn visit_site(
        &mut self,
        organization: OrganizationId,
        id: SiteId,
        share_key: Option<&str>,
        vouched: bool,
    ) -> Result<VisitedSite> {
        let asks_for_token = share_key.is_none() && !vouched;
        let row: Option<(VisitorRow, SiteColumns)> = VisitSite::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Nullable<Binary>, _>(share_key.map(key_hash)),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((visitor, site)) = row else { return self.no_visit(asks_for_token) };
        let site = SiteRecord::try_from(site)?;
        let visitor = visitor.shown(vouched)?;
        if visitor.may_visit(site.visibility, site.published) {
            return Ok(VisitedSite { site, is_member: visitor.is_insider() });
        }
        self.no_visit(asks_for_token)
    }

    /// Who shows something else needn't show a token, and isn't asked for one.
    fn no_visit<T>(&mut self, asks_for_token: bool) -> Result<T> {
        if !asks_for_token && self.credentials.is_nobody() { Err(Error::NotFound) } else { self.not_found() }
    }
}
