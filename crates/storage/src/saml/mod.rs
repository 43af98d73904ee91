//! SAML providers of an organization.

mod changes;
mod queries;

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{SamlProviderId, TeamId};

use crate::schema::saml_providers;
use crate::views::saml_default_teams;

/// A SAML provider as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = saml_providers, check_for_backend(Pg))]
pub struct SamlProviderRecord {
    /// Its id.
    pub id: SamlProviderId,
    /// Its label.
    pub label: String,
    /// The address of the login page.
    pub sso_url: Option<String>,
    /// The name of the identity provider.
    pub entity_id: Option<String>,
    /// The certificate that its answers are signed with.
    pub certificate: Option<String>,
    /// Role of the people who log in with it; `None` for guests.
    pub default_role: Option<Role>,
    /// Team of these people.
    #[diesel(embed)]
    pub default_team: Option<DefaultTeam>,
    /// Creation time.
    pub created_at: Timestamp,
}

impl SamlProviderRecord {
    /// Returns whether it has everything that a login needs.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.sso_url.is_some() && self.entity_id.is_some() && self.certificate.is_some()
    }
}

/// Team of the people who log in with a provider.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = saml_default_teams, check_for_backend(Pg))]
pub struct DefaultTeam {
    /// Its id.
    pub id: TeamId,
    /// Its title.
    pub title: String,
    /// Number of its members.
    pub members: i64,
    /// Number of spaces that are granted to it.
    pub spaces: i64,
    /// Creation time.
    pub created_at: Timestamp,
    /// True if the reader owns it.
    pub owned: bool,
}

/// A SAML provider to be made.
#[derive(Clone, Debug)]
pub struct NewSamlProvider {
    /// Its label.
    pub label: String,
    /// The address of the login page.
    pub sso_url: Option<String>,
    /// The name of the identity provider.
    pub entity_id: Option<String>,
    /// The certificate that its answers are signed with.
    pub certificate: Option<String>,
    /// Role of the people who log in with it.
    pub default_role: Option<Role>,
    /// Team of these people.
    pub default_team: Option<TeamId>,
}
