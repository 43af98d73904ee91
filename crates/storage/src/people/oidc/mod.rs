//! OpenID Connect providers of an organization, and sign-ins with them.

mod changes;
mod identities;
mod queries;
mod sign_in;

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::claim_rules::ClaimRules;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OidcProviderId, OrganizationId, TeamId};
use serde_json::Value;

use crate::schema::{oidc_provider_teams, oidc_providers};
use crate::views::oidc_rule_lists;

pub use identities::OwnProvider;
pub use queries::ListedProvider;
pub(crate) use sign_in::{FirstUser, FoundUser, Joining};
pub use sign_in::{Outcome, Person};

/// Deployment key that seals client secrets.
const SEAL: &str = "oidc";

/// Stored OpenID Connect provider, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = oidc_providers, check_for_backend(Pg))]
pub struct OidcProviderRecord {
    /// Id.
    pub id: OidcProviderId,
    /// Label.
    pub label: String,
    /// URL of the provider.
    pub issuer: String,
    /// Client id of this service.
    pub client_id: String,
    /// Role of people who join through the provider; `None` for guests.
    pub default_role: Option<Role>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last successful test.
    pub tested_at: Option<Timestamp>,
    /// Claims of the last successful test.
    pub claims: Option<Value>,
    /// Team of people who join through the provider.
    #[diesel(select_expression = oidc_provider_teams::team_id.nullable())]
    pub default_team: Option<TeamId>,
    /// Rules that assign roles and teams by claims.
    #[diesel(select_expression = oidc_rule_lists::rules.nullable())]
    pub claim_rules: ClaimRules,
}

/// OpenID Connect provider with its secret, for a sign-in.
#[derive(Clone)]
pub struct UsableProvider {
    /// Organization.
    pub organization: OrganizationId,
    /// `true` if the organization is blocked, so that no one can join it.
    pub is_blocked: bool,
    /// Id.
    pub id: OidcProviderId,
    /// URL of the provider.
    pub issuer: String,
    /// Client id of this service.
    pub client_id: String,
    /// Client secret of this service.
    pub client_secret: String,
    /// Role of people who join through the provider; `None` for guests.
    pub default_role: Option<Role>,
    /// Rules that assign roles and teams by claims.
    pub claim_rules: ClaimRules,
}
