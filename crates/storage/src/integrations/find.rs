//! Integrations found by name, and listed.

use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel::sql_types::{Array, BigInt, Bool, Integer, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::bounded::Bounded;
use quire_domain::ids::{IntegrationId, OrganizationId};
use quire_domain::integrations::{
    ContentSecurityPolicy, ExternalLink, IntegrationBlock, IntegrationCategory, IntegrationConfigurations,
    IntegrationContentSource, IntegrationQuery, IntegrationScope, IntegrationTarget, IntegrationVisibility,
};
use quire_domain::policy::{Action, Membership};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    ActorColumns, Authorized, Found, Guarded, OrganizationColumns, OrganizationRecord, actor_columns,
    organization_columns, valid_token,
};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, stored};

/// An integration as it is stored, but for its script and secrets.
#[derive(Clone, Debug, PartialEq)]
pub struct IntegrationRecord {
    /// Its id.
    pub id: IntegrationId,
    /// Its name.
    pub name: String,
    /// How often it was published.
    pub version: i32,
    /// What people call it.
    pub title: String,
    /// One line about it.
    pub description: String,
    /// More about it.
    pub summary: Option<String>,
    /// What it can be installed on.
    pub target: IntegrationTarget,
    /// Who finds it.
    pub visibility: IntegrationVisibility,
    /// Whether the operators vouch for it.
    pub verified: bool,
    /// What it may do where it is installed.
    pub scopes: Vec<IntegrationScope>,
    /// What it is for.
    pub categories: Vec<IntegrationCategory>,
    /// The blocks that it adds.
    pub blocks: Option<Vec<IntegrationBlock>>,
    /// The sources of content that it adds.
    pub content_sources: Option<Vec<IntegrationContentSource>>,
    /// What can be configured.
    pub configurations: Option<IntegrationConfigurations>,
    /// Where there is more about it.
    pub external_links: Vec<ExternalLink>,
    /// What it may load.
    pub content_security_policy: Option<ContentSecurityPolicy>,
    /// The hash of its icon.
    pub icon: Option<String>,
    /// The hashes of its previews.
    pub previews: Vec<String>,
}

/// An integration with its owner.
#[derive(Clone, Debug, PartialEq)]
pub struct IntegrationAt {
    /// The organization that published it.
    pub owner: OrganizationRecord,
    /// What the actor is to the owner.
    pub membership: Membership,
    /// The integration.
    pub item: IntegrationRecord,
}

impl IntegrationAt {
    /// Whether it may be installed on this organization: a private one on its owner alone.
    #[must_use]
    pub fn may_be_installed_on(&self, organization: OrganizationId) -> bool {
        self.item.visibility.may_be_installed(self.owner.id == organization)
    }
}

/// A lookup finds only what its actor may see; the rest follows from the membership in the owner.
impl Guarded for IntegrationAt {
    const VIEW: Action = Action::ViewOrganization;

    fn allows(&self, _: Option<Role>, action: Action) -> bool {
        action == Self::VIEW || self.membership.allows(action)
    }
}

/// The columns of an integration `i`, seen by the token `t`, whose membership in the owner `o` is `m`.
macro_rules! integration_columns {
    () => {
        "i.id AS integration_id, i.name AS integration_name, i.version, i.title AS integration_title, i.description, i.summary, \
         i.target, i.visibility, i.verified, i.scopes, i.categories, i.blocks, i.content_sources, i.configurations, \
         i.external_links, i.content_security_policy, \
         (SELECT g.hash FROM integration_images g WHERE g.integration_id = i.id AND g.place = 0) AS icon, \
         array(SELECT g.hash FROM integration_images g WHERE g.integration_id = i.id AND g.place > 0 ORDER BY g.place) AS previews"
    };
}

/// A token, the integrations, their owners, and what the token's user is to them.
macro_rules! token_and_integrations {
    () => {
        " FROM api_tokens t CROSS JOIN integrations i JOIN organizations o ON o.id = i.organization_id \
          LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = t.user_id AND NOT m.disabled \
          AND (t.organizations IS NULL OR o.id = ANY (t.organizations)) "
    };
}

macro_rules! listed {
    () => {
        concat!(
            token_and_integrations!(),
            "WHERE ",
            valid_token!(),
            " AND (i.visibility = 'public' OR o.id = $9) \
              AND ($3 IS NULL OR position(lower($3) IN lower(i.name)) > 0 OR position(lower($3) IN lower(i.title)) > 0) \
              AND ($4 IS NULL OR $4 = ANY (i.categories)) \
              AND ($5 IS NULL OR EXISTS (SELECT 1 FROM unnest(i.block_domains) d \
                   WHERE d = lower($5) OR (d LIKE '*.%' AND right(lower($5), length(d) - 1) = substr(d, 2)))) \
              AND ($6 IS NULL OR $6 = (jsonb_array_length(coalesce(i.blocks, '[]')) > 0)) \
              AND ($7 IS NULL OR $7 = (jsonb_array_length(coalesce(i.content_sources, '[]')) > 0)) \
              AND ($8 IS NULL OR o.id = $8)"
        )
    };
}

statements! {
    FindIntegration = concat!(
        "SELECT ", actor_columns!(), ", ", organization_columns!(), ", ", integration_columns!(), token_and_integrations!(),
        "WHERE ", valid_token!(), " AND i.name = $3 AND (i.visibility <> 'private' OR m.user_id IS NOT NULL)"
    );
    ListIntegrations = concat!(
        "SELECT ", organization_columns!(), ", ", integration_columns!(), listed!(),
        " AND ($10 IS NULL OR i.id < $10) ORDER BY i.id DESC LIMIT $11"
    );
    CountIntegrations = concat!("SELECT count(*) AS total", listed!());
}

#[derive(QueryableByName)]
struct IntegrationColumns {
    #[diesel(sql_type = SqlUuid)]
    integration_id: Uuid,
    #[diesel(sql_type = Text)]
    integration_name: String,
    #[diesel(sql_type = Integer)]
    version: i32,
    #[diesel(sql_type = Text)]
    integration_title: String,
    #[diesel(sql_type = Text)]
    description: String,
    #[diesel(sql_type = Nullable<Text>)]
    summary: Option<String>,
    #[diesel(sql_type = Text)]
    target: String,
    #[diesel(sql_type = Text)]
    visibility: String,
    #[diesel(sql_type = Bool)]
    verified: bool,
    #[diesel(sql_type = Array<Text>)]
    scopes: Vec<String>,
    #[diesel(sql_type = Array<Text>)]
    categories: Vec<String>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    blocks: Option<Value>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    content_sources: Option<Value>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    configurations: Option<Value>,
    #[diesel(sql_type = Jsonb)]
    external_links: Value,
    #[diesel(sql_type = Nullable<Jsonb>)]
    content_security_policy: Option<Value>,
    #[diesel(sql_type = Nullable<Text>)]
    icon: Option<String>,
    #[diesel(sql_type = Array<Text>)]
    previews: Vec<String>,
}

/// Stored JSON as what it was stored from.
pub(super) fn from_json<T: DeserializeOwned>(value: Value) -> Result<T> {
    serde_json::from_value(value).map_err(|error| Error::corrupt("stored JSON is damaged", error))
}

fn integration_at(owner: OrganizationColumns, row: IntegrationColumns) -> Result<IntegrationAt> {
    let owner = OrganizationRecord::try_from(owner)?;
    let membership = owner.membership();
    let item = IntegrationRecord {
        id: IntegrationId::from_uuid(row.integration_id),
        name: row.integration_name,
        version: row.version,
        title: row.integration_title,
        description: row.description,
        summary: row.summary,
        target: stored(&row.target)?,
        visibility: stored(&row.visibility)?,
        verified: row.verified,
        scopes: row.scopes.iter().map(|scope| stored(scope)).collect::<Result<_>>()?,
        categories: row.categories.iter().map(|category| stored(category)).collect::<Result<_>>()?,
        blocks: row.blocks.map(from_json).transpose()?,
        content_sources: row.content_sources.map(from_json).transpose()?,
        configurations: row.configurations.map(from_json).transpose()?,
        external_links: from_json(row.external_links)?,
        content_security_policy: row.content_security_policy.map(from_json).transpose()?,
        icon: row.icon,
        previews: row.previews,
    };
    Ok(IntegrationAt { owner, membership, item })
}

impl Reader<'_> {
    /// The integration with this name, if the actor may see it: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn integration(&mut self, name: &str) -> Result<Found<IntegrationAt>> {
        let row: Option<(ActorColumns, OrganizationColumns, IntegrationColumns)> = FindIntegration::bind((
            self.token_bind(),
            self.now_bind(),
            // PostgreSQL takes no NUL; no integration has either in its name.
            val::<Text, _>(name.replace('\0', " ")),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((actor, owner, row)) = row else { return self.not_found() };
        let value = integration_at(owner, row)?;
        Ok(Found {
            actor: self.seen(actor)?,
            role: value.membership.role(),
            blocked: value.owner.is_blocked(),
            value,
        })
    }

    /// The public integrations that match, newest first, with all that an organization published where it is the organization's list.
    /// Three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn integrations(
        &mut self,
        organization: Option<&Authorized<OrganizationRecord>>,
        filter: &IntegrationQuery,
        after: Option<IntegrationId>,
        limit: u16,
    ) -> Result<Slice<IntegrationAt>> {
        self.actor()?;
        let IntegrationQuery { search, category, block_domain, blocks, content_sources, owner } = filter;
        let search = search.as_ref().map(Bounded::as_text).transpose()?;
        let block_domain = block_domain.as_ref().map(Bounded::as_text).transpose()?;
        let filter = || {
            (
                self.token_bind(),
                self.now_bind(),
                val::<Nullable<Text>, _>(search),
                val::<Nullable<Text>, _>(category.map(|category| category.as_str())),
                val::<Nullable<Text>, _>(block_domain),
                val::<Nullable<Bool>, _>(*blocks),
                val::<Nullable<Bool>, _>(*content_sources),
                val::<Nullable<SqlUuid>, _>(owner.map(|owner| *owner.as_uuid())),
                val::<Nullable<SqlUuid>, _>(organization.map(|organization| *organization.id.as_uuid())),
            )
        };
        let (token, now, search, category, domain, blocks, sources, owner, publisher) = filter();
        let count = CountIntegrations::bind(filter());
        let list = ListIntegrations::bind((
            token,
            now,
            search,
            category,
            domain,
            blocks,
            sources,
            owner,
            publisher,
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ));
        let rows: Vec<(OrganizationColumns, IntegrationColumns)> = list.load(self.connection)?;
        let count: CountRow = count.get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|(owner, row)| integration_at(owner, row))
    }
}

/// Maps a missing referenced row to [`Error::NotFound`]: the target may be deleted before the installation is written.
pub(super) fn gone(error: DieselError) -> Error {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _) => Error::NotFound,
        error => error.into(),
    }
}
