//! SAML providers of an organization: found, listed, made, changed, deleted.

mod changes;
mod find;

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{SamlProviderId, TeamId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::saml_providers;
use crate::stored::Stored;
use crate::views::saml_default_teams;

/// A SAML provider as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = saml_providers, check_for_backend(Pg))]
pub struct SamlProviderRecord {
    /// Its id.
    #[diesel(deserialize_as = Uuid)]
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
    #[diesel(deserialize_as = Stored<Option<i16>>)]
    pub default_role: Option<Role>,
    /// The team that they join.
    #[diesel(embed)]
    pub default_team: Option<DefaultTeam>,
    /// When it was made.
    #[diesel(deserialize_as = OffsetDateTime)]
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
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = saml_default_teams, check_for_backend(Pg))]
pub struct DefaultTeam {
    /// Its id.
    #[diesel(deserialize_as = Uuid)]
    pub id: TeamId,
    /// Its title.
    pub title: String,
    /// How many members it has.
    pub members: i64,
    /// How many spaces are granted to it.
    pub spaces: i64,
    /// When it was made.
    #[diesel(deserialize_as = OffsetDateTime)]
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
