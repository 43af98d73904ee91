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
    /// Time of the last successful test.
    pub tested_at: Option<Timestamp>,
    /// Name and attributes that the last successful test received.
    pub claims: Option<Value>,
    /// Rules that give roles and teams by attributes.
    #[diesel(select_expression = saml_rule_lists::rules.nullable())]
    pub claim_rules: ClaimRules,
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

/// SAML provider for a sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsableSamlProvider {
    /// Organization.
    pub organization: OrganizationId,
    /// `true` if the organization is blocked, so that no one joins it.
    pub is_blocked: bool,
    /// Id.
    pub id: SamlProviderId,
    /// Role of people who join through it.
    pub default_role: Option<Role>,
    /// Rules that give roles and teams by attributes.
    pub claim_rules: ClaimRules,
    /// Values of the identity provider; `None` until all are set.
    pub settings: Option<SamlSettings>,
    /// Certificate that it encrypts for, in PEM; `None` before it is first asked for.
    pub encryption_certificate: Option<String>,
}

/// Values of an identity provider that a sign-in needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamlSettings {
    /// The address of the login page.
    pub sso_url: String,
    /// The name of the identity provider.
    pub entity_id: String,
    /// The certificate that its answers are signed with.
    pub certificate: String,
}
