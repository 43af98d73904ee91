//! SAML providers of an organization: found, listed, made, changed, deleted.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::bounds::SAML_PROVIDERS_MAX;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{OrganizationId, SamlProviderId, TeamId};
use quire_domain::patch::Patch;
use quire_domain::policy::Action;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, Found, InOrganization, OrganizationRecord, find_in_organization, role_from_rank,
};
use crate::schema::saml_providers;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment};

/// A SAML provider as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamlProviderRecord {
    /// Its id.
    pub id: SamlProviderId,
    /// What people call it.
    pub label: String,
    /// Where people log in.
    pub sso_url: Option<String>,
    /// The name of the identity provider.
    pub entity_id: Option<String>,
    /// The certificate that its answers are signed with.
    pub certificate: Option<String>,
    /// The role of people who come through it; `None` for guests.
    pub default_role: Option<Role>,
    /// The team that they join.
    pub default_team: Option<DefaultTeam>,
    /// When it was made.
    pub created_at: Timestamp,
}

impl SamlProviderRecord {
    /// Whether it says all that a login needs.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.sso_url.is_some() && self.entity_id.is_some() && self.certificate.is_some()
    }
}

/// The team that people join who come through a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultTeam {
    /// Its id.
    pub id: TeamId,
    /// Its title.
    pub title: String,
    /// How many members it has.
    pub members: i64,
    /// How many spaces are granted to it.
    pub spaces: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// Whether the reader owns it.
    pub owned: bool,
}

/// A SAML provider to be made.
#[derive(Clone, Debug)]
pub struct NewSamlProvider {
    /// What people call it.
    pub label: String,
    /// Where people log in.
    pub sso_url: Option<String>,
    /// The name of the identity provider.
    pub entity_id: Option<String>,
    /// The certificate that its answers are signed with.
    pub certificate: Option<String>,
    /// The role of people who come through it.
    pub default_role: Option<Role>,
    /// The team that they join.
    pub default_team: Option<TeamId>,
}

/// What may be changed of a SAML provider; `None` keeps.
#[derive(Clone, Debug, Default)]
pub struct SamlProviderChanges {
    /// What people call it.
    pub label: Option<String>,
    /// Where people log in.
    pub sso_url: Option<String>,
    /// The name of the identity provider.
    pub entity_id: Option<String>,
    /// The certificate that its answers are signed with.
    pub certificate: Option<String>,
    /// The role of people who come through it.
    pub default_role: Patch<Role>,
    /// The team that they join.
    pub default_team: Patch<TeamId>,
}

#[derive(AsChangeset)]
#[diesel(table_name = saml_providers)]
struct ChangesRow {
    label: Option<String>,
    sso_url: Option<String>,
    entity_id: Option<String>,
    certificate: Option<String>,
    #[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
    default_role: Option<Option<i16>>,
}

/// The columns of a provider `p` with its team `d`, seen by this user.
macro_rules! saml_columns {
    ($user:literal) => {
        concat!(
            "p.id AS saml_id, p.label, p.sso_url, p.entity_id, p.certificate, p.default_role AS saml_role, \
             p.created_at AS saml_created_at, d.id AS team_id, d.title AS team_title, d.created_at AS team_created_at, \
             (SELECT count(*) FROM team_members x WHERE x.organization_id = d.organization_id AND x.team_id = d.id) AS team_members, \
             (SELECT count(DISTINCT g.space_id) FROM content_grants g \
               WHERE g.organization_id = d.organization_id AND g.team_id = d.id) AS team_spaces, \
             EXISTS (SELECT 1 FROM team_members x WHERE x.organization_id = d.organization_id AND x.team_id = d.id \
               AND x.user_id = ", $user, " AND x.role = 'owner') AS team_owned"
        )
    };
}

macro_rules! default_team {
    () => {
        " LEFT JOIN saml_provider_teams l ON l.organization_id = p.organization_id AND l.saml_provider_id = p.id \
          LEFT JOIN teams d ON d.organization_id = l.organization_id AND d.id = l.team_id "
    };
}

#[derive(QueryableByName)]
struct SamlColumns {
    #[diesel(sql_type = SqlUuid)]
    saml_id: Uuid,
    #[diesel(sql_type = Text)]
    label: String,
    #[diesel(sql_type = Nullable<Text>)]
    sso_url: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    entity_id: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    certificate: Option<String>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    saml_role: Option<i16>,
    #[diesel(sql_type = Timestamptz)]
    saml_created_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    team_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    team_title: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    team_created_at: Option<OffsetDateTime>,
    #[diesel(sql_type = BigInt)]
    team_members: i64,
    #[diesel(sql_type = BigInt)]
    team_spaces: i64,
    #[diesel(sql_type = Bool)]
    team_owned: bool,
}

impl TryFrom<SamlColumns> for SamlProviderRecord {
    type Error = Error;

    fn try_from(row: SamlColumns) -> Result<Self> {
        let default_team = match (row.team_id, row.team_title, row.team_created_at) {
            (Some(id), Some(title), Some(created_at)) => Some(DefaultTeam {
                id: TeamId::from_uuid(id),
                title,
                members: row.team_members,
                spaces: row.team_spaces,
                created_at: moment(created_at)?,
                owned: row.team_owned,
            }),
            _ => None,
        };
        Ok(Self {
            id: SamlProviderId::from_uuid(row.saml_id),
            label: row.label,
            sso_url: row.sso_url,
            entity_id: row.entity_id,
            certificate: row.certificate,
            default_role: role_from_rank(row.saml_role)?,
            default_team,
            created_at: moment(row.saml_created_at)?,
        })
    }
}

statements! {
    FindSaml = find_in_organization!(
        saml_columns!("t.user_id"),
        concat!("JOIN saml_providers p ON p.organization_id = o.id AND p.id = $4", default_team!())
    );
    ListSaml = concat!(
        "SELECT ", saml_columns!("$4"), " FROM saml_providers p", default_team!(),
        "WHERE p.organization_id = $1 AND ($2 IS NULL OR p.id < $2) ORDER BY p.id DESC LIMIT $3"
    );
    ReadSaml = concat!(
        "SELECT ", saml_columns!("$3"), " FROM saml_providers p", default_team!(),
        "WHERE p.organization_id = $1 AND p.id = $2"
    );
    CountSaml = "SELECT count(*) AS total FROM saml_providers WHERE organization_id = $1";
    LockSaml = "SELECT id FROM saml_providers WHERE organization_id = $1 AND id = $2 FOR UPDATE";
    LockOrganization = "SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE";
    PutTeam = "INSERT INTO saml_provider_teams (organization_id, saml_provider_id, team_id) \
               SELECT organization_id, $2, id FROM teams WHERE organization_id = $1 AND id = $3 FOR KEY SHARE \
               ON CONFLICT (organization_id, saml_provider_id) DO UPDATE SET team_id = excluded.team_id";
    DropTeam = "DELETE FROM saml_provider_teams WHERE organization_id = $1 AND saml_provider_id = $2";
    DeleteSaml = "DELETE FROM saml_providers WHERE organization_id = $1 AND id = $2";
}

impl Reader<'_> {
    /// The SAML provider of an organization with this id: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] when there is none.
    pub fn saml_provider(
        &mut self,
        organization: OrganizationId,
        id: SamlProviderId,
    ) -> Result<Found<InOrganization<SamlProviderRecord>>> {
        let row = FindSaml::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection);
        self.found_in_organization::<SamlColumns, _>(row, organization, Action::InspectOrganization)
    }

    /// The SAML providers of an organization, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn saml_providers_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<SamlProviderId>,
        limit: u16,
    ) -> Result<Slice<SamlProviderRecord>> {
        let id = *organization.id.as_uuid();
        let rows: Vec<SamlColumns> = ListSaml::bind((
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
            val::<SqlUuid, _>(*organization.actor().user.as_uuid()),
        ))
        .load(self.connection)?;
        let count: CountRow = CountSaml::bind((val::<SqlUuid, _>(id),)).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }

    fn read_saml_provider(
        &mut self,
        organization: &OrganizationRecord,
        id: SamlProviderId,
        reader: quire_domain::ids::UserId,
    ) -> Result<SamlProviderRecord> {
        let row: SamlColumns = ReadSaml::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<SqlUuid, _>(*reader.as_uuid()),
        ))
        .get_result(self.connection)?;
        row.try_into()
    }
}

impl Tx<'_> {
    /// Makes a SAML provider.
    ///
    /// # Errors
    /// 400 for a team that isn't there, 409 when the organization has as many providers as it may have.
    pub fn create_saml_provider(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        provider: &NewSamlProvider,
    ) -> Result<SamlProviderRecord> {
        let owner = *organization.id.as_uuid();
        LockOrganization::bind((val::<SqlUuid, _>(owner),)).execute(self.connection)?;
        let count: CountRow = CountSaml::bind((val::<SqlUuid, _>(owner),)).get_result(self.connection)?;
        if u64::try_from(count.total).unwrap_or(0) >= SAML_PROVIDERS_MAX {
            let message = format!("An organization has at most {SAML_PROVIDERS_MAX} SAML providers.");
            return Err(Error::refused(Reason::TooMany, message));
        }
        let id = SamlProviderId::from_uuid(self.storage.ids().uuid());
        self.note_made("saml-provider", id);
        diesel::insert_into(saml_providers::table)
            .values((
                saml_providers::organization_id.eq(owner),
                saml_providers::id.eq(id.as_uuid()),
                saml_providers::label.eq(&provider.label),
                saml_providers::sso_url.eq(&provider.sso_url),
                saml_providers::entity_id.eq(&provider.entity_id),
                saml_providers::certificate.eq(&provider.certificate),
                saml_providers::default_role.eq(provider.default_role.map(Role::rank)),
                saml_providers::created_at.eq(OffsetDateTime::from(self.now)),
            ))
            .execute(self.connection)?;
        if let Some(team) = provider.default_team {
            self.put_default_team(organization.id, id, team)?;
        }
        self.read_saml_provider(organization, id, organization.actor().user)
    }

    /// Locks a SAML provider until the transaction ends and reads it again.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone.
    pub fn lock_saml_provider(
        &mut self,
        provider: Authorized<InOrganization<SamlProviderRecord>>,
    ) -> Result<Authorized<InOrganization<SamlProviderRecord>>> {
        let (organization, id) = (provider.organization.id, provider.item.id);
        let locked =
            LockSaml::bind((val::<SqlUuid, _>(*organization.as_uuid()), val::<SqlUuid, _>(*id.as_uuid())))
                .execute(self.connection)?;
        if locked == 0 {
            return Err(Error::NotFound);
        }
        let item = self.read_saml_provider(&provider.organization, id, provider.actor().user)?;
        Ok(provider.map(|provider| InOrganization { item, ..provider }))
    }

    /// Changes a locked SAML provider and answers it as it is then.
    ///
    /// # Errors
    /// 400 for a team that isn't there.
    pub fn update_saml_provider(
        &mut self,
        provider: &Authorized<InOrganization<SamlProviderRecord>>,
        changes: SamlProviderChanges,
    ) -> Result<SamlProviderRecord> {
        let (organization, id) = (provider.organization.id, provider.item.id);
        let SamlProviderChanges { label, sso_url, entity_id, certificate, default_role, default_team } =
            changes;
        let role_changes = !default_role.is_keep();
        let row = ChangesRow {
            label,
            sso_url,
            entity_id,
            certificate,
            default_role: default_role.into_option().map(|role| role.map(Role::rank)),
        };
        if role_changes
            || [&row.label, &row.sso_url, &row.entity_id, &row.certificate].into_iter().any(Option::is_some)
        {
            diesel::update(saml_providers::table.find((organization.as_uuid(), id.as_uuid())))
                .set(row)
                .execute(self.connection)?;
        }
        match default_team {
            Patch::Keep => {}
            Patch::Set(team) => self.put_default_team(organization, id, team)?,
            Patch::Clear => {
                DropTeam::bind((
                    val::<SqlUuid, _>(*organization.as_uuid()),
                    val::<SqlUuid, _>(*id.as_uuid()),
                ))
                .execute(self.connection)?;
            }
        }
        self.read_saml_provider(&provider.organization, id, provider.actor().user)
    }

    /// Deletes a SAML provider.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone already.
    pub fn delete_saml_provider(
        &mut self,
        provider: &Authorized<InOrganization<SamlProviderRecord>>,
    ) -> Result<()> {
        let deleted = DeleteSaml::bind((
            val::<SqlUuid, _>(*provider.organization.id.as_uuid()),
            val::<SqlUuid, _>(*provider.item.id.as_uuid()),
        ))
        .execute(self.connection)?;
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    fn put_default_team(
        &mut self,
        organization: OrganizationId,
        provider: SamlProviderId,
        team: TeamId,
    ) -> Result<()> {
        let put = PutTeam::bind((
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*provider.as_uuid()),
            val::<SqlUuid, _>(*team.as_uuid()),
        ))
        .execute(self.connection)?;
        if put == 1 {
            return Ok(());
        }
        let message = "The default team does not exist.".to_owned();
        let details = vec![("defaultTeam".to_owned(), "there is no such team".to_owned())];
        Err(Error::Refused { reason: Reason::InvalidBody, message, details })
    }
}
