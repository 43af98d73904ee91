//! SAML providers of an organization.

mod changes;
mod encryption;
mod queries;
mod sign_in;

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::claim_rules::ClaimRules;
use quire_domain::clock::Timestamp;
use quire_domain::ids::OrganizationId;
use quire_domain::ids::{SamlProviderId, TeamId};
use serde_json::Value;

use crate::schema::saml_providers;
use crate::views::{saml_default_teams, saml_rule_lists};

pub use sign_in::{SignedMessages, StoredPerson, random_state};

/// Stored SAML provider.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = saml_providers, check_for_backend(Pg))]
pub struct SamlProviderRecord {
    /// Id.
    pub id: SamlProviderId,
    /// Label.
    pub label: String,
    /// URL of the provider's sign-in page.
    pub sso_url: Option<String>,
    /// Entity id of the provider.
    pub entity_id: Option<String>,
    /// Certificate with which the provider's responses are signed.
    pub certificate: Option<String>,
    /// Role of people who join through the provider; `None` for guests.
    pub default_role: Option<Role>,
    /// Team of people who join through the provider.
    #[diesel(embed)]
    pub default_team: Option<DefaultTeam>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last successful test.
    pub tested_at: Option<Timestamp>,
    /// `NameID` and attributes received in the last successful test.
    pub claims: Option<Value>,
    /// Rules that assign roles and teams by attributes.
    #[diesel(select_expression = saml_rule_lists::rules.nullable())]
    pub claim_rules: ClaimRules,
}

impl SamlProviderRecord {
    /// Returns whether the provider has all values that a sign-in needs.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.sso_url.is_some() && self.entity_id.is_some() && self.certificate.is_some()
    }
}

/// Team of people who join through a provider.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = saml_default_teams, check_for_backend(Pg))]
pub struct DefaultTeam {
    /// Id.
    pub id: TeamId,
    /// Title.
    pub title: String,
    /// Number of members.
    pub members: i64,
    /// Number of spaces granted to the team.
    pub spaces: i64,
    /// Creation time.
    pub created_at: Timestamp,
    /// `true` if the reader owns the team.
    pub owned: bool,
}

/// SAML provider for a sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsableSamlProvider {
    /// Organization.
    pub organization: OrganizationId,
    /// `true` if the organization is blocked, so that no one can join it.
    pub is_blocked: bool,
    /// Id.
    pub id: SamlProviderId,
    /// Role of people who join through the provider; `None` for guests.
    pub default_role: Option<Role>,
    /// Rules that assign roles and teams by attributes.
    pub claim_rules: ClaimRules,
    /// Values of the provider; `None` until all are set.
    pub settings: Option<SamlSettings>,
    /// Certificate with which the provider encrypts assertions, in PEM; `None` until it is first requested.
    pub encryption_certificate: Option<String>,
}

/// Values of a provider that a sign-in needs.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = saml_providers, check_for_backend(Pg))]
pub struct SamlSettings {
    /// URL of the provider's sign-in page.
    #[diesel(select_expression = saml_providers::sso_url.assume_not_null())]
    pub sso_url: String,
    /// Entity id of the provider.
    #[diesel(select_expression = saml_providers::entity_id.assume_not_null())]
    pub entity_id: String,
    /// Certificate with which the provider's responses are signed.
    #[diesel(select_expression = saml_providers::certificate.assume_not_null())]
    pub certificate: String,
}
