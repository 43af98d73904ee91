//! Organizations.

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Jsonb, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::{Action, Membership};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::actor::{ActorColumns, actor_columns, valid_token};
use super::{Found, Guarded, role_from_rank};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, moment};

/// An organization as it is stored, with what depends on who looks at it.
#[derive(Clone, Debug, PartialEq)]
pub struct OrganizationRecord {
    /// Its id.
    pub id: OrganizationId,
    /// Its title.
    pub title: String,
    /// The name under which its public content is served.
    pub hostname: Option<String>,
    /// `business` or `community`.
    pub kind: String,
    /// What it uses Quire for.
    pub use_case: Option<String>,
    /// What kind of community it is.
    pub community_type: Option<String>,
    /// E-mail domains whose people may find it.
    pub email_domains: Vec<String>,
    /// The role that new members get; `None`: guest.
    pub default_role: Option<Role>,
    /// What visitors of its hostname see.
    pub default_content: Option<Value>,
    /// Whether single sign-on is enforced.
    pub sso: bool,
    /// Whether AI features may be used.
    pub ai: bool,
    /// Whether invite links work.
    pub invite_links: bool,
    /// Its plan.
    pub plan: String,
    /// Its billing, as the deployment's admin stored it.
    pub billing: Option<Value>,
    /// The move to another system of billing that it has before it, as the deployment's admin stored it.
    pub billing_migration: Option<Value>,
    /// Its trial, as the deployment's admin stored it.
    pub trial: Value,
    /// The address of its logo.
    pub logo: Option<String>,
    /// A hostname of its own.
    pub custom_hostname: Option<String>,
    /// Why it is blocked, when it is.
    pub blocked_reason: Option<String>,
    /// The text search configuration of its content.
    pub search_language: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// Whether the actor is one of its members; others see it only where people look for their organization.
    pub is_member: bool,
    /// The actor's role in it; `None` for a guest.
    pub member_role: Option<Role>,
    /// Whether the actor owns one of its teams.
    pub owns_team: bool,
}

impl OrganizationRecord {
    /// The actor's membership. A lookup that finds it for a disabled member takes the member for an outsider.
    #[must_use]
    pub fn membership(&self) -> Membership {
        if self.is_member { Membership::active(self.member_role) } else { Membership::Outsider }
    }

    /// Whether it is blocked: then it and all that is in it can only be read.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.blocked_reason.is_some()
    }
}

impl Guarded for OrganizationRecord {
    const VIEW: Action = Action::ViewOrganization;

    /// Only members find an organization; what they may do, guests among them, follows from their membership.
    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }
}

/// Whether the organization with this id is blocked.
macro_rules! organization_is_blocked {
    ($id:literal) => {
        concat!(
            "(SELECT bo.blocked_reason IS NOT NULL FROM organizations bo WHERE bo.id = ",
            $id,
            ") AS organization_is_blocked"
        )
    };
}
pub(crate) use organization_is_blocked;

/// The columns of an organization `o`, seen by the token `t` whose membership is `m`.
macro_rules! organization_columns {
    () => {
        "o.id AS organization_id, o.title, o.hostname, o.type AS kind, o.use_case, o.community_type, o.email_domains, \
         o.default_role, o.default_content, o.sso, o.ai, o.invite_links, o.plan, o.billing, o.billing_migration, o.trial, o.logo, \
         o.custom_hostname, o.blocked_reason, o.search_language, o.created_at, m.user_id IS NOT NULL AS is_member, m.role AS member_role, \
         EXISTS (SELECT 1 FROM team_members tm WHERE tm.organization_id = o.id AND tm.user_id = t.user_id AND tm.role = 'owner') \
         AS owns_team"
    };
}
pub(crate) use organization_columns;

#[derive(QueryableByName)]
pub(crate) struct OrganizationColumns {
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Nullable<Text>)]
    hostname: Option<String>,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Nullable<Text>)]
    use_case: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    community_type: Option<String>,
    #[diesel(sql_type = Array<Text>)]
    email_domains: Vec<String>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    default_role: Option<i16>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    default_content: Option<Value>,
    #[diesel(sql_type = Bool)]
    sso: bool,
    #[diesel(sql_type = Bool)]
    ai: bool,
    #[diesel(sql_type = Bool)]
    invite_links: bool,
    #[diesel(sql_type = Text)]
    plan: String,
    #[diesel(sql_type = Nullable<Jsonb>)]
    billing: Option<Value>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    billing_migration: Option<Value>,
    #[diesel(sql_type = Jsonb)]
    trial: Value,
    #[diesel(sql_type = Nullable<Text>)]
    logo: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    custom_hostname: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    blocked_reason: Option<String>,
    #[diesel(sql_type = Text)]
    search_language: String,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Bool)]
    is_member: bool,
    #[diesel(sql_type = Nullable<SmallInt>)]
    member_role: Option<i16>,
    #[diesel(sql_type = Bool)]
    owns_team: bool,
}

impl TryFrom<OrganizationColumns> for OrganizationRecord {
    type Error = Error;

    fn try_from(row: OrganizationColumns) -> Result<Self> {
        Ok(Self {
            id: OrganizationId::from_uuid(row.organization_id),
            title: row.title,
            hostname: row.hostname,
            kind: row.kind,
            use_case: row.use_case,
            community_type: row.community_type,
            email_domains: row.email_domains,
            default_role: role_from_rank(row.default_role)?,
            default_content: row.default_content,
            sso: row.sso,
            ai: row.ai,
            invite_links: row.invite_links,
            plan: row.plan,
            billing: row.billing,
            billing_migration: row.billing_migration,
            trial: row.trial,
            logo: row.logo,
            custom_hostname: row.custom_hostname,
            blocked_reason: row.blocked_reason,
            search_language: row.search_language,
            created_at: moment(row.created_at)?,
            is_member: row.is_member,
            member_role: role_from_rank(row.member_role)?,
            owns_team: row.owns_team,
        })
    }
}

statements! {
    FindOrganization = concat!(
        "SELECT ", actor_columns!(), ", ", organization_columns!(),
        " FROM api_tokens t \
          JOIN organizations o ON t.organizations IS NULL OR o.id = ANY (t.organizations) \
          JOIN organization_members m ON m.organization_id = o.id AND m.user_id = t.user_id AND NOT m.disabled \
          WHERE ", valid_token!(), " AND o.id = $3"
    );
}

impl Reader<'_> {
    /// The organization with this id, for its members: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] when there is none or the actor isn't one of its members.
    pub fn organization(&mut self, id: OrganizationId) -> Result<Found<OrganizationRecord>> {
        let row: Option<(ActorColumns, OrganizationColumns)> =
            FindOrganization::bind((self.token_bind(), self.now_bind(), val::<SqlUuid, _>(*id.as_uuid())))
                .get_result(self.connection)
                .optional()?;
        let Some((actor, organization)) = row else { return self.not_found() };
        let value = OrganizationRecord::try_from(organization)?;
        self.reach(value.id, None);
        Ok(Found { actor: self.seen(actor)?, role: value.member_role, blocked: value.is_blocked(), value })
    }
}
