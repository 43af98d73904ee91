//! SAML providers, found and listed.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::ids::{OrganizationId, SamlProviderId, TeamId, UserId};
use quire_domain::policy::Action;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{DefaultTeam, SamlProviderRecord};
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, Found, InOrganization, OrganizationRecord, find_in_organization, role_from_rank,
};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, moment};

/// The columns of a provider `p` with its team `d`, seen by this user.
macro_rules! saml_columns {
    ($user:literal) => {
        concat!(
            "p.id AS saml_id, p.label, p.sso_url, p.entity_id, p.certificate, p.default_role AS saml_role, \
             p.created_at AS saml_created_at, d.id AS team_id, d.title AS team_title, d.created_at AS team_created_at, \
             (SELECT count(*) FROM team_members x WHERE x.organization_id = d.organization_id AND x.team_id = d.id) AS team_members, \
             (SELECT count(*) FROM spaces s \
               LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id \
               WHERE s.organization_id = d.organization_id AND s.deleted_at IS NULL AND EXISTS (SELECT 1 FROM content_grants g \
                 WHERE g.organization_id = d.organization_id AND g.team_id = d.id \
                 AND (g.space_id = s.id OR g.collection_id = ANY (c.path)))) AS team_spaces, \
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
}

impl Reader<'_> {
    /// The SAML provider of an organization with this id: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
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
        let total = self.count_saml_providers(organization.id)?;
        Slice::cut(rows, limit, total).try_map(TryInto::try_into)
    }

    /// How many SAML providers an organization has.
    pub(super) fn count_saml_providers(&mut self, organization: OrganizationId) -> Result<i64> {
        let count: CountRow =
            CountSaml::bind((val::<SqlUuid, _>(*organization.as_uuid()),)).get_result(self.connection)?;
        Ok(count.total)
    }

    /// A SAML provider as this user sees it.
    pub(super) fn read_saml_provider(
        &mut self,
        organization: &OrganizationRecord,
        id: SamlProviderId,
        reader: UserId,
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
